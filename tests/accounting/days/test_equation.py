"""The equation of a jackpot, reckoned from rounds and wins: exact, or it is a difference."""

from __future__ import annotations

import pytest

from accounting.days.rules.equation import (
    AmountAdjusted,
    AwardBackedOut,
    AwardOnRecord,
    BooksEvent,
    ChipsTakenBack,
    CountedChips,
    DayEquation,
    EquationPart,
    Holdings,
    HouseAdvance,
    JackpotBegun,
    MoneySent,
    MoneyTaken,
    Reckoner,
)
from jackpot.money import Money
from jackpot.terms.rules.terms import Terms
from tests.builders import terms

REF = terms()


def units(amount: str) -> int:
    return Money.of(amount).units


def held(meter: str, reserve: str = "0", overflow: str = "0") -> Holdings:
    return Holdings(units(meter), units(reserve), units(overflow))


def equation(before: Holdings, after: Holdings, *events: BooksEvent) -> DayEquation:
    return Reckoner(before).walk(events).equation("GRAND", after)


def coin_in(chips: int, seq: int = 0, by: Terms = REF) -> CountedChips:
    return CountedChips(units(str(chips)), chips, by, seq)


def award(amount: str, by: Terms = REF, seq: int = 50, **told: str) -> AwardOnRecord:
    return AwardOnRecord(seq, units(amount), by, **{word: units(text) for word, text in told.items()})


def test_v1_and_v2_rates_of_17_33_percent_leave_no_difference() -> None:
    by = terms(rate="17.33", reserve_rate="0")
    assert equation(held("10000"), held("183300"), coin_in(1_000_000, by=by)).agrees
    assert equation(held("10000"), held("10000.5199"), coin_in(3, by=by)).agrees


def test_a_ten_thousandth_is_a_difference() -> None:
    found = equation(held("10000"), held("10000.5200"), coin_in(3, by=terms(rate="17.33", reserve_rate="0")))
    assert (found.agrees, found.variance.meter) == (False, units("0.0001"))


def test_v5_coin_ins_after_the_mark_build_the_next_meter() -> None:
    hit = award("20000.00", seed="10000.00", released="617.25")
    assert equation(held("20000.00", "617.25"), held("10619.35", "0.15"), coin_in(3), hit).agrees


@pytest.mark.parametrize("stretches", [[10], [1] * 10, [1, 6, 3]])
def test_v11_the_limit_sends_to_overflow_however_the_coin_ins_are_added_up(stretches: list[int]) -> None:
    by = terms(limit="25000.00")
    found = equation(held("24999.50"), held("25000.00", "0.50", "6.50"), *(coin_in(each, by=by) for each in stretches))
    assert found.agrees
    assert found.lines[EquationPart.OVERFLOW_TAKEN] == held("-6.50", "0", "6.50")


def test_v11_a_reset_below_the_limit_returns_what_was_taken() -> None:
    by = terms(limit="20001.00")
    hit = award("20000.00", by, seed="10000.00", released="617.25", returned="1.10")
    assert equation(held("20000.00", "617.25"), held("10619.35", "0.15"), coin_in(3, by=by), hit).agrees


def test_by_switch_overflow_is_revenue_and_held_by_nobody() -> None:
    by = terms(limit="25000.00", policy={"overflow": "revenue"})
    assert equation(held("25000.00"), held("25000.00", "0.50"), coin_in(10, by=by)).agrees


def test_a_void_takes_back_from_overflow_what_the_limit_had_sent_there() -> None:
    by = terms(limit="25000.00")
    undone = ChipsTakenBack(1, by)
    assert equation(held("24999.50"), held("24999.50"), coin_in(10, 1, by), undone).agrees


def test_a_tray_award_leaves_the_meter_alone() -> None:
    assert equation(held("10000"), held("10000"), award("0")).agrees


def test_v15_a_day_closes_at_20_201_15() -> None:
    events = [coin_in(2850), award("1012.25"), coin_in(1362), AmountAdjusted("meter", units("15.00"), REF)]
    found = equation(held("18250.00"), held("20201.15", "210.60"), *events)
    assert found.agrees
    assert found.lines[EquationPart.CONTRIBUTIONS].meter == units("2948.40")


def test_v17_a_whole_day_closes_at_85() -> None:
    events: list[BooksEvent] = [
        coin_in(2850), award("20245.00", seed="10000.00", released="542.50"),
        coin_in(5, seq=7), ChipsTakenBack(7, REF), coin_in(1357),
        *[award("3000.00")] * 3, award("3000.00", from_reserve="67.85", from_house="439.75"),
        coin_in(100), AmountAdjusted("meter", units("15.00"), REF),
    ]  # fmt: skip
    found = equation(held("18250.00", "400.00"), held("85.00", "5.00"), *events)
    assert found.agrees
    lines = found.lines
    net = lines[EquationPart.CONTRIBUTIONS].plus(lines[EquationPart.VOIDED])
    assert net.meter == units("3014.90")
    assert lines[EquationPart.MADE_GOOD] == held("507.60", "-67.85")


def test_a_void_on_a_dry_meter_is_made_good_by_the_reserve_and_then_the_house() -> None:
    """In whole cents: 0.70 and 0.05 were counted, 0.60 is left."""
    undone = ChipsTakenBack(7, REF)
    found = equation(held("0.30", "0.55"), held("0.00", "0.00"), coin_in(1, seq=7), award("1.00"), undone)
    assert found.agrees
    assert found.lines[EquationPart.MADE_GOOD] == held("0.70", "-0.55")


def test_v9_a_back_out_returns_meter_reserve_and_seed() -> None:
    hit = award("20000.00", seed="10000.00", released="617.25")
    found = equation(
        held("20000.00", "617.25"), held("20350.00", "642.25"), hit, coin_in(500), AwardBackedOut(50, 1, REF)
    )
    assert found.agrees
    assert found.lines[EquationPart.BACK_OUTS] == held("9382.75", "617.25")


def test_an_advance_is_repaid_round_by_round_and_never_beyond_what_is_owed() -> None:
    by = terms(seed="2.00", reserve_rate="0", policy={"dry_meter": "restart"}, repay_rate="50")
    rounds = [coin_in(5, seq, by) for seq in (2, 3)]
    found = equation(held("1.00"), held("7.00"), award("1.00", by), HouseAdvance(9, by), *rounds)
    assert found.agrees
    assert found.lines[EquationPart.REPAID].meter == -units("2.00")


def test_money_between_jackpots_stands_on_lines_of_its_own() -> None:
    sent = MoneySent(units("5.00"), units("1.00"), 0)
    assert equation(held("15", "1"), held("10", "0"), sent).lines[EquationPart.TRANSFERS_OUT] == held("-5", "-1")
    taken = MoneyTaken(sent, terms(limit="12.00", seed="10.00"))
    assert equation(held("10"), held("12", "1", "3"), taken).agrees


def test_a_first_day_begins_with_its_reading() -> None:
    found = equation(Holdings(), held("100.70", "5.05"), JackpotBegun(units("100"), units("5")), coin_in(1))
    assert found.agrees


def test_whatever_has_no_record_is_no_agreement() -> None:
    assert not Reckoner(Holdings()).equation("GRAND", Holdings(), ["Entry 7 names a win that is not there."]).agrees
