"""A table is remembered while nobody changes it, and each coin-in hears what the floor is at its moment.

Shortly in every run, and as long as FAIRMETER_FLOOR_STEPS says (docs/development.md).
"""

from __future__ import annotations

import os
import sys
from typing import Any

import pytest

from tables.rounds.models.round import Round
from tables.rounds.queries.prove import prove
from tests.races.floor_changes import heal
from tests.races.floor_faults import FAULTS
from tests.races.floor_walk import Disagreement, FloorWalk, watched_processes

STEPS = int(os.environ.get("FAIRMETER_FLOOR_STEPS", "0"))
SEED = int(os.environ.get("FAIRMETER_FLOOR_SEED", "1"))
SHORT, WITHIN = 250, 3_000
PLANTED = os.environ.get("FAIRMETER_FLOOR_FAULTS", "")


@pytest.mark.race
@pytest.mark.timeout(7200 if STEPS else 600)
def test_each_coin_in_hears_what_the_floor_is_at_its_moment(
    fresh_database: str, monkeypatch: pytest.MonkeyPatch, record_property: Any
) -> None:
    walk = walked(monkeypatch, SEED, STEPS or SHORT)
    record_property("reached", dict(walk.reached))
    told = {**walk.reached, **{f"the busy table {word}": times for word, times in walk.busy.told.items()}}
    sys.stdout.write(f"seed {SEED}: {dict(sorted(told.items()))}\n")  # shown by -rP
    assert walk.reached["counted out of memory"] > (STEPS or SHORT) // 20, "it was hardly ever remembered"
    verdict = prove()
    assert verdict.holds, verdict.plain()["findings"]


@pytest.mark.race
@pytest.mark.timeout(3600)
@pytest.mark.skipif(not PLANTED, reason="the walk finds planted faults where FAIRMETER_FLOOR_FAULTS is set")
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_of_memory_is_found(fault: str, fresh_database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        FAULTS[fault](patched)
        with pytest.raises(AssertionError) as found:
            walked(patched, SEED, WITHIN)
    step = found.value.step if isinstance(found.value, Disagreement) else WITHIN
    sys.stdout.write(f"{fault}: at step {step}, {str(found.value).splitlines()[:1]}\n")  # shown by -rP


def walked(monkeypatch: pytest.MonkeyPatch, seed: int, steps: int) -> FloorWalk:
    """A walk to its end: the busy table told the truth, and no round is missing."""
    with watched_processes(monkeypatch) as watched:
        walk = FloorWalk(seed, watched)
        try:
            walk.walk(steps)
            heal(walk.floor)
        finally:
            walk.close()
    walk.check_busy_table()
    for table in walk.floor.tables:
        numbers = list(Round.objects.filter(table=table).order_by("number").values_list("number", flat=True))
        assert numbers == list(range(1, len(numbers) + 1)), f"a round is missing at {table.code}"
    return walk
