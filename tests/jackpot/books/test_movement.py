from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackpot.books.rules.movement import (
    ACCOUNTS,
    NEVER_NEGATIVE,
    Balances,
    Movement,
    coin_in,
    contra,
    made_good,
    opening,
    pay,
    receipt,
    reset,
    taken_back,
)
from jackpot.books.rules.movement import take_over as taken_over
from jackpot.money import UNIT, Money, text_of_units
from jackpot.terms.rules.policy import CHOICES
from jackpot.terms.rules.terms import Terms
from tests.builders import terms

amounts = st.integers(0, 10**6).map(lambda cents: Money(cents * 10**6))


@st.composite
def any_terms(draw: st.DrawFn) -> Terms:
    rate = draw(st.integers(0, 1_000_000))
    reserve_rate = draw(st.integers(0, 1_000_000 - rate))
    limit = draw(st.none() | st.integers(2_000, 2_400).map(lambda cents: f"{cents / 100:.2f}"))
    return terms(
        wager=f"{draw(st.integers(1, 500)) / 100:.2f}", seed="19.99", limit=limit, rate=f"{rate / 10_000:.4f}",
        reserve_rate=f"{reserve_rate / 10_000:.4f}",
        policy={switch: draw(st.sampled_from(CHOICES[switch])) for switch in ("overflow", "shortfall")},
    )  # fmt: skip


def standing(**amounts: str) -> Balances:
    """Balances with what lies in them, the rest being the house's."""
    units = {account: Money.of(amount).units for account, amount in amounts.items()}
    return Balances(**units, house=-sum(units.values()))


def told(moved: Movement) -> dict[str, str]:
    return {account: text_of_units(units) for account, units in zip(ACCOUNTS, moved.columns(), strict=True) if units}


def test_five_chips_at_70_and_5_percent() -> None:
    moved = coin_in(5, terms(), 10_000 * UNIT)
    assert told(moved) == {"contributed": "-3.75", "meter": "3.50", "reserve": "0.25"}


def test_a_movement_that_does_not_balance_cannot_be_constructed() -> None:
    with pytest.raises(AssertionError, match="must balance"):
        Movement(meter=1)


def test_v11_ten_coin_ins_at_the_limit_overflow_and_the_reserve_grows() -> None:
    limited, balances = terms(limit="25000.00"), standing(meter="24999.50")
    for _ in range(10):
        balances = balances.after(coin_in(1, limited, balances.meter))
    assert [text_of_units(u) for u in (balances.meter, balances.overflow, balances.reserve)] == [
        "25000.00",
        "6.50",
        "0.50",
    ]


def test_v11_as_one_movement_of_ten_chips() -> None:
    moved = coin_in(10, terms(limit="25000.00"), Money.of("24999.50").units)
    assert told(moved) == {"contributed": "-7.50", "meter": "0.50", "reserve": "0.50", "overflow": "6.50"}


def test_by_switch_what_is_above_the_limit_is_the_houses() -> None:
    limited = terms(limit="25000.00", policy={"overflow": "revenue"})
    assert told(coin_in(10, limited, Money.of("24999.50").units))["house"] == "6.50"


def test_a_meter_already_above_its_limit_keeps_what_it_has() -> None:
    moved = coin_in(1, terms(limit="25000.00"), Money.of("25010.00").units)
    assert told(moved) == {"contributed": "-0.75", "reserve": "0.05", "overflow": "0.70"}


def test_v19_one_wager_feeds_two_levels_at_their_own_rates() -> None:
    grand, mini = terms(rate="60", reserve_rate="0"), terms(rate="10", reserve_rate="0")
    assert told(coin_in(1, grand, 0))["meter"] == "0.60"
    assert told(coin_in(1, mini, 0))["meter"] == "0.10"


def test_an_opening_posts_the_seed_from_the_house() -> None:
    assert told(opening(Money.of("10000.00"))) == {"meter": "10000.00", "house": "-10000.00"}


def test_a_take_over_names_what_the_old_house_had_advanced() -> None:
    moved = taken_over(Money.of("18250.00"), Money.of("400.00"), Money.of("1.10"), Money.of("10000.00"))
    assert told(moved) == {
        "meter": "18250.00", "reserve": "400.00", "overflow": "1.10", "house": "-10000.00", "outside": "-8651.10",
    }  # fmt: skip


@given(any_terms(), st.integers(0, 9), st.integers(0, 30 * UNIT))
def test_a_coin_in_moves_exactly_its_rates_whatever_the_limit(given_terms: Terms, spots: int, meter: int) -> None:
    moved = coin_in(spots, given_terms, meter)
    due = spots * given_terms.wager.units
    assert -moved.contributed * 1_000_000 == due * (given_terms.rate + given_terms.reserve_rate)
    assert (moved.meter + moved.overflow + moved.house) * 1_000_000 == due * given_terms.rate
    assert moved.reserve * 1_000_000 == due * given_terms.reserve_rate
    assert min(moved.meter, moved.overflow, moved.house) >= 0


@given(any_terms(), st.integers(0, 9), st.integers(0, 30 * UNIT))
def test_no_coin_in_lifts_a_meter_over_its_limit(given_terms: Terms, spots: int, meter: int) -> None:
    after = meter + coin_in(spots, given_terms, meter).meter
    assert given_terms.limit is None or after <= max(meter, given_terms.limit.units)


