"""What a setting comes to in the long run, by play."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from jackpot.laboratory.answer import Question, answer
from jackpot.laboratory.growth import return_at
from jackpot.laboratory.lives import Play
from jackpot.laboratory.long_run import Estimate, LongRun, long_run, ratio, top_hits_to_play
from jackpot.laboratory.outcomes import Outcomes, independent
from jackpot.laboratory.setting import LabSetting
from jackpot.laboratory.simulate import play
from jackpot.money import Money
from jackpot.terms.rules.paytable import PayTable
from jackpot.terms.rules.policy import Policy
from tests.jackpot.laboratory.scene import KNOWN, SHARED, SMALL, SMALL_TABLE, setting

ENVIED = PayTable("E", (replace(SMALL_TABLE.lines[0], envy=Money.of("5.00")), SMALL_TABLE.lines[1]))


def small(**changed: Any) -> LabSetting:
    return replace(setting(table=SMALL_TABLE, seed="40", rate="0.45", reserve="0.05"), **changed)


def run(one: LabSetting, outcomes: Outcomes = SHARED, seats: int = 2, lives: int = 4_000) -> LongRun:
    played = play(one, outcomes, Play(seats, 1, top_hits_to_play(one, outcomes, seats)), paths=lives, seed=8)
    return long_run(one, outcomes, seats=seats, played=played)


SETTINGS = {
    "as it is": small(),
    "a low rate": small(rate=Fraction(1, 10)),
    "no rate at all": small(rate=Fraction(0), reserve_rate=Fraction(0)),
    "a limit": small(limit=Money.of("60.00")),
    "revenue above the limit": small(limit=Money.of("60.00"), policy=Policy(overflow="revenue")),
    "all overflow returns": small(limit=Money.of("60.00"), policy=Policy(overflow_at_reset="all")),
    "the house pays first": small(policy=Policy(shortfall="house")),
    "a dry meter begins anew": small(policy=Policy(dry_meter="restart"), repay_rate=Fraction(1, 2)),
    "envy": small(table=ENVIED),
    "an aggregate": small(aggregate=Money.of("15.00")),
    "from the tray": small(table=SMALL_TABLE.paid_from("tray")),
}


@pytest.mark.parametrize("name", SETTINGS)
def test_return_at_the_long_run_meter_edge_and_overflow_are_the_whole_chip(name: str) -> None:
    one = SETTINGS[name]
    asked = Question(2, 100, 4, (Money.of("50"),), paths=500)
    told = answer(one, SHARED, asked)
    back = 1.0 * return_at(one, SHARED, Fraction(told["long_run_meter"]["mean"]), 2)
    assert back + told["house_edge_long_run"]["mean"] + told["overflow"]["mean"] == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize("name", SETTINGS)
def test_what_players_are_paid_in_a_long_play_is_one_less_the_edge(name: str) -> None:
    """Coin by coin from the books: what went in and was not the house's, over many lives one after the other."""
    one, told = SETTINGS[name], run(SETTINGS[name])
    assert told.meter is not None
    assert told.house_pays is not None
    seen = play(one, SHARED, Play(2, 60_000), paths=150, seed=77)
    paid = seen.house / (2.0 * 60_000)
    error = paid.std() / 150**0.5
    bound = 4 * (error + told.house_pays.standard_error) + 0.002
    assert abs(paid.mean() - told.house_pays.mean) < bound


def test_without_fixed_awards_from_the_meter_and_without_a_limit_all_is_exact() -> None:
    told = run(setting("tray", table=SMALL_TABLE, seed="200"), lives=2)
    assert (told.lives, told.house_pays) == (0, Estimate(0.0))
    assert told.meter is not None
    assert told.meter.plain()["how"] == "exact"


def test_a_limit_keeps_the_mean_meter_below_it() -> None:
    """The reviewers' case: a meter that never stood above 25,000 was told as 71,127.94."""
    told = run(setting(limit="25000"), KNOWN, seats=7, lives=300)
    assert told.meter is not None
    assert told.first_meter is not None
    assert told.first_meter.mean < told.meter.mean < 25_000
    assert told.meter.standard_error > 0


def test_lifted_rows_take_more_and_leave_a_lower_meter() -> None:
    lifted = replace(setting(), policy=Policy(row="never_less"))
    assert top_hits_to_play(lifted, KNOWN, 7) > 0
    plain, more = (run(one, KNOWN, seats=7, lives=300).first_meter for one in (setting(), lifted))
    assert plain is not None
    assert more is not None
    assert more.mean < plain.mean - 3 * more.standard_error


def test_nothing_seen_is_never_told_as_certain() -> None:
    nothing = np.zeros(100)
    assert ratio(nothing, np.full(100, 50.0), least=10.0) == Estimate(0.0, 10.0 / 5000)


def test_the_errors_are_those_that_other_dice_show() -> None:
    one = small()
    found = []
    for seed in range(40):
        played = play(one, SMALL, Play(2, 1, 2), paths=200, seed=seed)
        told = long_run(one, SMALL, seats=2, played=played)
        assert told.house_pays is not None
        found.append(told.house_pays)
    spread = np.std([figure.mean for figure in found])
    assert np.mean([figure.standard_error for figure in found]) == pytest.approx(spread, rel=0.4)


def test_a_meter_that_is_won_too_rarely_is_not_played_for_ever() -> None:
    rare = independent(("ALL", "TEN"), (Fraction(1, 10**12), Fraction(1, 25)))
    told = run(small(), rare, lives=2)
    assert (told.meter, told.house_pays) == (None, None)


def test_what_an_answer_leaves_out_is_said_in_words() -> None:
    asked = Question(2, 100, 4, (Money.of("50"),), paths=60)
    said = {name: " ".join(answer(one, SHARED, asked)["leaves_out"]) for name, one in SETTINGS.items()}
    assert all("Every hit is paid in the round it falls in" in words for words in said.values())
    assert "waits in overflow" in said["a limit"]
    assert "waits in overflow" not in said["revenue above the limit"]
    assert "as if all of them had a coin-in" in said["envy"]
    assert "aggregate" in said["an aggregate"]
    never = answer(small(table=PayTable("T", SMALL_TABLE.lines[1:])), SMALL, asked)
    assert "no line pays the whole meter" in " ".join(never["leaves_out"])
