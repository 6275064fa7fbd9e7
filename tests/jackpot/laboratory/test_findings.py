"""What a preview must say of a setting before anybody signs it."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from jackpot.laboratory.findings import find
from jackpot.laboratory.setting import LabSetting
from jackpot.money import Money
from jackpot.terms.rules.paytable import ForOne, PartOfMeter, PayLine, PayTable, Source
from tests.jackpot.laboratory.scene import KNOWN, TABLE, setting

ROYAL = PayLine("ROYAL5", "Royal", PartOfMeter(Fraction(1)))


PLAYED: dict[str, Any] = {
    "long_run_meter": {"mean": 61_000.0, "standard_error": 10.0},
    "house_pays": {"mean": 0.0, "standard_error": 0.0001},
    "house_edge_long_run": {"mean": 0.2, "standard_error": 0.0001},
    "overflow": {"mean": 0.0, "standard_error": 0.0},
    "seats_run_dry": {"chance": 0.125, "standard_error": 0.01, "paths": 1000},
}


def found(looked_at: LabSetting, seats: int = 7, **told: Any) -> dict[str, dict[str, str]]:
    return {finding["code"]: finding for finding in find(looked_at, KNOWN, {**PLAYED, **told}, seats)}


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


def test_players_win_at_the_long_run_mean_not_at_that_of_a_first_life() -> None:
    dear = {"long_run_meter": {"mean": 200_000.0, "standard_error": 10.0}}
    assert "200,000.00 a player is paid back" in found(setting(), **dear)["players_win_at_mean"]["why"]
    assert "players_win_at_mean" not in found(setting())


def test_envy_is_told_with_what_it_costs() -> None:
    """Six others at a full table: 6 × 1,000 / 649,740."""
    envied = replace(setting("tray", rate="0.25"), table=envy_on_top("tray"))
    assert found(envied)["envy"]["why"] == "Envy pays the other seats 0.92 % of each chip at 7 seats."
    assert "envy" not in found(envied, seats=1)
    assert "envy" not in found(setting())


def envy_on_top(source: Source) -> PayTable:
    first, *others = TABLE.paid_from(source).lines
    return PayTable("E", (replace(first, envy=Money.of("1000")), *others))


def test_what_the_house_pays_for_a_dry_meter_is_a_warning_with_its_error() -> None:
    told = {
        "house_pays": {"mean": 0.1379, "standard_error": 0.0001},
        "house_edge_long_run": {"mean": 0.4967, "standard_error": 0.0001},
    }
    why = found(setting(rate="0.30"), **told)["house_pays"]["why"]
    assert "the house pays 13.79 % (± 0.01) of each chip" in why
    assert "49.67 % (± 0.01), not 63.46 %" in why
    assert "house_pays" not in found(setting(), house_pays={"mean": 0.0001, "standard_error": 0.0001})


def test_an_edge_that_shortfalls_eat_up_is_refused() -> None:
    told = {"house_edge_long_run": {"mean": -0.01, "standard_error": 0.001}}
    finding = found(setting(), **told)["house_loses"]
    assert (finding["weight"], "−1.00 % (± 0.10)" in finding["why"]) == ("refused", True)


def test_what_waits_in_overflow_is_a_warning() -> None:
    told = {"overflow": {"mean": 0.19, "standard_error": 0.001}}
    assert "19.00 % (± 0.10) of each chip" in found(setting(limit="25000"), **told)["overflow_waits"]["why"]


def test_what_could_not_be_counted_is_never_a_clean_preview() -> None:
    nothing = dict.fromkeys(["long_run_meter", "house_pays", "house_edge_long_run", "overflow"])
    assert found(setting(), **nothing)["not_counted"]["weight"] == "warning"


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
    weights = [finding["weight"] for finding in find(bad, KNOWN, PLAYED, 7)]
    assert weights == sorted(weights, key=["refused", "warning", "advice"].index)
