from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackpot.property.rules.gaming_day import gaming_day

LOS_ANGELES = "America/Los_Angeles"
ZONES = [LOS_ANGELES, "America/New_York", "Europe/Vienna", "Australia/Lord_Howe", "America/Havana", "Asia/Macau", "UTC"]


def at(moment: str, zone: str = LOS_ANGELES, fold: int = 0) -> datetime:
    return datetime.fromisoformat(moment).replace(tzinfo=ZoneInfo(zone), fold=fold)


@pytest.mark.parametrize(
    ("moment", "day"),
    [
        ("2026-11-18T05:59:59.999999", date(2026, 11, 17)),
        ("2026-11-18T06:00:00", date(2026, 11, 18)),
        ("2026-11-19T05:59:59", date(2026, 11, 18)),
    ],
)
def test_the_day_rolls_at_its_hour_on_the_wall(moment: str, day: date) -> None:
    assert gaming_day(at(moment).astimezone(UTC), LOS_ANGELES, 360) == day


@pytest.mark.parametrize("day", ["2026-03-08", "2026-11-01"])
def test_on_the_days_the_clock_changes_the_roll_is_still_at_six(day: str) -> None:
    before, after = at(f"{day}T05:59:59"), at(f"{day}T06:00:00")
    assert gaming_day(after, LOS_ANGELES, 360) - gaming_day(before, LOS_ANGELES, 360) == timedelta(days=1)


def test_a_roll_inside_the_repeated_hour_happens_once() -> None:
    first, second = at("2026-11-01T01:31"), at("2026-11-01T01:05", fold=1)
    assert first.astimezone(UTC) < second.astimezone(UTC)
    assert gaming_day(first, LOS_ANGELES, 90) == gaming_day(second, LOS_ANGELES, 90) == date(2026, 11, 1)


def test_a_roll_inside_the_hour_that_is_skipped_happens_at_the_skip() -> None:
    assert gaming_day(at("2026-03-08T01:59:59"), LOS_ANGELES, 150) == date(2026, 3, 7)
    assert gaming_day(at("2026-03-08T03:00:00"), LOS_ANGELES, 150) == date(2026, 3, 8)


@given(
    st.integers(946_684_800, 2_114_294_400).map(lambda second: datetime.fromtimestamp(second, UTC)),
    st.timedeltas(timedelta(0), timedelta(hours=30)),
    st.sampled_from(ZONES),
    st.integers(0, 1439),
)
def test_the_gaming_day_never_goes_back(moment: datetime, later: timedelta, zone: str, roll: int) -> None:
    assert gaming_day(moment, zone, roll) <= gaming_day(moment + later, zone, roll)
