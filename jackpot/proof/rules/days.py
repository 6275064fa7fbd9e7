"""The gaming day that an entry must have: its time by the clock of its house, as it went then."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

from jackpot.books.rules.seal import microseconds
from jackpot.property.rules.gaming_day import gaming_day, start_of

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
UNSURE: Final = 60 * 10**6  # µs: while a house changes its clock an entry may still have the day of the one before


class GamingClock(NamedTuple):
    """From a moment on (µs): the time zone and the minute at which the day rolls. The first counts from ever."""

    since: int
    time_zone: str
    roll_minutes: int


class DayWindow(NamedTuple):
    """Every entry from one moment until another (µs) has this day."""

    begins: int
    ends: int
    day: str


NO_WINDOW: Final = DayWindow(0, 0, "")


class DayClock:
    """The clocks of one house, one after the other."""

    def __init__(self, clocks: Sequence[GamingClock]) -> None:
        assert clocks, "a house has a clock"
        self.clocks = sorted(clocks)

    def days_at(self, at: int) -> list[str]:
        """The day at a moment; two where the clock was being changed just then."""
        moment = EPOCH + timedelta(microseconds=at)
        going = [clock for clock in self.clocks if clock.since <= at] or self.clocks[:1]
        near = len(going) > 1 and at < going[-1].since + UNSURE
        return [
            gaming_day(moment, clock.time_zone, clock.roll_minutes).isoformat()
            for clock in reversed(going[-2 if near else -1 :])
        ]

    def window_at(self, at: int) -> DayWindow:
        """How far around a moment nothing but its day can be meant; nothing near a change of the clock."""
        going = [clock for clock in self.clocks if clock.since <= at] or self.clocks[:1]
        clock, place = going[-1], len(going)
        day = gaming_day(EPOCH + timedelta(microseconds=at), clock.time_zone, clock.roll_minutes)
        begins = microseconds(start_of(day, clock.time_zone, clock.roll_minutes))
        ends = microseconds(start_of(day + timedelta(days=1), clock.time_zone, clock.roll_minutes))
        if place > 1:
            begins = max(begins, clock.since + UNSURE)
        if place < len(self.clocks):
            ends = min(ends, self.clocks[place].since)
        return DayWindow(begins, ends, day.isoformat()) if begins <= at < ends else NO_WINDOW
