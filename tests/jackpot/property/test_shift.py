"""Shifts around the clock."""

from __future__ import annotations

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest

from jackpot.property.rules.shift import ShiftHours, ShiftPlan, plan_on, shift_at

THREE = (ShiftHours("Day", 360), ShiftHours("Swing", 840), ShiftHours("Night", 1320))
PACIFIC = ZoneInfo("America/Los_Angeles")


@pytest.mark.parametrize(
    ("local", "name"),
    [
        ("05:59", "Night"),
        ("06:00", "Day"),
        ("13:59", "Day"),
        ("14:00", "Swing"),
        ("22:00", "Night"),
        ("00:30", "Night"),
    ],
)  # fmt: skip
def test_a_shift_lasts_until_the_next_begins_past_midnight_too(local: str, name: str) -> None:
    hour, minute = map(int, local.split(":"))
    assert shift_at(THREE, datetime(2026, 11, 18, hour, minute, tzinfo=PACIFIC), PACIFIC) == name


def test_the_clock_on_the_wall_of_the_house_counts() -> None:
    assert shift_at(THREE, datetime(2026, 11, 18, 15, 0, tzinfo=UTC), PACIFIC) == "Day"
    assert shift_at(THREE, datetime(2026, 7, 18, 13, 30, tzinfo=UTC), PACIFIC) == "Day"


def test_a_house_without_shifts_has_none() -> None:
    assert shift_at((), datetime(2026, 11, 18, tzinfo=UTC), PACIFIC) == ""


def test_the_newest_plan_that_has_begun_counts() -> None:
    old, new = ShiftPlan(date(2026, 1, 1), THREE), ShiftPlan(date(2026, 6, 1), THREE[:1])
    assert (plan_on([new, old], date(2026, 5, 31)), plan_on([new, old], date(2026, 6, 1))) == (old, new)
    assert plan_on([new, old], date(2025, 12, 31)) is None
