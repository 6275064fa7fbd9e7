"""All figures of one setting, and of two side by side."""

import json
from dataclasses import replace
from typing import Any

import pytest

from jackpot.laboratory.answer import Question, answer, side_by_side
from jackpot.laboratory.growth import NoSuchFigure
from jackpot.laboratory.ruin import LEAST_TOLD
from jackpot.money import Money
from jackpot.terms.rules.paytable import ForOne, PayLine, PayTable
from tests.jackpot.laboratory.scene import SHARED, SMALL, SMALL_TABLE, setting

ASKED = Question(seats=2, coin_ins_a_day=100, days=4, meters=(Money.of("50"), Money.of("500")), paths=60)
RICH = setting(table=SMALL_TABLE, seed="200")


@pytest.fixture(scope="module")
def answered() -> dict[str, Any]:
    return answer(RICH, SHARED, ASKED)


def test_an_answer_is_plain_enough_for_json(answered: dict[str, Any]) -> None:
    assert json.loads(json.dumps(answered)) == answered


def test_exact_figures_stay_fractions(answered: dict[str, Any]) -> None:
    assert (answered["house_edge"], answered["seed_cost"]) == ("-3/20", "2/5")
    assert answered["break_even_meter"] == "300"
    assert answered["at_meters"][0]["player_return"] == "1/2"


def test_the_fan_runs_from_the_seed_to_the_last_day(answered: dict[str, Any]) -> None:
    first, last = answered["fan"][0], answered["fan"][-1]
    assert (first["day"], first["quantiles"]) == (0.0, [200.0] * 5)
    assert last["day"] == 4.0


def test_the_worst_round_is_told_for_every_meter(answered: dict[str, Any]) -> None:
    assert [row["meter"] for row in answered["worst_rounds"]] == ["50.00", "500.00"]


def test_a_chance_by_simulation_has_its_error(answered: dict[str, Any]) -> None:
    assert answered["seats_run_dry"]["paths"] == 60
    assert answered["seats_run_dry"]["standard_error"] > 0


def test_a_table_without_parts_has_no_figures_that_need_them() -> None:
    fixed = setting(table=PayTable("F", (PayLine("TEN", "Ten", ForOne(10)),)), seed="200")
    plain = answer(fixed, SMALL, replace(ASKED, seats=1))
    assert (plain["break_even_meter"], plain["top_hit"], plain["worst_rounds"]) == (None, None, [])


def test_two_answers_stand_side_by_side_figure_by_figure(answered: dict[str, Any]) -> None:
    other = answer(replace(RICH, seed=Money.of("100")), SHARED, ASKED)
    rows = {name: (left, right) for name, left, right in side_by_side(answered, other)}
    assert rows["seed_cost"] == ("2/5", "1/5")
    assert rows["fan.1.quantiles.3"] == ("200.0", "100.0")


@pytest.mark.parametrize("wrong", [{"seats": 0}, {"days": 0}, {"coin_ins_a_day": 0}, {"paths": 1}, {"meters": ()}])
def test_a_question_about_nothing_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(NoSuchFigure, match="Ask with a seat"):
        replace(ASKED, **wrong)


@pytest.mark.parametrize(("seed", "told"), [("20", True), ("200", False), ("800", False)])
def test_of_a_chance_that_the_analysis_cannot_tell_only_the_bound_is_said(seed: str, told: bool) -> None:
    poor = setting(table=SMALL_TABLE, seed=seed, rate="0.50")
    answered = answer(poor, SMALL, replace(ASKED, seats=1))
    figure, bound = answered["one_bettor_runs_dry"], answered["one_bettor_runs_dry_under"]
    assert (figure is not None, bound) == (told, None if told else LEAST_TOLD)
    assert any("less likely than 0.0005" in words for words in answered["leaves_out"]) is not told


def test_where_nothing_draws_on_the_meter_running_dry_is_impossible_and_not_merely_unlikely() -> None:
    answered = answer(setting("tray", table=SMALL_TABLE, seed="20"), SMALL, replace(ASKED, seats=1))
    assert (answered["one_bettor_runs_dry"], answered["one_bettor_runs_dry_under"]) == (0.0, None)
