"""Days as people write them."""

from __future__ import annotations

from datetime import date, time

import pytest

from jackpot.property.rules.typed_days import FIRST_DAY, DaySpan, NotADay, read_clock, read_day, read_span

TODAY = date(2026, 11, 18)  # a Wednesday
D17 = DaySpan(date(2026, 11, 17), date(2026, 11, 17))


@pytest.mark.parametrize(
    "typed",
    ["2026-11-17", "17 Nov 2026", "17 nov. 2026", "17th November 2026", "Nov 17, 2026", "November 17 2026",
     "11/17/2026", "17.11.2026", "yesterday", " Yesterday ", "Tue 17 Nov 2026", "2026-11-17 to 2026-11-17"],
)  # fmt: skip
def test_one_day_in_every_way(typed: str) -> None:
    assert read_span(typed, TODAY, month_first=True) == D17


def test_strokes_follow_the_house() -> None:
    assert read_day("3/4/2026", TODAY, month_first=True) == date(2026, 3, 4)
    assert read_day("3/4/2026", TODAY, month_first=False) == date(2026, 4, 3)


@pytest.mark.parametrize(
    ("typed", "first", "last"),
    [
        ("this week", date(2026, 11, 16), TODAY), ("last week", date(2026, 11, 9), date(2026, 11, 15)),
        ("last month", date(2026, 10, 1), date(2026, 10, 31)), ("November 2026", date(2026, 11, 1), date(2026, 11, 30)),
        ("2026-02", date(2026, 2, 1), date(2026, 2, 28)), ("2025", date(2025, 1, 1), date(2025, 12, 31)),
        ("last 7 days", date(2026, 11, 12), TODAY), ("1 Nov 2026 to yesterday", date(2026, 11, 1), date(2026, 11, 17)),
        ("2026-11-17..2026-11-01", date(2026, 11, 1), date(2026, 11, 17)), ("all", FIRST_DAY, TODAY),
        ("Oct 2026 – 3 Nov 2026", date(2026, 10, 1), date(2026, 11, 3)),
    ],
)  # fmt: skip
def test_spans(typed: str, first: date, last: date) -> None:
    assert read_span(typed, TODAY, month_first=True) == DaySpan(first, last)


@pytest.mark.parametrize(
    "typed", ["", "soon", "2026-13-01", "30 Feb 2026", "17/17/2026", "ma 2026", "x" * 200, "1 to 2"]
)
def test_what_is_no_day_says_how_days_are_written(typed: str) -> None:
    with pytest.raises(NotADay, match="17 Nov 2026"):
        read_span(typed, TODAY, month_first=True)


def test_a_time_of_day_may_stand_behind() -> None:
    assert read_clock("17 Nov 2026 14:30") == ("17 Nov 2026", time(14, 30))
    assert read_clock("yesterday at 6:05:07") == ("yesterday", time(6, 5, 7))
    assert read_clock("yesterday") == ("yesterday", None)
    with pytest.raises(NotADay):
        read_clock("yesterday 25:00")
    with pytest.raises(NotADay):
        read_day("this month", TODAY, month_first=True)
