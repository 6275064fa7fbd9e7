"""The chance that a meter runs dry."""

import random
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

from jackpot.laboratory.growth import NoSuchFigure
from jackpot.laboratory.outcomes import independent
from jackpot.laboratory.ruin import DryChance, one_bettor_runs_dry, seats_run_dry
from jackpot.money import Money
from jackpot.terms.rules.paytable import PartOfMeter, PayLine, PayTable
from jackpot.terms.rules.policy import Policy
from tests.deep import edges
from tests.jackpot.laboratory.scene import KNOWN, SHARED, SMALL, SMALL_TABLE, setting

SMALL_SETTING = setting(table=SMALL_TABLE, seed="20", rate="0.50")


def coin_by_coin(start: float, lives: int) -> float:
    """The small game by hand: how often it runs dry before its top hit."""
    dice, dry = random.Random(5), 0
    for _ in range(lives):
        meter = start
        while True:
            meter += 0.5
            fate = dice.random()
            if fate < 1 / 500:
                break
            if fate < 1 / 500 + 1 / 25:
                if meter < 10:
                    dry += 1
                    break
                meter -= 10
    return dry / lives


def error_of(chance: float, lives: int) -> float:
    return (chance * (1 - chance) / lives) ** 0.5


@pytest.mark.parametrize("start", ["0", "12.30", "20", "50"])
def test_the_analysis_finds_what_playing_coin_by_coin_finds(start: str) -> None:
    exact = one_bettor_runs_dry(SMALL_SETTING, SMALL, start=Money.of(start))
    played = coin_by_coin(float(start), 4_000)
    assert abs(exact - played) < 4 * error_of(exact, 4_000)


def test_the_simulation_finds_what_the_analysis_finds() -> None:
    exact = one_bettor_runs_dry(SMALL_SETTING, SMALL, start=Money.of("20"))
    found = seats_run_dry(SMALL_SETTING, SMALL, seats=1, rounds=100_000, paths=2_000, seed=3, until_top_hit=True)
    assert abs(found.chance - exact) < 4 * found.standard_error


def test_the_known_progressive_from_a_low_meter() -> None:
    exact = one_bettor_runs_dry(setting(), KNOWN, start=Money.of("100"))
    found = seats_run_dry(
        setting(), KNOWN, seats=1, rounds=50_000, paths=1_000, seed=3, start=Money.of("100"), until_top_hit=True
    )
    assert abs(found.chance - exact) < 4 * found.standard_error


def test_a_higher_start_runs_dry_less_often() -> None:
    chances = [one_bettor_runs_dry(SMALL_SETTING, SMALL, start=Money.of(start)) for start in ("10", "30", "90")]
    assert chances == sorted(chances, reverse=True)


def test_a_rate_below_what_is_paid_runs_dry_for_certain_if_no_top_hit_comes() -> None:
    poor = setting(table=PayTable("T", SMALL_TABLE.lines[1:]), rate="0.39")
    assert one_bettor_runs_dry(poor, SMALL, start=Money.of("10000")) == pytest.approx(1.0)


# By an independent simulation with proportional parts (held cases, per cent): all fixed awards from the meter.
HELD = [
    ("0.50", "25000", 14.5), ("0.50", "10000", 31.4), ("0.50", "5000", 48.8), ("0.50", "1000", 81.2),
    ("0.55", "10000", 0.0057),
]  # fmt: skip


@pytest.mark.parametrize(("rate", "seed", "percent"), HELD)
def test_the_analysis_gives_parts_their_share_of_what_there_is(rate: str, seed: str, percent: float) -> None:
    one = setting(rate=rate, seed=seed)
    found = one_bettor_runs_dry(one, KNOWN, start=one.seed)
    assert found is not None
    assert 100 * found == pytest.approx(percent, rel=0.02 if percent > 1 else 0.15)


FIFTH = PayTable(
    "P", (SMALL_TABLE.lines[0], PayLine("FIFTH", "Fifth", PartOfMeter(Fraction(1, 5))), *SMALL_TABLE.lines[1:])
)
PARTS = independent(("ALL", "FIFTH", "TEN"), (Fraction(1, 1000), Fraction(1, 60), Fraction(1, 25)))


ROWS = {"highest": "15", "never_less": "150"}  # each rate with either; what is across is deep


@pytest.mark.parametrize(
    ("rate", "row", "seed"),
    edges(product(["0", "0.38", "0.50", "1"], ROWS, ROWS.values()), lambda _, row, seed: ROWS[row] == seed),
)
def test_the_analysis_agrees_with_play_at_every_rate(rate: str, row: str, seed: str) -> None:
    """A fifth of the meter comes far more often than all of it; by switch it is never less than the ten."""
    one = replace(setting(table=FIFTH, rate=rate, seed=seed), policy=Policy(row=row))
    exact = one_bettor_runs_dry(one, PARTS, start=one.seed)
    assert exact is not None
    played = seats_run_dry(one, PARTS, seats=1, rounds=1, paths=2_000, seed=6, until_top_hit=True)
    assert abs(played.chance - exact) < 4 * played.standard_error + 0.005 * exact


def test_with_a_limit_no_analysis_is_claimed() -> None:
    assert one_bettor_runs_dry(setting(limit="25000"), KNOWN, start=Money.of("10000")) is None


def test_fixed_awards_from_the_tray_never_run_a_meter_dry() -> None:
    assert one_bettor_runs_dry(setting("tray", table=SMALL_TABLE), SMALL, start=Money.of("5")) == 0.0


def test_seats_that_share_a_board_run_dry_more_often_than_seats_that_do_not() -> None:
    found = [
        seats_run_dry(SMALL_SETTING, outcomes, seats=5, rounds=20_000, paths=800, seed=9, until_top_hit=True)
        for outcomes in (SMALL, SHARED)
    ]
    assert found[1].chance > found[0].chance + 4 * (found[0].standard_error + found[1].standard_error)


def test_the_same_seed_finds_the_same() -> None:
    one, two = (
        seats_run_dry(SMALL_SETTING, SHARED, seats=3, rounds=500, paths=100, seed=4, until_top_hit=True)
        for _ in range(2)
    )
    assert one == two


def test_a_standard_error_never_claims_certainty() -> None:
    assert DryChance(0, 100).standard_error > 0
    assert DryChance(100, 100).standard_error > 0
    assert DryChance(25, 100).standard_error == pytest.approx(0.0433, abs=1e-4)


@pytest.mark.parametrize(("seats", "rounds", "paths"), [(0, 10, 10), (1, 0, 10), (1, 10, 1)])
def test_a_simulation_of_nothing_is_refused(seats: int, rounds: int, paths: int) -> None:
    with pytest.raises(NoSuchFigure, match="needs a seat, a round and two paths"):
        seats_run_dry(SMALL_SETTING, SMALL, seats=seats, rounds=rounds, paths=paths, seed=1)
