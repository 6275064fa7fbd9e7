"""The gaming day: the local date, counted from the hour at which the casino's day rolls."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo


@lru_cache(maxsize=64)
def zone_of(name: str) -> ZoneInfo:
    return ZoneInfo(name)


def gaming_day(moment: datetime, time_zone: str, roll_minutes: int) -> date:
    """The day a moment belongs to: its wall-clock time in the property's zone, less the roll."""
    wall_clock = moment.astimezone(zone_of(time_zone))
    # By the clock on the wall: a day of 23 or 25 hours rolls at its hour like any other.
    day = (wall_clock.replace(tzinfo=None) - timedelta(minutes=roll_minutes)).date()
    if wall_clock.fold and moment >= start_of(day + timedelta(days=1), time_zone, roll_minutes):
        return day + timedelta(days=1)  # the clock was put back behind a roll that has already been: the day stays
    return day


def day_of_no_house(moment: datetime) -> date:
    """Who belongs to no house has no hour at which a day rolls: theirs is the day of UTC."""
    return moment.astimezone(UTC).date()


def start_of(day: date, time_zone: str, roll_minutes: int) -> datetime:
    """The moment at which a gaming day begins, and the one before it is over."""
    wall_clock = datetime.combine(day, time.min, zone_of(time_zone)) + timedelta(minutes=roll_minutes)
    return wall_clock.astimezone(UTC)
