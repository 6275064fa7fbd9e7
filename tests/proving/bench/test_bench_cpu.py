"""Whose CPU was it?"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from proving.bench.cpu import TICKS, Program, Usage, Used, busy_seconds, program_of, programs, tree_seconds
from tests.patience import until

STAT = "17 (a (odd) name) S 4 17 17 0 -1 4194560 100 0 0 0 300 200 50 25 20 0 1 0 1 1 1 1"


def a_use(busy: float, servers: float, ourselves: float, seconds: float = 2.0) -> Used:
    return Used(seconds, busy, ourselves, {"web": servers})


def test_a_program_is_read_with_its_buried_children_whatever_its_name() -> None:
    assert program_of(STAT) == Program(parent=4, seconds=575 / TICKS)


def test_a_tree_is_its_root_and_all_below_it_and_nobody_else() -> None:
    seen = {1: Program(0, 100), 5: Program(1, 1), 6: Program(5, 2), 7: Program(6, 4), 8: Program(1, 50)}
    assert tree_seconds([5], seen) == 7


def test_a_root_that_has_ended_has_used_nothing_more() -> None:
    assert tree_seconds([99], {1: Program(0, 100)}) == 0


def test_waiting_and_interrupts_are_no_programs_work() -> None:
    assert busy_seconds("cpu  100 10 200 9999 9999 77 88 5 0 0\ncpu0 1 1 1 1 1 1 1 1 0 0") == 315 / TICKS


def test_foreign_load_is_what_neither_servers_nor_client_nor_we_used() -> None:
    assert a_use(busy=3.5, servers=1.5, ourselves=0.2).foreign_cores(client_cpu=0.8) == pytest.approx(0.5)


def test_foreign_load_is_never_below_nothing() -> None:
    assert a_use(busy=1.0, servers=1.1, ourselves=0.0).foreign_cores() == 0


def test_a_busy_child_is_found_in_its_tree_and_not_in_the_foreign_load() -> None:
    spinning = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        first = Usage.now({"web": [spinning.pid]})

        def used_so_far() -> Used | None:
            used = Used.between(first, Usage.now({"web": [spinning.pid]}))
            return used if used.servers["web"] > 0.02 else None

        used = until(used_so_far)
    finally:
        spinning.kill()
        spinning.wait()
    assert used is not None
    assert used.servers["web"] <= used.seconds + 2 / TICKS


def test_our_own_process_is_seen() -> None:
    assert programs()[os.getpid()].parent == os.getppid()
