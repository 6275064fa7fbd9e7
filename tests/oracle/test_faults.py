"""Faults planted in the living product: the walk finds every one, soon enough to be of use."""

from __future__ import annotations

import os
import sys
from collections import Counter
from contextlib import nullcontext

import pytest
from websockets.exceptions import WebSocketException

from tests.databases import TestServer
from tests.oracle.faults import FAULTS, Fault, by_name
from tests.oracle.scene import Scene, set_up
from tests.oracle.strolls import BROKEN, EVENING, stroll

ALL = os.environ.get("FAIRMETER_ORACLE_FAULTS", "")  # "all" takes an hour, or some by their names; else a few soon
SOON = dict.fromkeys(
    (
        "envy is forgotten",
        "a recount keeps the old count",
        "nobody waits in the queue",
        "seven seats count as eight",
        "seats in the other order",
    ),
    "reference",
)
WITHIN = 2000
NOTHING, UNHURT = Fault("nothing", (), nullcontext), 450  # the same evenings without a fault: nothing may be found
LINE = (OSError, WebSocketException)  # what a fault may break, and a busy machine too


@pytest.mark.race
@pytest.mark.timeout(36000 if ALL else 600)
@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
@pytest.mark.parametrize("switches", sorted({each for fault in FAULTS for each in fault.switches[:1]} if ALL
                                            else set(SOON.values())))  # fmt: skip
def test_a_planted_fault_is_found(switches: str, fresh_database: str, test_server: TestServer) -> None:
    scene, late = set_up(test_server, fresh_database, switches), []
    planted = (
        [fault for fault in FAULTS if fault.switches[0] == switches and (ALL == "all" or fault.name in ALL.split("; "))]
        if ALL
        else map(by_name().get, SOON)
    )
    if ALL:
        assert not found_within(scene, switches, NOTHING, UNHURT)
    for fault in planted:
        assert fault is not None
        found = found_within(scene, switches, fault)
        sys.stdout.write(f"{fault.name}: {found or 'not found'}\n")  # shown by -rP
        sys.stdout.flush()
        late += [] if found else [fault.name]
    assert not late, f"not found within {WITHIN} steps: {late}"


def found_within(scene: Scene, switches: str, fault: Fault, within: int = WITHIN) -> str:
    """After how many steps, and by what. A line that broke has found nothing, unless it breaks there a second time."""
    steps = 0
    with fault.planted():
        while steps < within:
            walked, broken = an_evening(scene, switches, f"fault/{steps}")
            if isinstance(broken, LINE) and an_evening(scene, switches, f"fault/{steps}")[0] != walked:
                sys.stdout.write(f"{fault.name}: a line broke after {steps + walked} steps, and not again\n")
                broken = None
            steps += walked
            if broken is not None:
                return f"step {steps}, {type(broken).__name__}: {str(broken).partition(chr(10))[0][:160]}"
    return ""


def an_evening(scene: Scene, switches: str, seed: str) -> tuple[int, Exception | None]:
    """How many steps it came to, and what ended it before."""
    tally = Counter[str]()
    try:
        stroll(scene, switches, seed, tally, EVENING, proven=False)
    except BROKEN as broken:
        return tally["steps"], broken
    return tally["steps"], None


def test_every_fault_has_a_name_of_its_own() -> None:
    assert len(by_name()) == len(FAULTS) >= 12


@pytest.mark.parametrize("name", by_name())
def test_every_fault_still_has_its_place(name: str) -> None:
    """A function that moved takes its fault along, or nobody looks for it any more."""
    with by_name()[name].planted():
        pass
