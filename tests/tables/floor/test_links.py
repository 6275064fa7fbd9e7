"""Which jackpots a table may feed, and which limits a sign can show."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackpot.money import Money
from jackpot.terms.rules.paytable import PayTable
from jackpot.terms.rules.terms import Terms
from tables.floor.rules.links import LinkedLevel, LinksRefused, check_digits, check_levels, check_meters

CHIP = Money.of("1.00")


def level(jackpot: str, rate: str, *games: str, fixed: str = "", **changes: Any) -> LinkedLevel:
    award = {"for_one": 5} if fixed else {"part": "1"}
    lines = [{"code": fixed or "royal", "name": "A hand", **award}]
    plain = {"wager": "1.00", "seed": "100.00", "rate": rate, **changes}
    pay_table = PayTable.from_plain({"code": "P", "lines": lines}).plain()
    return LinkedLevel(jackpot, Terms.of({**plain, "pay_table": pay_table}), frozenset(games))


def test_one_chip_feeds_two_levels():
    check_levels("T-1", "uth", CHIP, [level("GRAND", "60", reserve_rate="5"), level("MINI", "10")])


@given(st.integers(0, 1_000_000), st.integers(0, 1_000_000))
def test_the_rates_of_one_wager_never_pass_a_hundred_percent(one: int, other: int):
    levels = [level(code, f"{rate / 10_000:.4f}") for code, rate in (("A", one), ("B", other))]
    if one + other <= 1_000_000:
        check_levels("T-1", "uth", CHIP, levels)
    else:
        with pytest.raises(LinksRefused, match="may reach 100 %"):
            check_levels("T-1", "uth", CHIP, levels)


def test_reserve_rates_count_too():
    with pytest.raises(LinksRefused, match=r"give 101 % to its jackpots \(GRAND 75 % \+ MINI 26 %\)"):
        check_levels("T-1", "uth", CHIP, [level("GRAND", "70", reserve_rate="5"), level("MINI", "26")])


@pytest.mark.parametrize(
    ("levels", "why"),
    [
        ([level("GRAND", "70", "whist")], "T-1 plays uth, but GRAND is fed by tables that play whist"),
        ([level("GRAND", "70", wager="5.00")], r"takes a wager of 1\.00, but GRAND counts wagers of 5\.00"),
        ([level("GRAND", "10"), level("GRAND", "10")], "T-1 names GRAND twice"),
        ([level("A", "1", fixed="flush"), level("B", "1", fixed="flush")], "fixed award on A and on B"),
    ],
)
def test_a_table_is_refused_with_the_cure(levels: list[LinkedLevel], why: str):
    with pytest.raises(LinksRefused, match=why):
        check_levels("T-1", "uth", CHIP, levels)


def test_a_hand_may_win_a_fixed_award_on_one_level_and_a_part_on_another():
    check_levels("T-1", "uth", CHIP, [level("A", "1", fixed="royal"), level("B", "1")])


@pytest.mark.parametrize(
    ("limit", "digits", "needed"), [("9999.99", 5, 6), ("10000.00", 6, 7), ("999999999.99", 10, 11)]
)
def test_a_sign_shows_every_figure_up_to_the_limit(limit: str, digits: int, needed: int):
    terms = level("GRAND", "70", limit=limit).terms
    check_digits("WALL", needed, "GRAND", terms)
    with pytest.raises(LinksRefused, match=f"Sign WALL shows {digits} digits.* needs {needed}"):
        check_digits("WALL", digits, "GRAND", terms)


def test_without_a_limit_the_seed_at_least_must_fit():
    with pytest.raises(LinksRefused, match=r"the seed of GRAND, 100\.00, needs 5"):
        check_digits("WALL", 4, "GRAND", level("GRAND", "70").terms)


@pytest.mark.parametrize(("meters", "why"), [([], "shows no meter"), (["A", "A"], "names A twice")])
def test_a_sign_shows_each_meter_once_and_at_least_one(meters: list[str], why: str):
    with pytest.raises(LinksRefused, match=why):
        check_meters("WALL", meters)
