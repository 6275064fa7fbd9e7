"""What a preview must say of a setting before anybody signs it."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from jackpot.laboratory.findings import find
from jackpot.laboratory.growth import top_hit
from jackpot.laboratory.setting import Setting
from jackpot.money import Money
from jackpot.terms.rules.paytable import ForOne, PartOfMeter, PayLine, PayTable
from tests.jackpot.laboratory.scene import KNOWN, setting

ROYAL = PayLine("ROYAL5", "Royal", PartOfMeter(Fraction(1)))


def found(looked_at: Setting, seats: int = 7) -> dict[str, dict[str, str]]:
    hit = top_hit(looked_at, KNOWN, coin_ins_a_day=1000)
    told: dict[str, Any] = {
        "top_hit": {"mean_meter": 1.0 * hit.mean_meter},
        "seats_run_dry": {"chance": 0.125, "standard_error": 0.01, "paths": 1000},
    }
    return {finding["code"]: finding for finding in find(looked_at, KNOWN, told, seats)}


def table_of(**pays: Any) -> PayTable:
    lines = tuple(PayLine(code, code.title(), award) for code, award in pays.items())
    return PayTable("T", (ROYAL, *lines))


def test_the_reference_setting_loses_money_and_is_told_so() -> None:
    finding = found(setting("tray"))["house_loses"]
    assert finding["weight"] == "refused"
    assert "−26.73 %" in finding["why"]


def test_the_demo_setting_keeps_its_edge() -> None:
    assert "house_loses" not in found(setting("meter"))
    assert "house_loses" not in found(setting("tray", rate="0.25"))


@pytest.mark.parametrize(
    ("changed", "code", "words"),
    [
        ({"seed": Money.of(0)}, "seed_zero", "0.00"),
        ({"seed": Money.of(2999)}, "seed_below_award", "3,000.00"),
        ({"seed": Money.of(20_999)}, "seed_below_round", "21,000.00"),
        ({"reserve_rate": Fraction(0)}, "no_reserve", "bare seed"),
        ({"rate": Fraction(69, 100)}, "thin_meter", "12.5 % (± 1.0) of 1,000 lives"),
        ({"rate": Fraction(96, 100)}, "rates_over_100", "101.00 %"),
        ({"limit": Money.of(10_000)}, "limit_at_seed", "10,000.00"),
        ({"rate": Fraction(95, 100), "seed": Money.of(60_000)}, "players_win_at_mean", "more than the chip"),
    ],
)
def test_each_finding_names_its_figures(changed: dict[str, Any], code: str, words: str) -> None:
    assert words in found(replace(setting("meter"), **changed))[code]["why"]


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"seed": Money.of(3000)}, "seed_below_award"),
        ({"seed": Money.of(21_000)}, "seed_below_round"),
        ({"rate": Fraction(70, 100)}, "thin_meter"),
        ({"rate": Fraction(95, 100)}, "rates_over_100"),
        ({"limit": Money.of("10000.01")}, "limit_at_seed"),
    ],
)
def test_at_the_boundary_nothing_is_found(changed: dict[str, Any], code: str) -> None:
    assert code not in found(replace(setting("meter"), **changed))


def test_fixed_awards_from_the_tray_ask_less_of_the_seed() -> None:
    assert "seed_below_round" not in found(setting("tray", seed="3000"))


def test_a_reserve_as_the_only_seed_is_a_warning_of_its_own() -> None:
    assert found(setting(seed="0"))["reserve_is_seed"]["weight"] == "warning"
    assert "reserve_is_seed" not in found(setting(seed="0", reserve="0"))


def test_rows_that_cross_are_named_with_the_meter_where_they_do() -> None:
    crossed = setting("meter", table=table_of(ROYAL7=PartOfMeter(Fraction(1, 20)), SF=ForOne(250), FH=ForOne(10)))
    finding = found(crossed)["rows_cross"]
    assert finding["why"] == "Royal7 is rarer than sf but pays less while the meter is below 5,000.00."


def test_a_rarer_row_that_always_pays_less_is_named() -> None:
    crossed = setting("tray", table=table_of(QUADS=ForOne(5), FH=ForOne(10)))
    assert found(crossed)["rows_cross"]["why"] == "Quads is rarer than fh but pays less at every meter."


def test_rows_in_good_order_do_not_cross() -> None:
    assert "rows_cross" not in found(setting("tray", table=table_of(SF=ForOne(250), FH=ForOne(10))))


def test_the_gravest_come_first() -> None:
    bad = replace(setting("tray"), rate=Fraction(96, 100), reserve_rate=Fraction(0), limit=Money.of(1))
    weights = [finding["weight"] for finding in find(bad, KNOWN, {}, 7)]
    assert weights == sorted(weights, key=["refused", "warning", "advice"].index)
