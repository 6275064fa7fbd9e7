"""Who may approve what, as values: both sides of every threshold, and the stricter of two moments."""

from __future__ import annotations

from dataclasses import replace

import pytest

from jackpot.money import UNIT, Money
from jackpot.property.rules.authority import EXECUTIVE, SUPERVISOR, Needed, Thresholds, judging, needed

HOUSE = Thresholds(executive=Money(5000 * UNIT), dual=Money(15000 * UNIT))


@pytest.mark.parametrize(("units", "level", "people"), [
    (5000 * UNIT - 1, SUPERVISOR, 1), (5000 * UNIT, EXECUTIVE, 1), (15000 * UNIT - 1, EXECUTIVE, 1),
    (15000 * UNIT, EXECUTIVE, 2), (15000 * UNIT + 1, EXECUTIVE, 2),
])  # fmt: skip
def test_the_threshold_itself_needs_the_higher_level(units: int, level: int, people: int) -> None:
    assert needed(Money(units), HOUSE) == Needed(level, people)


def test_without_a_dual_threshold_no_sum_needs_two_people() -> None:
    assert needed(Money(10**9 * UNIT), replace(HOUSE, dual=None)).people == 1


@pytest.mark.parametrize(("then", "now", "counts"), [
    (None, None, None), (7, None, 7), (None, 7, 7), (7, 9, 7), (9, 7, 7), (0, 7, 0), (7, 0, 0),
])  # fmt: skip
def test_of_two_dual_thresholds_the_lower_counts_and_none_is_never(
    then: int | None, now: int | None, counts: int | None
) -> None:
    stricter = judging(replace(HOUSE, dual=_money(then)), replace(HOUSE, dual=_money(now)))
    assert stricter.dual == _money(counts)


@pytest.mark.parametrize(("then", "now", "counts"), [(4000, 6000, 4000), (6000, 4000, 4000)])
def test_of_two_executive_thresholds_and_card_multiples_the_lower_counts(then: int, now: int, counts: int) -> None:
    before = replace(HOUSE, executive=Money(then), cards_from=then)
    stricter = judging(before, replace(HOUSE, executive=Money(now), cards_from=now))
    assert (stricter.executive, stricter.cards_from) == (Money(counts), counts)


@pytest.mark.parametrize("then", [True, False])
@pytest.mark.parametrize("now", [True, False])
def test_cards_asked_for_at_either_moment_are_needed(then: bool, now: bool) -> None:
    stricter = judging(replace(HOUSE, cards_required=then), replace(HOUSE, cards_required=now))
    assert stricter.cards_required is (then or now)


def test_how_people_act_is_the_swipes_alone() -> None:
    then = replace(HOUSE, pin_from_level=1, marker_may_verify=True, verifier_may_pay=True)
    assert judging(then, HOUSE) == HOUSE


def _money(units: int | None) -> Money | None:
    return None if units is None else Money(units)
