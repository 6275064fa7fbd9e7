"""What one person signs without the cards of the hand, and who takes a round back: values in, a value out."""

from __future__ import annotations

import pytest

from jackpot.money import UNIT, Money
from jackpot.property.rules.authority import (
    SUPERVISOR,
    Needed,
    Thresholds,
    beyond_the_cap,
    needed_to_take_back,
)

HUNDRED = Money(100 * UNIT)


@pytest.mark.parametrize(("unseen_sum", "count", "caps"), [
    (None, None, False), (HUNDRED, None, True), (None, 3, True), (HUNDRED, 3, True),
])  # fmt: skip
def test_a_house_has_a_cap_when_it_set_one_of_the_two(unseen_sum: Money | None, count: int | None, caps: bool) -> None:
    assert Thresholds(unseen_sum=unseen_sum, unseen_count=count).caps_unseen is caps


@pytest.mark.parametrize(("of_this_day", "switch", "people"), [
    (True, True, 1), (True, False, 1), (False, True, 2), (False, False, 1),
])  # fmt: skip
def test_a_round_of_an_earlier_day_is_taken_back_by_two_where_the_house_says_so(
    of_this_day: bool, switch: bool, people: int
) -> None:
    thresholds = Thresholds(old_rounds_need_two=switch)
    assert needed_to_take_back(of_this_day=of_this_day, thresholds=thresholds) == Needed(SUPERVISOR, people)


@pytest.mark.parametrize(("unseen_sum", "most", "units", "count", "beyond"), [
    (None, None, 10**9 * UNIT, 1000, ""), (HUNDRED, None, 100 * UNIT, 1000, ""),
    (HUNDRED, None, 100 * UNIT + 1, 1, "100.00 a day"), (None, 3, 10**9 * UNIT, 3, ""),
    (None, 3, 0, 4, "3 hits a day"), (HUNDRED, 3, 100 * UNIT, 3, ""), (HUNDRED, 3, 101 * UNIT, 4, "100.00 a day"),
    (HUNDRED, 3, 99 * UNIT, 4, "3 hits a day"),
])  # fmt: skip
def test_what_goes_beyond_a_cap_is_named_and_the_cap_itself_is_within(
    unseen_sum: Money | None, most: int | None, units: int, count: int, beyond: str
) -> None:
    thresholds = Thresholds(unseen_sum=unseen_sum, unseen_count=most)
    assert beyond_the_cap(thresholds, Money(units), count) == beyond
