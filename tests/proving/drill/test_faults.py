"""What a drill of faults measures and judges; one short drill of a stuck lock, and a cluster's network where it may."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from proving.cluster.network import Network
from proving.drill.chosen import _some_of
from proving.drill.clock import drill_clock
from proving.drill.faults import (
    Fault,
    FaultsDrilled,
    Struck,
    back_in_time,
    every_table_plays,
    keep,
    lines_of,
    nothing_told_meanwhile,
    silence,
)
from proving.drill.journal import AcknowledgedCoinIn
from proving.drill.power import Disk
from proving.drill.strain import drill_strain
from proving.engines import NoEngine
from proving.house import NotCarriedOut


def said(*times: tuple[float, float]) -> list[AcknowledgedCoinIn]:
    return [AcknowledgedCoinIn(number, "1", sent, answered, False) for number, (sent, answered) in enumerate(times)]


def struck(within: float, waited: float, *, stands: bool = False, meanwhile: int = 0) -> FaultsDrilled:
    fault = Fault("the lights went out", within, lambda: 0.0, stands=stands)
    return FaultsDrilled("test", "a house", [Struck(fault, 0.0, 1.0, [0.1, waited], meanwhile)])


def test_a_silence_lasts_from_the_strike_over_the_longest_gap_until_play_goes_on_after_the_cure() -> None:
    told = said((0.9, 1.1), (1.1, 4.1), (4.1, 4.2), (9.0, 9.1), (9.1, 99.0))
    assert silence(told, since=1.0, cured_at=3.0) == pytest.approx(3.0)
    assert silence(told, since=1.0, cured_at=8.0) == pytest.approx(4.9)
    assert silence(said((0.5, 0.6)), since=1.0, cured_at=3.0) == float("inf"), "it never played again"


def test_a_house_that_is_back_too_late_fails_its_gate() -> None:
    assert back_in_time(struck(within=5, waited=4.9)).holds
    late = back_in_time(struck(within=5, waited=5.1))
    assert late.against == ["the lights went out: a table waited 5.1 s, stated are 5 s"]


def test_what_is_acknowledged_while_nothing_can_be_kept_fails_its_gate() -> None:
    assert nothing_told_meanwhile(struck(5, 1, stands=True)).holds
    assert not nothing_told_meanwhile(struck(5, 1, stands=True, meanwhile=1)).holds


def test_figures_are_kept_and_the_verdict_names_the_gates(tmp_path: Path) -> None:
    drilled = struck(within=5, waited=6)
    drilled.gates = [back_in_time(drilled)]
    told = json.loads(keep(drilled, tmp_path).read_text())
    assert (told["holds"], told["faults"][0]["longest"], told["gates"][0]["looked_at"]) == (False, 6, 1)
    assert list(lines_of(drilled))[-1] == "FAILED: 1 of 1 gates after 1 faults; the house is a house."


def test_a_fault_that_nobody_knows_is_named() -> None:
    with pytest.raises(Exception, match="flod is none of: flood, deaf"):
        _some_of(("flood", "deaf"))("deaf,flod")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may mount")
def test_a_power_cut_says_that_it_needs_root() -> None:
    with pytest.raises(NotCarriedOut, match="root"):
        Disk()


REACHED = "import socket, sys; socket.create_connection((sys.argv[1], 7), timeout=2)"
WAITS = "import socket, sys; s = socket.create_server((sys.argv[1], 7)); print('open', flush=True); sys.stdin.read()"


def test_machines_hear_each_other_until_a_link_is_cut() -> None:
    network = Network(["one", "two"])
    if not network.can_cut:
        assert network.addresses == {"one": "127.0.0.11", "two": "127.0.0.12"}
        return

    def reached() -> bool:
        asks = network.on("two", [sys.executable, "-c", REACHED, network.addresses["one"]])
        return subprocess.run(asks, check=False, capture_output=True).returncode == 0

    waits = network.on("one", [sys.executable, "-c", WAITS, network.addresses["one"]])
    try:
        network.open()
        with subprocess.Popen(
            waits, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, **network.mark("one")}
        ) as door:
            assert door.stdout is not None
            assert door.stdout.readline() == b"open\n"
            assert network.pids("one") == [door.pid]
            assert network.pids("two") == []
            assert reached()
            network.cut("one")
            assert not reached()
            network.heal("one")
            assert reached()
            network.signal("one", signal.SIGKILL)
            assert door.wait(10) == -signal.SIGKILL
    finally:
        network.close()


@pytest.mark.deep  # `.ci/run` plays it and a half-open line by `drill strain --short`
@pytest.mark.drill
def test_a_stuck_lock_and_a_deaf_sign_stop_nobody_for_longer_than_they_last() -> None:
    drilled = drill_strain(["lock", "deaf"], tables=4, seed=1, pause=1.0, say=lambda _: None)
    assert [gate.against for gate in drilled.gates if not gate.holds] == []
    assert drilled.acknowledged > 50


@pytest.mark.drill
@pytest.mark.deep  # half a minute; `drill clock` plays it
def test_a_clock_that_jumps_an_hour_stops_nobody_and_the_books_never_go_back() -> None:
    try:
        drilled = drill_clock(["ahead"], tables=4, seed=1, say=lambda _: None)
    except NoEngine as why:
        pytest.skip(str(why))
    late = "service is back within its stated time"  # a figure of a machine that does nothing else
    assert [gate.against for gate in drilled.gates if not gate.holds and gate.name != late] == []
    assert drilled.acknowledged > 20


def test_a_house_that_stands_for_ever_is_a_gate_and_its_figure_can_be_read(tmp_path: Path) -> None:
    drilled = struck(within=5, waited=float("inf"))
    assert every_table_plays(drilled).holds
    drilled.stuck = "Not every table plays again after 60 s."
    drilled.gates = [every_table_plays(drilled)]
    assert (drilled.holds, drilled.gates[0].against) == (False, ["Not every table plays again after 60 s."])
    kept = json.loads(keep(drilled, tmp_path).read_text(), parse_constant=pytest.fail)
    assert kept["faults"][0]["longest"] is None
