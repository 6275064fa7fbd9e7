"""Who may approve what, as values: both sides of every threshold, and the stricter of two moments."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import pytest

from jackpot.money import UNIT, Money
from jackpot.property.rules.authority import (
    EXECUTIVE,
    SUPERVISOR,
    AwardPart,
    Needed,
    Thresholds,
    judging,
    needed,
    thresholds_of,
)
from jackpot.property.rules.witness import WitnessPart

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


PLAIN: dict[str, Any] = {
    "executive_threshold": "5000.00", "dual_threshold": None, "pin_from_level": 3, "cards_from_multiple": 1000,
    "marker_may_verify": False, "verifier_may_pay": False, "cards_required": True, "both_need_level": False,
    "old_rounds_need_two": True, "unseen_sum": None, "unseen_count": None, "kept_alone": 60, "cheque_from": None,
    "own_executive": {}, "own_dual": {},
    **{f"{part}_witness": None for part in WitnessPart},
}  # fmt: skip


@pytest.mark.parametrize(("given", "means"), [(None, None), ("0.00", Money(0)), ("7.50", Money(15 * UNIT // 2))])
def test_a_threshold_that_is_not_set_is_never_and_one_of_nothing_is_always(
    given: str | None, means: Money | None
) -> None:
    read = thresholds_of({**PLAIN, "dual_threshold": given, "unseen_sum": given})
    assert (read.dual, read.unseen_sum) == (means, means)


ONLY_THERE: Final = [AwardPart("GRAND", "royal", Money(100 * UNIT))]


@pytest.mark.parametrize(("place", "asked"), [("GRAND", True), ("GRAND/royal", True), ("MEGA", False)])
def test_a_threshold_of_a_jackpot_or_its_row_asks_for_more_by_itself(place: str, asked: bool) -> None:
    at = {place: Money(100 * UNIT)}
    alone = needed(Money(100 * UNIT), replace(HOUSE, own_executive=at), ONLY_THERE)
    assert alone == Needed(EXECUTIVE if asked else SUPERVISOR)
    together = needed(Money(100 * UNIT), replace(HOUSE, own_dual=at), ONLY_THERE)
    assert together == Needed(SUPERVISOR, 2 if asked else 1)


def test_a_threshold_of_a_jackpot_never_asks_for_less() -> None:
    high = {"GRAND": Money(10**6 * UNIT)}
    own = replace(HOUSE, own_executive=high, own_dual=high)
    assert needed(Money(15000 * UNIT), own, ONLY_THERE) == Needed(EXECUTIVE, 2)


def _money(units: int | None) -> Money | None:
    return None if units is None else Money(units)