@given(any_terms(), st.integers(1, 9), st.integers(0, 19 * UNIT))
def test_a_contra_posted_at_once_restores_every_balance(given_terms: Terms, spots: int, meter: int) -> None:
    before = Balances(meter=meter, house=-meter)
    moved = coin_in(spots, given_terms, meter)
    after = before.after(moved)
    assert after.after(contra(moved, after, given_terms)) == before


@given(any_terms(), st.lists(st.tuples(st.integers(0, 9), st.booleans()), max_size=30), st.randoms())
def test_coin_ins_and_contras_in_any_order_leave_no_balance_below_zero(
    given_terms: Terms, acts: list[tuple[int, bool]], chance: object
) -> None:
    balances, standing_entries = Balances().after(opening(Money.of("19.99"))), []
    for spots, undo in acts:
        if undo and standing_entries:
            original = standing_entries.pop(spots % len(standing_entries))
            balances = balances.after(contra(original, balances, given_terms))
        else:
            moved = coin_in(spots, given_terms, balances.meter)
            standing_entries.append(moved)
            balances = balances.after(moved)
        assert sum(balances.columns()) == 0
        assert all(getattr(balances, account) >= 0 for account in NEVER_NEGATIVE)


CENT = UNIT // 100
parts_of_a_cent = st.integers(-500, 500).map(lambda tenths: tenths * CENT // 10)
movements = st.lists(parts_of_a_cent, min_size=7, max_size=7).map(lambda seven: Movement(-sum(seven), *seven))
payable = movements.filter(lambda moved: moved.winners >= 0)


@given(payable, st.tuples(*[st.integers(0, 400).map(lambda tenths: tenths * CENT // 10)] * 3), any_terms())
def test_whatever_lacks_is_made_good_in_whole_cents_from_the_declared_source(
    moved: Movement, held: tuple[int, int, int], given_terms: Terms
) -> None:
    before = Balances(meter=held[0], reserve=held[1], overflow=held[2], house=-sum(held))
    whole = made_good(moved, before, given_terms)
    after = before.after(whole)
    assert min(after.meter, after.reserve, after.overflow) >= 0
    assert (whole.contributed, whole.winners, whole.paid, whole.outside) == (
        moved.contributed, moved.winners, moved.paid, moved.outside,
    )  # fmt: skip
    given_by_house = moved.house - whole.house
    lacks = [
        max(-(held + was), 0) for held, was in zip(held, (moved.meter, moved.reserve, moved.overflow), strict=True)
    ]
    assert 0 <= given_by_house <= sum(lacks) + 3 * CENT
    assert given_by_house % CENT == (whole.meter - moved.meter) % CENT == 0
    if given_by_house > sum(-(-lack // CENT) * CENT for lack in lacks[1:]):
        assert given_terms.policy.shortfall == "house" or after.reserve < CENT


@pytest.mark.parametrize(("shortfall", "reserve", "house"), [
    ("reserve_then_house", "-2.00", "-0.51"), ("house", "0.00", "-2.51"),
])  # fmt: skip
def test_what_an_undone_round_lacks_comes_from_the_declared_source(shortfall: str, reserve: str, house: str) -> None:
    undone = Movement(contributed=350 * CENT + 1, meter=-350 * CENT - 1)
    before = standing(meter="1.00", reserve="2.00")
    short = made_good(undone, before, terms(policy={"shortfall": shortfall}))
    assert [text_of_units(units) for units in (short.reserve, short.house)] == [reserve, house]
    assert before.after(short).meter == CENT - 1, "whole cents: the rest of one stays"


@pytest.mark.parametrize("account", [name for name in ACCOUNTS if name != "house"])
def test_every_account_stands_where_its_movement_left_it(account: str) -> None:
    moved = Movement(**{account: 7, "house": -7})
    assert Balances(*range(8)).after(moved) == Balances(
        **{name: number + 7 * (name == account) - 7 * (name == "house") for number, name in enumerate(ACCOUNTS)}
    )


@pytest.mark.parametrize(("owed", "back"), [(0, 0), (300, 300), (1000, 1000), (1700, 1000)])
def test_of_an_advance_its_back_out_takes_what_is_still_owed_and_no_more_than_it_was(owed: int, back: int) -> None:
    advanced = Movement(meter=1000, house=-1000)
    assert taken_back(advanced, owed) == Movement(meter=back, house=-back)


@pytest.mark.parametrize(
    ("due", "there", "returned"), [(50, 80, 50), (80, 80, 80), (90, 80, 80), (0, 80, 0), (9, 0, 0)]
)
def test_a_reset_returns_the_overflow_due_and_no_more_than_is_there(due: int, there: int, returned: int) -> None:
    left = Balances(overflow=there, outside=-there)
    moved = reset(left, 0, due, terms(seed="1.00"))
    assert (moved.meter, moved.overflow, moved.house) == (UNIT + returned, -returned, -UNIT)


@given(amounts)
def test_what_is_paid_was_owed_and_moves_nothing_else(amount: Money) -> None:
    assert pay(amount) == Movement(winners=-amount.units, paid=amount.units)


@given(amounts)
def test_what_was_paid_in_error_and_comes_back_makes_the_house_good_and_nothing_else(amount: Money) -> None:
    moved = receipt(amount)
    assert moved == Movement(house=amount.units, paid=-amount.units)
    assert sum(moved.columns()) == 0
