"""What a table had to collect: exact where its rounds tell it, between two bounds where they do not."""

from __future__ import annotations

from datetime import date

import pytest

from jackpot.money import ZERO, Money
from tables.floor.rules.collection import CollectionRule, FeeBasis, FeesDue, PlayedHands, collection_on, fees_due
from tables.games.fees import Bracket, Schedule

DAY = date(2026, 11, 18)
PLAYED = PlayedHands(hands=10, chips=32, half_hours=3, seats=7)
SCHEDULE = Schedule("small", 1, (Bracket(5, 1), Bracket(51, 2), Bracket(201, 6)))


def money(text: str) -> Money:
    return Money.of(text)


@pytest.mark.parametrize(
    ("basis", "fee", "told"),
    [
        (FeeBasis.HAND, "1.50", "15.00"), (FeeBasis.HALF_HOUR, "9.00", "27.00"),
        (FeeBasis.PLAYER, "0.50", "16.00 to 35.00"),
        (FeeBasis.ACTION, "0.00", "10.00 to 60.00"), (FeeBasis.NONE, "0.00", "0.00"),
    ],
)  # fmt: skip
def test_what_is_due_follows_from_the_rounds(basis: FeeBasis, fee: str, told: str) -> None:
    assert str(fees_due(CollectionRule(DAY, basis, money(fee), "small", 1), PLAYED, SCHEDULE)) == told


@pytest.mark.parametrize(
    ("counted", "off"), [("10.00", "0.00"), ("60.00", "0.00"), ("9.99", "-0.01"), ("61.00", "1.00"), ("33.00", "0.00")]
)
def test_a_count_is_off_by_what_lies_outside_of_its_bounds(counted: str, off: str) -> None:
    assert FeesDue(money("10"), money("60")).off(money(counted)) == money(off)


def test_the_newest_rule_that_has_begun_counts_and_none_ends_it() -> None:
    first = CollectionRule(date(2026, 1, 1), FeeBasis.HAND, money("1"))
    later = CollectionRule(DAY, FeeBasis.HAND, money("2"))
    ends = CollectionRule(date(2027, 1, 1), FeeBasis.NONE, ZERO)
    rules = [ends, first, later]
    assert [collection_on(rules, day) for day in (date(2025, 12, 31), date(2026, 11, 17), DAY, date(2027, 1, 1))] == [
        None, first, later, None,
    ]  # fmt: skip
