"""The movements of an act of two people: balanced, never below zero, cut at the limit; and what each act may do."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackpot.adjusting.rules.adjusting import (
    GROUNDS,
    GROUNDS_OF,
    Adjusting,
    jackpot_state_after,
    recoverable,
    same_odds,
    sent,
    transfer_by,
    waits_for_hits,
)
from jackpot.books.rules import kinds as proof_kinds
from jackpot.books.rules.entry_kind import EntryKind
from jackpot.books.rules.movement import (
    ACCOUNTS,
    NEVER_NEGATIVE,
    Balances,
    Movement,
    adjust,
    difference,
    lacking,
    transfer_in,
)
from jackpot.money import UNIT, Money, text_of_units
from jackpot.terms.rules.terms import Terms
from tests.builders import a_pay_table, terms
from tests.jackpot.books.test_movement import any_terms, standing

units = st.integers(0, 3_000 * UNIT)


@st.composite
def any_standing(draw: st.DrawFn) -> Balances:
    inside = [draw(units) for _ in range(3)]
    return Balances(0, *inside, -sum(inside))


def told(moved: Movement) -> dict[str, str]:
    return {account: text_of_units(each) for account, each in zip(ACCOUNTS, moved.columns(), strict=True) if each}


def test_15_more_come_from_the_house() -> None:
    assert told(adjust(15 * UNIT, "meter", standing(meter="100.00"), terms())) == {"meter": "15.00", "house": "-15.00"}


@given(any_standing(), any_terms(), st.integers(-4_000 * UNIT, 4_000 * UNIT), st.sampled_from(["meter", "reserve"]))
def test_an_adjustment_balances_and_either_keeps_every_account_or_is_refused(
    before: Balances, of: Terms, by: int, account: str
) -> None:
    moved = adjust(by, account, before, of)
    after = before.after(moved)
    assert sum(after.columns()) == 0
    assert (lacking(after) is None) == all(getattr(after, name) >= 0 for name in NEVER_NEGATIVE)
    assert (lacking(after) is not None) == (getattr(before, account) + by < 0)
    if of.limit is not None and account == "meter":
        assert after.meter <= max(of.limit.units, before.meter)


@given(any_standing(), any_standing(), any_terms(), st.none() | units)
def test_a_transfer_loses_nothing_between_the_two(
    giver: Balances, taker: Balances, of: Terms, amount: int | None
) -> None:
    out = sent(None if amount is None else min(amount, giver.meter), giver)
    into = transfer_in(out, taker, of)
    assert out.outside + into.outside == 0
    assert lacking(giver.after(out)) is None
    assert lacking(taker.after(into)) is None
    if of.limit is not None:
        assert taker.after(into).meter <= max(of.limit.units, taker.meter)


@given(
    any_standing(),
    any_standing(),
    any_terms(),
    st.integers(-4_000 * UNIT, 4_000 * UNIT),
    st.sampled_from(["meter", "reserve"]),
)
def test_the_proof_demands_exactly_what_the_rule_moves(
    before: Balances, taker: Balances, of: Terms, by: int, account: str
) -> None:
    moved = adjust(by, account, before, of)
    if lacking(before.after(moved)) is None:
        assert proof_kinds.due(EntryKind.ADJUST, moved, before, of, None) == moved
    out = sent(None, before)
    assert proof_kinds.due(EntryKind.TRANSFER_OUT, out, before, of, None) == out
    into = transfer_in(out, taker, of)
    assert proof_kinds.due(EntryKind.TRANSFER_IN, into, taker, of, None) == into


@pytest.mark.parametrize(("kind", "moved"), [
    ("adjust", Movement(meter=UNIT, winners=-UNIT)), ("adjust", Movement(meter=-200 * UNIT, house=200 * UNIT)),
    ("adjust", Movement(meter=UNIT, reserve=UNIT, house=-2 * UNIT)),
    ("adjust", Movement(meter=3 * UNIT, house=-3 * UNIT)),
    ("transfer_out", Movement(meter=-UNIT, house=UNIT)), ("transfer_out", Movement(meter=UNIT, outside=-UNIT)),
    ("transfer_in", Movement(meter=-UNIT, outside=UNIT)), ("transfer_in", Movement(meter=3 * UNIT, outside=-3 * UNIT)),
    ("suspend", Movement(meter=UNIT, house=-UNIT)), ("retire", Movement(meter=-UNIT, house=UNIT)),
])  # fmt: skip
def test_the_proof_refuses_what_the_rule_would_not_move(kind: str, moved: Movement) -> None:
    limited = terms(seed="50.00", limit="102.00")
    assert proof_kinds.due(EntryKind(kind), moved, standing(meter="100.00"), limited, None) != moved


@pytest.mark.parametrize(("source", "shortfall", "moved"), [
    ("meter", "reserve_then_house", {"meter": "-100.00", "reserve": "-40.00", "house": "-60.00", "winners": "200.00"}),
    ("meter", "house", {"meter": "-100.00", "house": "-100.00", "winners": "200.00"}),
    ("house", "reserve_then_house", {"house": "-200.00", "winners": "200.00"}),
])  # fmt: skip
def test_a_difference_takes_what_the_meter_lacks_from_the_declared_source(
    source: str, shortfall: str, moved: dict[str, str]
) -> None:
    """100.00 in the meter, 40.00 in the reserve, 200.00 owed; the proof demands the same."""
    before, of = standing(meter="100.00", reserve="40.00"), terms(policy={"shortfall": shortfall})
    found = difference(Money.of("200.00"), source, before, of)
    assert told(found) == moved
    assert proof_kinds.due(EntryKind.DIFFERENCE, found, before, of, None) == found


@given(any_standing(), any_terms(), st.integers(1, 4_000 * UNIT), st.sampled_from(["meter", "house"]))
def test_a_difference_balances_pays_in_full_and_no_account_but_the_house_goes_below_zero(
    before: Balances, of: Terms, owed: int, source: str
) -> None:
    moved = difference(Money(owed), source, before, of)
    assert (moved.winners, lacking(before.after(moved))) == (owed, None)
    assert proof_kinds.due(EntryKind.DIFFERENCE, moved, before, of, None) == moved


def test_what_is_not_listed_is_refused() -> None:
    allowed = {
        ("open", "adjust"): "open", ("open", "transfer"): "open", ("open", "back_out"): "open",
        ("open", "suspend"): "suspended", ("open", "retire"): "retired",
        ("suspended", "adjust"): "suspended", ("suspended", "transfer"): "suspended",
        ("suspended", "back_out"): "suspended", ("suspended", "resume"): "open", ("suspended", "retire"): "retired",
        ("retired", "adjust"): "retired", ("retired", "transfer"): "retired", ("retired", "back_out"): "retired",
        ("open", "difference"): "open", ("suspended", "difference"): "suspended", ("retired", "difference"): "retired",
        **{(state, "underpayment"): state for state in ("open", "suspended", "retired")},
    }  # fmt: skip
    for state in ("open", "suspended", "retired"):
        for act in Adjusting:
            assert jackpot_state_after(state, act) == allowed.get((state, act.value)), (state, act)


def test_every_act_has_its_reasons_in_words() -> None:
    assert set(GROUNDS_OF) == set(Adjusting)
    assert {code for codes in GROUNDS_OF.values() for code in codes} == set(GROUNDS)


@pytest.mark.parametrize(("house", "meter", "most"), [
    ("10000.00", "12000.00", "10000.00"), ("4000.00", "12000.00", "4000.00"), ("10000.00", "300.00", "300.00"),
    ("25000.00", "30000.00", "10000.00"), ("0.00", "12000.00", "0.00"),
])  # fmt: skip
def test_the_house_takes_back_no_more_than_a_seed_nor_than_it_has_in(house: str, meter: str, most: str) -> None:
    balances = Balances(
        meter=Money.of(meter).units, house=-Money.of(house).units, outside=Money.of(house).units - Money.of(meter).units
    )
    assert text_of_units(recoverable(balances, terms())) == most


def test_odds_are_the_same_by_their_lines_whatever_the_table_is_called() -> None:
    assert same_odds(terms(), terms(pay_table=a_pay_table(code="renamed"), seed="500.00", rate="60")) is None
    assert same_odds(terms(), terms(pay_table=a_pay_table(source="meter"))) == "their pay tables differ"


def test_thirty_days_are_counted_from_the_gaming_day() -> None:
    assert transfer_by(date(2026, 11, 18)) == date(2026, 12, 18)


@pytest.mark.parametrize("account", ["meter", "reserve", "house"])
@pytest.mark.parametrize("pays", [True, False])
@pytest.mark.parametrize("act", Adjusting)
def test_what_moves_the_meter_waits_for_open_hits(act: Adjusting, pays: bool, account: str) -> None:
    if act in (Adjusting.DIFFERENCE, Adjusting.UNDERPAYMENT):
        assert waits_for_hits(act, account, pays) is (pays and account == "meter")
    else:
        moves_always = act in (Adjusting.ADJUST, Adjusting.TRANSFER, Adjusting.RETIRE, Adjusting.BACK_OUT)
        assert waits_for_hits(act, account, pays) is moves_always


def test_a_transfer_sends_a_part_of_the_meter_or_everything() -> None:
    before = Balances(meter=500, reserve=40, overflow=3, outside=-543)
    assert sent(120, before) == Movement(meter=-120, outside=120)
    assert sent(0, before) == Movement()
    assert sent(None, before) == Movement(meter=-500, reserve=-40, overflow=-3, outside=543)


@pytest.mark.parametrize(("wager", "digits", "same"), [
    ("1.00", 2, True), ("2.00", 2, False), ("1.00", 3, False), ("2.00", 3, False),
])  # fmt: skip
def test_the_same_odds_take_the_same_wager_in_the_same_money(wager: str, digits: int, same: bool) -> None:
    assert (same_odds(terms(), terms(wager=wager, digits=digits)) is None) is same
