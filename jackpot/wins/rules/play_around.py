"""Play before and after a whole meter was won: what a reserve is kept for is that it falls as little as possible."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction
from math import floor
from typing import Final

DAYS_AROUND: Final = 7
LEAST_COMPARED: Final = timedelta(days=1)  # a few hours of a night are no measure of a week


@dataclass(frozen=True, slots=True)
class PlaySpan:
    """A stretch of time on one side of a hit."""

    begins: datetime
    ends: datetime

    @property
    def lasts(self) -> timedelta:
        return self.ends - self.begins


@dataclass(frozen=True, slots=True)
class PlayPace:
    """What was played in a stretch: its chips, and how many an hour that is."""

    chips: int
    lasts: timedelta

    @property
    def an_hour(self) -> Fraction | None:
        """None where no time has gone by."""
        if not self.lasts:
            return None
        return Fraction(self.chips * 3600 * 1_000_000, self.lasts // timedelta(microseconds=1))

    @property
    def whole_an_hour(self) -> int | None:
        """As people read it: half a chip and more is one."""
        return None if self.an_hour is None else floor(self.an_hour + Fraction(1, 2))

    @property
    def hours(self) -> int:
        return self.lasts // timedelta(hours=1)


def spans_around(
    *, hit: datetime, first: datetime, before: datetime | None, after: datetime | None, now: datetime
) -> tuple[PlaySpan, PlaySpan]:
    """Some days on either side, never over another hit of the whole meter, the beginning of the books or now."""
    days = timedelta(days=DAYS_AROUND)
    begins = max(hit - days, first if before is None else before)
    ends = min(hit + days, now if after is None else after)
    return PlaySpan(min(begins, hit), hit), PlaySpan(hit, max(ends, hit))


def change_of_pace(before: PlayPace, after: PlayPace) -> Fraction | None:
    """In percent of what was played before; None where either side is shorter than a day or nobody played."""
    if min(before.lasts, after.lasts) < LEAST_COMPARED or not before.an_hour or after.an_hour is None:
        return None
    return 100 * (after.an_hour - before.an_hour) / before.an_hour
