"""The life of a gaming day in the office, as a table. What is not listed is refused."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import Final


class DayState(enum.StrEnum):
    """Where a day stands. A closed day is `REOPENING` while a request to open it again waits."""

    OPEN = "open"
    SIGNED = "signed"
    CLOSED = "closed"
    REOPENING = "reopening"


class DayAct(enum.StrEnum):
    """A step and its signature. `ASK` and `KEEP` are steps of the request to open a day again; as signatures they stand
    only on days of before there was such a request."""

    SIGN = "sign"
    BACK = "back"
    CLOSE = "close"
    ASK = "ask"
    KEEP = "keep"
    REOPEN = "reopen"


DAY_LIFE: Final[Mapping[tuple[DayState, DayAct], DayState]] = {
    (DayState.OPEN, DayAct.SIGN): DayState.SIGNED,
    (DayState.SIGNED, DayAct.BACK): DayState.OPEN,
    (DayState.SIGNED, DayAct.CLOSE): DayState.CLOSED,
    (DayState.CLOSED, DayAct.ASK): DayState.REOPENING,
    (DayState.REOPENING, DayAct.KEEP): DayState.CLOSED,
    (DayState.REOPENING, DayAct.REOPEN): DayState.OPEN,
}
# Where the last signature leaves a day; that somebody asks to open it again is said by the request alone.
LEADS_TO: Final[Mapping[DayAct, DayState]] = {
    **{act: state for (_, act), state in DAY_LIFE.items()}, DayAct.ASK: DayState.CLOSED,
}  # fmt: skip
OF_ANOTHER: Final = frozenset({DayAct.CLOSE})  # never by the person of the step before
WRITABLE: Final = frozenset({DayState.OPEN})

SPOKEN: Final[Mapping[DayState, str]] = {
    DayState.OPEN: "not closed",
    DayState.SIGNED: "signed by one person, waiting for a second",
    DayState.CLOSED: "closed",
    DayState.REOPENING: "closed; its reopening waits for a second person",
}


def day_after(state: DayState, act: DayAct) -> DayState | None:
    """The state an act leads to, or None where the act is refused."""
    return DAY_LIFE.get((state, act))
