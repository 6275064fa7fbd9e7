"""Work that comes round and round: how often, when a failed try is repeated, and from when its delay is an alarm."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

LONGEST_DOUBLING: Final = 20  # two to that power is eleven days; every rhythm is shorter


@dataclass(frozen=True, slots=True)
class Rhythm:
    """How often an errand is due, and how long after that people must be told."""

    code: str
    every: timedelta
    alarm_after: timedelta


def pause_after(tries: int, every: timedelta) -> timedelta:
    """Two seconds after the first failure, then twice as long each time, never longer than the errand's own rhythm."""
    return min(timedelta(seconds=2 ** min(tries, LONGEST_DOUBLING)), every)


def is_overdue(owed_since: datetime, alarm_after: timedelta, now: datetime) -> bool:
    """Whether what has been owed since then is owed so long that it is an alarm."""
    return now - owed_since > alarm_after
