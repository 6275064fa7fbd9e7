"""Rounds, gates and what is kept of them."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from proving.bench.figures import Window, answered, rate_ratio
from proving.bench.machine import facts
from proving.bench.pgbench import rate_in
from proving.bench.results import Result, keep, shown
from proving.bench.rounds import MeasurePlan, order, play, summary
from proving.gates import Acknowledged, equal
from proving.house import NotCarriedOut

PGBENCH = (
    "latency average = 0.775 ms\ninitial connection time = 3.2 ms\ntps = 5161.23 (without initial connection time)\n"
)


def test_every_second_round_goes_backwards() -> None:
    seen: list[str] = []

    def contender(name: str) -> Window:
        seen.append(name)
        return Window(10, 1.0)

    play({name: lambda name=name: contender(name) for name in "ABC"}, 3, lambda number: seen.append("|"))  # type: ignore[misc]
    assert "".join(seen) == "|ABC|CBA|ABC"


def test_the_order_of_a_round_never_loses_anybody() -> None:
    assert sorted(order(["A", "B", "C"], 1)) == ["A", "B", "C"]


def test_a_smoke_is_one_short_round() -> None:
    assert MeasurePlan.of(6, smoke=True) == MeasurePlan(1, 0.1, 0.5, smoke=True)
    assert MeasurePlan.of(9, smoke=False).rounds == 9


def test_pgbench_without_a_rate_is_a_failure_and_not_zero() -> None:
    assert rate_in(PGBENCH) == 5161.23
    with pytest.raises(NotCarriedOut, match="no rate"):
        rate_in("", "pgbench: error: client 0 aborted")
    with pytest.raises(NotCarriedOut):
        rate_in(PGBENCH, "client 3 aborted in command 1")


def test_a_gate_holds_only_for_exactly_what_was_expected() -> None:
    assert equal("rows", 117, 117).holds
    assert not equal("rows", 117, 118).holds


def test_a_message_without_an_answer_is_remembered_over_all_windows() -> None:
    told = Acknowledged()
    window = {"all_coin_ins": 5, "all_ends": 5, "refused": 0, "lost": 1, "unfinished": 2, "first_refusal": "gone"}
    told.add(window)
    told.add(window | {"first_refusal": "later"})
    assert (told.coin_ins, told.lost, told.why) == (10, 6, "gone")


def a_result() -> Result:
    rounds = [{"ours": Window(400, 1.0), "theirs": Window(10, 1.0)}] * 3
    lines = [answered(rate_ratio("ours", "theirs", "ours / theirs", 40, 15), rounds)]
    gates = [equal("rows", 1, 1), equal("meter", "2.00", "1.99")]
    return Result("coin-in", MeasurePlan(3), {"cores": 2}, lines, gates, [summary("ours", rounds)], rounds)


def test_what_is_kept_has_for_every_line_what_a_reader_needs(tmp_path: Path) -> None:
    kept = keep(a_result(), tmp_path)
    assert kept.name == f"{datetime.now(UTC).date().isoformat()}-coin-in.json"
    line = json.loads(kept.read_text())["lines"][0]
    wanted = {"name", "ratio_median", "ratio_min", "ratio_max", "good_rounds", "aim", "floor"}
    assert wanted <= line.keys()
    assert (line["ratio_median"], line["verdict"]) == (40, "aim reached")


def test_a_broken_gate_is_found_among_those_that_hold() -> None:
    assert [broken.name for broken in a_result().broken_gates] == ["meter"]


def test_the_machine_is_told_without_its_name_or_a_path(tmp_path: Path) -> None:
    told = facts("18.4", tmp_path)
    assert {"cores", "memory_gib", "python", "postgresql"} <= told.keys()
    assert "/" not in str(told.values())


@pytest.mark.parametrize(("figure", "text"), [(None, "–"), (0.2345, "0.234"), (41.26, "41.3"), (224_878.0, "224,878")])
def test_figures_are_shown_with_what_matters(figure: float | None, text: str) -> None:
    assert shown(figure) == text
