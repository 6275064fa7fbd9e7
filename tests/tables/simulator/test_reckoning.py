"""The equation of a jackpot, reckoned from rounds and wins: exact, or it is a difference."""

from __future__ import annotations

from decimal import Decimal

from tables.simulator.reckoning import CountedRound, Event, JackpotBalances, PaidAward, Rates, Sheet, VoidedRound

REF = Rates(Decimal("0.70"), Decimal("0.05"))


def sheet(
    before: tuple[str, str], after: tuple[str, str], *events: Event, overflow: tuple[str, str] = ("0", "0")
) -> Sheet:
    opened, closed = (
        JackpotBalances(0, Decimal(meter), Decimal(reserve), Decimal(over))
        for (meter, reserve), over in zip((before, after), overflow, strict=True)
    )
    return Sheet.reckoned("GRAND", opened, events, closed)


def coin_in(chips: str, seq: int = 1, rates: Rates = REF) -> CountedRound:
    return CountedRound(seq, Decimal(chips), rates)


def award(amount: str, rates: Rates = REF, **told: str) -> PaidAward:
    return PaidAward(Decimal(amount), rates, **{word: Decimal(text) for word, text in told.items()})


def test_v1_and_v2_rates_of_17_33_percent_leave_no_difference():
    rates = Rates(Decimal("0.1733"), Decimal(0))
    assert sheet(("10000", "0"), ("183300", "0"), coin_in("1000000", rates=rates)).agrees
    assert sheet(("10000", "0"), ("10000.5199", "0"), coin_in("3", rates=rates)).agrees


def test_a_ten_thousandth_is_a_difference():
    found = sheet(("10000", "0"), ("10000.5200", "0"), coin_in("3", rates=Rates(Decimal("0.1733"), Decimal(0))))
    assert (found.agrees, found.differences[0]) == (False, Decimal("0.0001"))


def test_v5_coin_ins_after_the_mark_build_the_next_meter():
    hit = award("20000.00", seed="10000.00", reserve_released="617.25")
    assert sheet(("20000.00", "617.25"), ("10619.35", "0.15"), coin_in("3"), hit).agrees


def test_v11_the_limit_sends_to_overflow_and_keeps_the_reserve():
    limited = Rates(REF.meter, REF.reserve, Decimal("25000.00"))
    found = sheet(
        ("24999.50", "0"), ("25000.00", "0.50"), coin_in("10", rates=limited), overflow=("0", "6.50")
    )  # fmt: skip
    assert found.agrees
    assert found.lines["overflow taken"] == (Decimal("-6.50"), 0)


def test_v11_a_reset_below_the_limit_returns_what_was_taken():
    limited = Rates(REF.meter, REF.reserve, Decimal("20001.00"))
    hit = award("20000.00", limited, seed="10000.00", reserve_released="617.25", overflow_returned="1.10")
    assert sheet(("20000.00", "617.25"), ("10619.35", "0.15"), coin_in("3", rates=limited), hit).agrees


def test_a_void_takes_back_from_overflow_what_the_limit_had_sent_there():
    limited = Rates(REF.meter, REF.reserve, Decimal("25000.00"))
    undone = VoidedRound(1, Decimal(10), limited)
    assert sheet(("24999.50", "0"), ("24999.50", "0"), coin_in("10", rates=limited), undone).agrees


def test_a_tray_award_leaves_the_meter_alone():
    assert sheet(("10000", "0"), ("10000", "0"), award("0")).agrees


def test_v17_a_whole_day_but_its_adjustment():
    events = [
        coin_in("2850"),
        award("20245.00", seed="10000.00", reserve_released="542.50"),
        coin_in("5", seq=7), VoidedRound(7, Decimal(5), REF),
        coin_in("1357"),
        *[award("3000.00")] * 3, award("3000.00", from_reserve="67.85", from_house="439.75"),
        coin_in("100"),
    ]  # fmt: skip
    found = sheet(("18250.00", "400.00"), ("70.00", "5.00"), *events)
    assert found.agrees
    assert found.lines["contributions"][0] + found.lines["voided"][0] == Decimal("3014.90")
    assert found.lines["made good"] == (Decimal("507.60"), Decimal("-67.85"))


def test_a_void_on_a_dry_meter_is_made_good_by_the_reserve_and_then_the_house():
    found = sheet(("1.00", "0.60"), ("0.00", "0.00"), award("1.00"), VoidedRound(99, Decimal(1), REF))
    assert found.agrees
    assert found.lines["made good"] == (Decimal("0.70"), Decimal("-0.55"))
