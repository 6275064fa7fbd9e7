"""The arithmetic of a measurement."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proving.bench.figures import (
    Better,
    FigureQuestion,
    FigureVerdict,
    Window,
    answered,
    percentile,
    rate_ratio,
    verdict,
)

OURS, THEIRS = "ours", "theirs"
FASTER = rate_ratio(OURS, THEIRS, "ours / theirs", aim=40, floor=15)


def a_window(events: int = 1000, seconds: float = 2.0, foreign: float = 0.0, cpu: float = 0.1) -> Window:
    return Window(events, seconds, python_cpu=cpu, database_cpu=cpu / 2, foreign=foreign)


def a_round(ours: int, theirs: int, foreign: float = 0.0) -> dict[str, Window]:
    return {OURS: a_window(ours, foreign=foreign), THEIRS: a_window(theirs)}


def test_a_ratio_is_the_median_of_rounds_and_not_of_separate_medians() -> None:
    line = answered(FASTER, [a_round(100, 10), a_round(60, 2), a_round(90, 3)])
    assert (line.ratio_median, line.ratio_min, line.ratio_max) == (30, 10, 30)


def test_windows_of_different_length_are_compared_by_their_rates() -> None:
    rounds = [{OURS: a_window(3000, seconds=3.0), THEIRS: a_window(100, seconds=2.0)}] * 3
    assert answered(FASTER, rounds).ratio_median == 20


def test_a_round_with_foreign_load_in_either_window_is_dropped_and_counted() -> None:
    noisy = {OURS: a_window(9000), THEIRS: a_window(10, foreign=0.36)}
    line = answered(FASTER, [a_round(200, 10), a_round(210, 10), a_round(220, 10), noisy])
    assert (line.good_rounds, line.dropped_rounds, line.ratio_median) == (3, 1, 21)


def test_load_just_at_the_limit_still_counts() -> None:
    assert a_window(foreign=0.35).is_quiet
    assert not a_window(foreign=0.3501).is_quiet


def test_fewer_than_three_good_rounds_are_inconclusive_however_good() -> None:
    line = answered(FASTER, [a_round(9000, 10), a_round(9000, 10), a_round(9000, 10, foreign=1.0)])
    assert line.verdict == "inconclusive"


def test_without_a_good_round_there_is_no_figure_but_the_noisy_hint_stays() -> None:
    line = answered(FASTER, [a_round(400, 10, foreign=1.0)] * 4)
    assert (line.ratio_median, line.noisy_median, line.good_rounds) == (None, 40, 0)


def test_a_smoke_is_never_judged() -> None:
    assert answered(FASTER, [a_round(1, 10)] * 3, judged=False).verdict == "not judged"


@pytest.mark.parametrize(
    ("found", "expected"),
    [(40, FigureVerdict.AIM), (39.9, FigureVerdict.FLOOR), (15, FigureVerdict.FLOOR), (14.9, FigureVerdict.BELOW)],
)
def test_more_is_better_where_rates_are_compared(found: float, expected: FigureVerdict) -> None:
    assert verdict(FASTER, [found] * 3) is expected


@pytest.mark.parametrize(
    ("found", "expected"),
    [(140, FigureVerdict.AIM), (141, FigureVerdict.FLOOR), (240, FigureVerdict.FLOOR), (241, FigureVerdict.BELOW)],
)
def test_less_is_better_where_cost_is_compared(found: float, expected: FigureVerdict) -> None:
    cost = FigureQuestion("cost", (OURS,), lambda window: window.server_us, 140, 240, Better.LOWER, "µs")
    assert verdict(cost, [found] * 3) is expected


def test_server_cost_counts_python_and_postgresql() -> None:
    assert a_window(events=1000, cpu=0.1).server_us == pytest.approx(150)


@given(st.lists(st.integers(0, 1000), min_size=1), st.floats(0.01, 1.0))
def test_a_percentile_is_one_of_the_values_and_covers_its_part(values: list[int], part: float) -> None:
    found = percentile(values, part)
    assert found in values
    assert sum(value <= found for value in values) >= part * len(values)
