"""The switch “never less than the next row”, under both values, to the cent."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackpot.books.rules.movement import NEVER_NEGATIVE, Balances
from jackpot.money import Money
from jackpot.terms.rules.paytable import PartOfMeter
from jackpot.terms.rules.terms import Terms
from jackpot.wins.rules.settlement import Award, Hit, Pot, settle
from tests.builders import a_pay_table, terms
from tests.jackpot.wins.test_settlement import amounts, hits, left, pot

LINES = [
    {"code": "royal", "name": "Royal flush", "part": "1"},
    {"code": "straight_flush", "name": "Straight flush", "part": "1/10"},
    {"code": "four", "name": "Four of a kind", "for_one": 500},
    {"code": "full_house", "name": "Full house", "for_one": 50},
]
HIGHEST, NEVER_LESS = {"row": "highest"}, {"row": "never_less"}


def rules(policy: dict[str, str], source: str = "meter", **more: Any) -> Terms:
    return terms(pay_table=a_pay_table(lines=LINES, source=source), policy=policy, **more)


def paid(policy: dict[str, str], before: Pot, *said: tuple[int, str], **more: Any) -> list[Award]:
    told = rules(policy, **more)
    return settle(before, hits(told, *said), told)


@pytest.mark.parametrize(("policy", "amount", "meter"), [
    (HIGHEST, "300.00", "2700.00"), (NEVER_LESS, "500.00", "2500.00"),
])  # fmt: skip
def test_a_tenth_of_a_low_meter_pays_at_least_the_fixed_row_below(
    policy: dict[str, str], amount: str, meter: str
) -> None:
    before = pot("3000.00")
    awards = paid(policy, before, (2, "straight_flush"))
    assert amounts(awards) == [(2, amount)]
    assert left(before, awards) == (meter, "0.00")


@pytest.mark.parametrize("policy", [HIGHEST, NEVER_LESS])
def test_where_no_row_crosses_both_values_pay_the_same(policy: dict[str, str]) -> None:
    before = pot("20000.00", "617.25")
    assert amounts(paid(policy, before, (2, "royal"), (6, "straight_flush"))) == [(6, "2000.00"), (2, "18000.00")]


@pytest.mark.parametrize(("policy", "amount", "reserve", "house", "meter"), [
    (HIGHEST, "120.50", "0.00", "0.00", ("10040.00", "0.00")),
    (NEVER_LESS, "500.00", "40.00", "339.50", ("10000.00", "0.00")),
])  # fmt: skip
def test_the_whole_of_a_nearly_empty_meter_is_lifted_and_what_it_lacks_is_a_shortfall(
    policy: dict[str, str], amount: str, reserve: str, house: str, meter: tuple[str, str]
) -> None:
    before = pot("120.50", "40.00")
    (award,) = awards = paid(policy, before, (2, "royal"))
    assert (str(award.amount), str(award.from_reserve), str(award.from_house)) == (amount, reserve, house)
    assert left(before, awards) == meter, "the seed of the new meter is not touched"


def test_a_lift_draws_on_what_came_since_the_mark_before_the_reserve() -> None:
    before = pot("130.00", "40.00", frozen_meter="120.50", frozen_reserve="40.00")
    (award,) = paid(NEVER_LESS, before, (2, "royal"))
    assert (str(award.amount), str(award.basis)) == ("500.00", "120.50")
    assert (str(award.from_reserve), str(award.from_house)) == ("40.00", "330.00")


def test_every_row_below_counts_because_the_next_one_is_itself_never_less() -> None:
    lines = [
        {"code": "straight_flush", "name": "Straight flush", "part": "1/10"},
        {"code": "four", "name": "Four of a kind", "part": "1/20"},
        {"code": "full_house", "name": "Full house", "for_one": 50, "source": "tray"},
    ]
    told = terms(pay_table=a_pay_table(lines=lines), policy=NEVER_LESS)
    (award,) = settle(pot("200.00"), hits(told, (1, "straight_flush")), told)
    assert str(award.amount) == "50.00"
    assert award.compared is not None
    assert (award.compared.line.code, str(award.compared.own)) == ("full_house", "20.00")
    assert award.movement.house == 0, "a part is paid from the meter, whatever the row below is paid from"


@pytest.mark.parametrize(("policy", "amount"), [(HIGHEST, "500.00"), (NEVER_LESS, "1000.00")])
def test_a_fixed_row_is_lifted_too_and_from_its_own_tray(policy: dict[str, str], amount: str) -> None:
    lines = [
        {"code": "four", "name": "Four of a kind", "for_one": 500, "source": "tray"},
        {"code": "full_house", "name": "Full house", "part": "1/20"},
    ]
    told, before = terms(pay_table=a_pay_table(lines=lines), policy=policy), pot("20000.00")
    (award,) = settle(before, hits(told, (1, "four")), told)
    assert str(award.amount) == amount
    assert award.movement.house == -award.amount.units
    assert left(before, [award]) == ("20000.00", "0.00")


def test_each_award_of_a_round_is_compared_with_what_is_left_for_it() -> None:
    before = pot("6000.00")
    awards = paid(NEVER_LESS, before, (6, "straight_flush"), (4, "four"), (2, "straight_flush"))
    assert amounts(awards) == [(6, "600.00"), (4, "500.00"), (2, "500.00")], "10 % of 4,900.00 is 490.00"


def test_equal_shares_are_lifted_to_the_same_amount() -> None:
    before = pot("700.00", "100.00")
    awards = paid({"order": "equal_shares", **NEVER_LESS}, before, (2, "royal"), (6, "royal"))
    assert amounts(awards) == [(6, "500.00"), (2, "500.00")]
    assert [str(award.from_reserve) for award in awards] == ["100.00", "0.00"]
    assert left(before, awards) == ("10000.00", "0.00")


def test_the_aggregate_cuts_a_lifted_fixed_row_and_never_a_lifted_part() -> None:
    lines = [
        {"code": "straight_flush", "name": "Straight flush", "part": "1/10"},
        {"code": "four", "name": "Four of a kind", "for_one": 40, "source": "tray"},
        {"code": "full_house", "name": "Full house", "for_one": 50, "source": "tray"},
    ]
    told = terms(pay_table=a_pay_table(lines=lines), policy=NEVER_LESS, aggregate="80.00")
    awards = settle(pot("300.00"), hits(told, (5, "straight_flush"), (3, "four"), (1, "full_house")), told)
    assert amounts(awards) == [(5, "50.00"), (3, "40.00"), (1, "40.00")]


def test_what_j_pot_fixed_is_posted_although_the_rows_would_now_compare_otherwise() -> None:
    told = rules(NEVER_LESS)
    fixed = Hit(2, told.pay_table.line("straight_flush"), fixed=Money.of("500.00"))
    before = pot("100.00", frozen_meter="3000.00")
    (award,) = settle(before, [fixed], told)
    assert str(award.amount) == "500.00"
    assert left(before, [award]) == ("0.00", "0.00")


meters = st.integers(0, 60_000_000_000_00).map(lambda hundredths: hundredths * 10**4)
reserves = st.integers(0, 5_000_00).map(lambda cents: cents * 10**6)
rows = st.sampled_from(["royal", "straight_flush", "four", "full_house"])
seats = st.dictionaries(st.integers(1, 7), rows, min_size=1, max_size=7)
orders = st.sampled_from(["counter_clockwise", "clockwise", "equal_shares"])


def settled(row: str, order: str, meter: int, reserve: int, hands: dict[int, str]) -> tuple[Pot, list[Award]]:
    told = rules({"row": row, "order": order})
    before = Pot(Balances(meter=meter, reserve=reserve, outside=-(meter + reserve)), meter, reserve, 0)
    return before, settle(before, hits(told, *hands.items()), told)


@given(order=orders, meter=meters, reserve=reserves, hands=seats)
def test_nobody_gets_less_than_any_row_below_and_no_account_goes_below_zero(
    order: str, meter: int, reserve: int, hands: dict[int, str]
) -> None:
    told = rules(NEVER_LESS)
    before, awards = settled("never_less", order, meter, reserve, hands)
    stands = before.live
    for award in awards:
        stands = stands.after(award.movement)
        assert all(getattr(stands, account) >= 0 for account in NEVER_NEGATIVE)
        assert award.movement.winners == award.amount.units
        below = told.pay_table.lines[told.pay_table.rank(award.line.code) :]
        fixed = [told.wager * line.award.times for line in below if not isinstance(line.award, PartOfMeter)]
        assert award.amount >= max(fixed, default=Money(0))
    assert sum(stands.columns()) == 0


@given(order=orders, cents=st.integers(6_000_000, 60_000_000_00), reserve=reserves, hands=seats)
def test_with_no_row_crossing_both_values_settle_alike(
    order: str, cents: int, reserve: int, hands: dict[int, str]
) -> None:
    """From 60,000.00 on a tenth beats 500.00 until the meter is reset; after a reset 1,000.00 still does."""
    _, highest = settled("highest", order, cents * 10**6, reserve, hands)
    if any(a.line.code == "royal" and a.amount < Money.of("500.00") for a in highest):
        return
    if any(a.line.code == "straight_flush" and a.amount < Money.of("500.00") for a in highest):
        return
    _, lifted = settled("never_less", order, cents * 10**6, reserve, hands)
    assert [(a.seat, a.amount, a.movement) for a in highest] == [(a.seat, a.amount, a.movement) for a in lifted]


def test_a_part_is_still_an_exact_fraction() -> None:
    line = rules(NEVER_LESS).pay_table.line("straight_flush")
    assert isinstance(line.award, PartOfMeter)
    assert line.award.part == Fraction(1, 10)
