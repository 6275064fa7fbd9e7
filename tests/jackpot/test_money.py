from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackpot.money import (
    LARGEST,
    ZERO,
    Money,
    NotAnAmount,
    Rounding,
    millionths_of,
    stored_text,
    text_of_units,
    units_of,
)

units = st.integers(-LARGEST + 1, LARGEST - 1)
cents = st.integers(0, 10**12).map(lambda count: Money(count * 10**6))


@pytest.mark.parametrize(
    ("written", "shown"),
    [("20001.40", "20001.40"), ("10000.5199", "10000.5199"), ("7", "7.00"), ("-0.00000001", "-0.00000001")],
)
def test_an_amount_is_read_and_written_as_people_write_it(written: str, shown: str) -> None:
    assert str(Money.of(written)) == shown


@pytest.mark.parametrize(
    "wrong",
    [
        "", "ten", "1.2.3", "NaN", "sNaN", "Infinity", "-Infinity", "1E+999999", "1e-9999999", "0.000000001",
        "1.000000000000000000000000000000001", "1000000000000", "-1000000000000",
    ],
)  # fmt: skip
def test_what_cannot_be_held_exactly_is_refused_with_a_sentence(wrong: str) -> None:
    with pytest.raises(NotAnAmount, match=r"Write it like|too large"):
        Money.of(wrong)


@pytest.mark.parametrize(
    "wrong", ["", "x", "NaN", "Infinity", "1E+999999", "17.33001", "17.330000000000000000000000000000001"]
)
def test_a_percentage_that_is_not_exact_in_millionths_is_refused(wrong: str) -> None:
    with pytest.raises(NotAnAmount, match="Write it like"):
        millionths_of(wrong)


def test_a_rate_is_read_in_millionths() -> None:
    assert [millionths_of("17.33"), millionths_of(70), millionths_of("0.0001")] == [173_300, 700_000, 1]


@given(units)
def test_every_amount_survives_its_text_and_its_column(amount: int) -> None:
    assert Money.of(text_of_units(amount)).units == amount
    assert units_of(Decimal(stored_text(amount))) == amount


@given(units)
def test_the_stored_text_is_what_the_database_writes(amount: int) -> None:
    assert stored_text(amount) == f"{Decimal(amount).scaleb(-8):.8f}"


@given(cents, st.integers(0, 10**6))
def test_a_contribution_of_whole_cents_never_rounds(wager: Money, millionths: int) -> None:
    assert Fraction(wager.at_rate(millionths).units) == Fraction(wager.units * millionths, 10**6)


def test_v1_a_million_coin_ins_at_17_33_percent_add_exactly_183300() -> None:
    part = Money.of("1.00").at_rate(millionths_of("17.33"))
    meter = 10_000 * 10**8
    for _ in range(1_000_000):
        meter += part.units
    assert Money(meter) == Money.of("183300.00")


def test_v2_the_sign_shows_whole_cents_and_the_rest_stays_in_the_meter() -> None:
    meter = Money.of("10000.00") + 3 * Money.of("1.00").at_rate(173_300)
    assert (str(meter), str(meter.shown())) == ("10000.5199", "10000.51")
    assert str(meter - meter.shown()) == "0.0099"


def test_v8_five_percent_is_rounded_half_up_once() -> None:
    award = Money.of("18641.57").share(Fraction(1, 20), Rounding.HALF_UP)
    assert (str(award), str(Money.of("18641.57") - award)) == ("932.08", "17709.49")


@pytest.mark.parametrize(("rule", "paid"), [(Rounding.HALF_UP, "0.01"), (Rounding.DOWN, "0.00")])
def test_exactly_half_a_cent_goes_by_the_declared_rule(rule: Rounding, paid: str) -> None:
    assert str(Money.of("0.10").share(Fraction(1, 20), rule)) == paid


@given(units.map(abs), st.fractions(0, 1), st.sampled_from(Rounding), st.sampled_from([0, 2, 3]))
def test_an_award_is_payable_and_within_one_step_of_exact(
    basis: int, part: Fraction, rule: Rounding, digits: int
) -> None:
    award, exact, step = Money(basis).share(part, rule, digits), basis * part, 10 ** (8 - digits)
    assert award.is_whole(digits)
    assert (
        -Fraction(step, 2) < exact - award.units < step
        if rule is Rounding.DOWN
        else abs(exact - award.units) * 2 <= step
    )


@given(units)
def test_what_is_shown_is_never_more_than_what_is_there(amount: int) -> None:
    assert abs(Money(amount).shown().units) <= abs(amount)
    assert Money(amount).shown().is_whole()


def test_the_whole_of_a_cut_basis_is_the_basis() -> None:
    basis = Money.of("20000.51")
    assert basis.share(Fraction(1), Rounding.DOWN) == basis
    assert not ZERO
