"""The life of a win, as a table. What is not listed is refused."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import Final


class WinState(enum.StrEnum):
    MARKED = "marked"
    UNMARKED = "unmarked"
    ASSIGNED = "assigned"
    ASKED = "asked"
    OUTRANKED = "outranked"
    REJECTED = "rejected"
    FELL = "fell"
    LOGGED = "logged"
    OWED = "owed"
    PAID = "paid"
    BACKED_OUT = "backed_out"


class Act(enum.StrEnum):
    UNMARK = "unmark"
    ASSIGN = "assign"
    ASK = "ask"
    OUTRANK = "outrank"
    RELEASE = "release"
    REJECT = "reject"
    VOID = "fall"
    LOG = "log"
    MOVE = "move"
    PAY = "pay"
    BACK_OUT = "back_out"


LIFE: Final[Mapping[tuple[WinState, Act], WinState]] = {
    (WinState.MARKED, Act.UNMARK): WinState.UNMARKED,
    (WinState.MARKED, Act.ASSIGN): WinState.ASSIGNED,
    (WinState.MARKED, Act.ASK): WinState.ASKED,
    (WinState.MARKED, Act.OUTRANK): WinState.OUTRANKED,
    (WinState.MARKED, Act.VOID): WinState.FELL,
    (WinState.ASKED, Act.RELEASE): WinState.MARKED,
    (WinState.ASKED, Act.REJECT): WinState.REJECTED,
    (WinState.ASKED, Act.VOID): WinState.FELL,
    (WinState.ASKED, Act.LOG): WinState.LOGGED,
    (WinState.LOGGED, Act.MOVE): WinState.OWED,
    (WinState.LOGGED, Act.BACK_OUT): WinState.BACKED_OUT,
    (WinState.OWED, Act.PAY): WinState.PAID,
    (WinState.OWED, Act.BACK_OUT): WinState.BACKED_OUT,
    (WinState.PAID, Act.BACK_OUT): WinState.BACKED_OUT,
}

LIT: Final = 0  # the seat of a hand key that is lit: the pit page says which seats it means
OPEN: Final = frozenset({WinState.MARKED, WinState.ASKED, WinState.LOGGED})  # the round cannot end
STANDING: Final = OPEN | {WinState.OWED, WinState.PAID}  # a seat has this for its round
OVER: Final = frozenset(WinState) - STANDING

SPOKEN: Final[Mapping[WinState, str]] = {
    WinState.MARKED: "marked, not yet asked for",
    WinState.UNMARKED: "un-marked",
    WinState.ASSIGNED: "a lit key whose seats were said",
    WinState.ASKED: "waiting for approval",
    WinState.OUTRANKED: "outranked by a higher hand of the same seat",
    WinState.REJECTED: "rejected",
    WinState.FELL: "void with its round",
    WinState.LOGGED: "approved; the key must be turned to RUN",
    WinState.OWED: "approved and owed to the player",
    WinState.PAID: "paid",
    WinState.BACKED_OUT: "backed out",
}


def after(state: WinState, act: Act) -> WinState | None:
    """The state an act leads to, or None where the act is refused."""
    return LIFE.get((state, act))
