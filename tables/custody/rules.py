"""Keys and seals of cabinets, controllers, drop boxes and halls: what may follow what, and which two it takes."""

from __future__ import annotations

import enum
import re
from collections.abc import Collection, Mapping
from typing import Final

CODE: Final = re.compile(r"[A-Z0-9][A-Z0-9-]{0,19}")
NUMBER: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9./ -]{0,29}")
LONGEST_PURPOSE: Final = 120
MOST_HOURS: Final = 72
# The roles of a thing decide who writes of it; these verbs open the register at all.
WRITES: Final = (
    "run_tables", "approve", "verify", "count", "pay", "close_day", "service", "camera", "set_up", "people",
)  # fmt: skip
READS: Final = (*WRITES, "read_books", "read_trail")
ADDS: Final = "set_up"


class CustodyKind(enum.StrEnum):
    """A key opens and comes back; a seal is broken and replaced by one with another number."""

    KEY = "key"
    SEAL = "seal"


class GuardedPlace(enum.StrEnum):
    """What a key opens or a seal closes."""

    CABINET = "cabinet"
    CONTROLLER = "controller"
    DROP_BOX = "drop_box"
    HALL = "hall"


PLACE_WORDS: Final[Mapping[GuardedPlace, str]] = {
    GuardedPlace.CABINET: "cabinet",
    GuardedPlace.CONTROLLER: "controller",
    GuardedPlace.DROP_BOX: "drop box",
    GuardedPlace.HALL: "hall",
}


class CustodyState(enum.StrEnum):
    """How a key or a seal stands."""

    HOME = "home"
    OUT = "out"
    MISSING = "missing"
    WHOLE = "whole"
    BROKEN = "broken"


class CustodyAct(enum.StrEnum):
    """What two people write down."""

    OUT = "out"
    BACK = "back"
    PLACED = "placed"
    REPLACED = "replaced"
    BROKEN = "broken"


ACT_WORDS: Final[Mapping[CustodyAct, str]] = {
    CustodyAct.OUT: "taken out",
    CustodyAct.BACK: "brought back",
    CustodyAct.PLACED: "seal placed",
    CustodyAct.REPLACED: "seal replaced",
    CustodyAct.BROKEN: "seal found broken",
}

BEGINS: Final[Mapping[CustodyKind, CustodyState]] = {
    CustodyKind.KEY: CustodyState.HOME,
    CustodyKind.SEAL: CustodyState.MISSING,
}
# From which state an act leads to which; what is not listed is refused.
LIFE: Final[Mapping[tuple[CustodyState, CustodyAct], CustodyState]] = {
    (CustodyState.HOME, CustodyAct.OUT): CustodyState.OUT,
    (CustodyState.OUT, CustodyAct.BACK): CustodyState.HOME,
    (CustodyState.MISSING, CustodyAct.PLACED): CustodyState.WHOLE,
    (CustodyState.WHOLE, CustodyAct.REPLACED): CustodyState.WHOLE,
    (CustodyState.WHOLE, CustodyAct.BROKEN): CustodyState.BROKEN,
    (CustodyState.BROKEN, CustodyAct.REPLACED): CustodyState.WHOLE,
}
READS_OLD: Final = frozenset({CustodyAct.REPLACED, CustodyAct.BROKEN})  # the number on the seal that is taken off
READS_NEW: Final = frozenset({CustodyAct.PLACED, CustodyAct.REPLACED})


def state_after(state: CustodyState, act: CustodyAct) -> CustodyState | None:
    return LIFE.get((state, act))


def acts_from(state: CustodyState) -> list[CustodyAct]:
    """What may be written down next."""
    return [act for (before, act) in LIFE if before is state]


def department_refusal(holder: str, countersigner: str, one: Collection[str], other: Collection[str]) -> str:
    """Why two people, by the roles they hold, are not the two departments of a thing; nothing where they are."""
    # Either way round: who is signed in and who shows the card is chance.
    if (holder in one and countersigner in other) or (holder in other and countersigner in one):
        return ""
    held = {*one, *other}
    missing = [role for role in (holder, countersigner) if role not in held]
    if missing:
        return f"Nobody of the two is {' or '.join(missing)}."
    return f"One of the two must be {holder} and the other {countersigner}."
