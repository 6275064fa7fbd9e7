"""The table's aggregate: fixed awards of a round shared pro rata, parts never cut."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackpot.books.rules.movement import Balances
from jackpot.money import ZERO, Money
from jackpot.terms.rules.aggregate import share_aggregate
from jackpot.terms.rules.terms import Terms, TermsRefused
from jackpot.wins.rules.settlement import Award, Hit, Pot, settle
from tests.builders import a_pay_table, terms

POT = Pot(Balances(meter=Money.of("20000").units, house=-Money.of("20000").units), Money.of("20000").units, 0, 0)


def cents(text: str) -> Money:
    return Money.of(text)


def awards(hits: dict[int, str], source: str = "tray", **changes: Any) -> dict[int, Award]:
    told: Terms = terms(pay_table=a_pay_table(source=source), **changes)
    found = settle(POT, [Hit(seat, told.pay_table.line(code)) for seat, code in hits.items()], told)
    return {award.seat: award for award in found}


def test_within_the_aggregate_everything_is_paid_in_full() -> None:
    assert share_aggregate({1: cents("250")}, cents("1000")) == {1: cents("250")}


def test_above_it_awards_are_shared_pro_rata() -> None:
    shares = share_aggregate({1: cents("3000"), 2: cents("1000")}, cents("1000"))
    assert shares == {1: cents("750"), 2: cents("250")}


def test_odd_cents_go_to_the_largest_remainders_the_lower_seat_first() -> None:
    shares = share_aggregate({3: cents("10"), 1: cents("10"), 2: cents("10")}, cents("10"))
    assert shares == {1: cents("3.34"), 2: cents("3.33"), 3: cents("3.33")}


@given(
    st.dictionaries(st.integers(1, 9), st.integers(1, 10**6).map(Money.of), min_size=1),
    st.integers(1, 10**8).map(lambda number: Money(number * 10**6)),
)
def test_shares_always_add_up_to_the_aggregate_and_never_exceed_the_award(due: dict[int, Money], most: Money) -> None:
    shares = share_aggregate(due, most)
    assert sum(shares.values(), ZERO) == min(most, sum(due.values(), ZERO))
    assert all(shares[seat] <= due[seat] and shares[seat].is_whole() for seat in due)


def test_a_round_of_seven_community_royals_is_cut_to_the_aggregate() -> None:
    paid = awards(dict.fromkeys(range(1, 8), "royal_community"), aggregate="10000.00")
    assert sum((award.amount for award in paid.values()), ZERO) == cents("10000.00")
    assert {str(award.amount) for award in paid.values()} == {"1428.57", "1428.58"}
    assert all(award.movement.house == -award.amount.units for award in paid.values())


@pytest.mark.parametrize(("aggregate", "fixed"), [(None, "250.00"), ("250.00", "250.00"), ("100.00", "100.00")])
def test_switch_a_part_of_the_meter_is_never_cut(aggregate: str | None, fixed: str) -> None:
    paid = awards({2: "royal_first_7", 6: "straight_flush"}, aggregate=aggregate)
    assert (str(paid[2].amount), str(paid[6].amount)) == ("1000.00", fixed)


def test_from_the_meter_only_what_is_due_leaves_it() -> None:
    paid = awards({5: "straight_flush", 6: "straight_flush"}, "meter", aggregate="300.00")
    assert [award.movement.meter for award in paid.values()] == [-cents("150").units] * 2


def test_terms_without_an_aggregate_keep_the_digest_they_always_had() -> None:
    assert "aggregate" not in terms().plain()
    cut = terms(aggregate="500.00")
    assert Terms.of(cut.plain()) == cut
    assert cut.digest != terms().digest


@pytest.mark.parametrize("wrong", ["0", "-5", "0.001"])
def test_an_aggregate_that_nothing_can_be_paid_from_is_refused(wrong: str) -> None:
    with pytest.raises(TermsRefused, match="aggregate"):
        terms(aggregate=wrong)
