"""The life of a gaming day in the office, as a table. What is not listed is refused."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import Final


class DayState(enum.StrEnum):
    OPEN = "open"
    SIGNED = "signed"
    CLOSED = "closed"
    REOPENING = "reopening"


class DayAct(enum.StrEnum):
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
LEADS_TO: Final[Mapping[DayAct, DayState]] = {act: state for (_, act), state in DAY_LIFE.items()}
OF_ANOTHER: Final = frozenset({DayAct.CLOSE, DayAct.REOPEN})  # never by the person of the step before
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
