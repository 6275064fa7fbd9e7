"""Limits and games."""

from datetime import date
from fractions import Fraction

import pytest

from tables.games.limits import BetRefused, Limits, count_games, dollars, refuse_games, refuse_wager

BASE = ("ante", "blind", "play")
SHEET = Limits("sheet 195", date(2026, 1, 1), date(2026, 12, 31), (1, 1000), (100, 10_000))
TODAY = date(2026, 6, 1)


def test_the_base_game_counts_as_one() -> None:
    assert count_games(["ante", "blind", "play", "trips", "bad_beat"], BASE) == 3


def test_by_switch_every_wager_counts() -> None:
    assert count_games(["ante", "blind", "trips"], BASE, "each_wager") == 3


def test_a_fifth_game_is_refused() -> None:
    with pytest.raises(BetRefused, match=r"That is 5 games; a player wagers on at most 4\. Take back progressive"):
        refuse_games(["ante", "blind", "trips", "bad_beat", "pairs", "progressive"], BASE)


def test_four_games_stand() -> None:
    refuse_games(["ante", "blind", "trips", "bad_beat", "progressive"], BASE)


def test_posted_limits_inside_the_sheet_stand() -> None:
    SHEET.refuse_posted(10, 500, TODAY)


@pytest.mark.parametrize(
    ("minimum", "maximum", "on", "sentence"),
    [
        (10, 20_000, TODAY, r"posted maximum of \$20,000 is outside \$100 to \$10,000 \(sheet 195\)"),
        (2000, 3000, TODAY, r"posted minimum of \$2,000 is outside"),
        (500, 100, TODAY, "above the posted maximum"),
        (10, 500, date(2027, 1, 1), "not in force on 2027-01-01"),
        (10, 500, date(2025, 12, 31), "not in force on 2025-12-31"),
    ],
)
def test_posted_limits_outside_the_sheet_are_refused(minimum: int, maximum: int, on: date, sentence: str) -> None:
    with pytest.raises(BetRefused, match=sentence):
        SHEET.refuse_posted(minimum, maximum, on)


def test_limits_of_a_sheet_that_prints_no_date_are_bound_to_no_day() -> None:
    Limits("sheet 195", wager_minimum=(1, 1000)).refuse_posted(10, 500, date(1999, 1, 1))


def test_a_wager_outside_the_posted_limits_is_refused() -> None:
    with pytest.raises(BetRefused, match=r"ante of \$2.50 is below the table minimum of \$5"):
        refuse_wager("ante", Fraction(5, 2), Fraction(5), Fraction(100))
    with pytest.raises(BetRefused, match=r"ante of \$101 is above the table maximum of \$100"):
        refuse_wager("ante", Fraction(101), Fraction(5), Fraction(100))


@pytest.mark.parametrize(
    ("amount", "shown"),
    [
        (Fraction(1250), "$1,250"),
        (Fraction(15, 2), "$7.50"),
        (Fraction(1, 3), "$1/3"),
        (Fraction(-5), "−$5"),
        (Fraction(-15, 2), "−$7.50"),
    ],
)
def test_dollars_read_as_people_write_them(amount: Fraction, shown: str) -> None:
    assert dollars(amount) == shown
