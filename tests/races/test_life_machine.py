"""The life machine walks: shortly in every run, and as long as FAIRMETER_LIFE_STEPS says (docs/development.md)."""

from __future__ import annotations

import math
import os
import sys
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.databases import TestServer
from tests.deep import often
from tests.races.life_scene import POLICIES, Evenings, House
from tests.races.life_whole import WholeLife

STEPS = int(os.environ.get("FAIRMETER_LIFE_STEPS", "0"))  # per set of switches, each time other ones
EVENING = 60 if STEPS else 20
OFTEN = os.environ.get("FAIRMETER_LIFE_OFTEN", "")  # the rule that a walk is for

for number in range(12 if OFTEN else 0):
    setattr(WholeLife, f"{OFTEN}_{number}", getattr(WholeLife, OFTEN))


@pytest.mark.race
@pytest.mark.timeout(7200 if STEPS else 600)
@pytest.mark.parametrize("policy", POLICIES)
def test_whatever_happens_to_wins_the_books_hold(
    policy: str, fresh_database: str, test_server: TestServer, record_property: Any
) -> None:
    WholeLife.house, WholeLife.evenings = House(policy), Evenings(test_server, fresh_database)
    WholeLife.reached.clear()
    known = type("KnownLife", (WholeLife,), {})  # a seed stays on its class; the evenings after these are other ones
    walk(seed(sorted(POLICIES).index(policy))(known), evenings=often(1, deep=4))
    while WholeLife.reached["steps"] < STEPS:
        walk(WholeLife, evenings=math.ceil((STEPS - WholeLife.reached["steps"]) / EVENING))
    record_property("reached", dict(WholeLife.reached))
    sys.stdout.write(f"{policy}: {dict(sorted(WholeLife.reached.items()))}\n")  # shown by -rP


def walk(machine: type[WholeLife], evenings: int) -> None:
    """One more, for Hypothesis begins with the simplest evening there is: its first rule again and again."""
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=evenings + 1, stateful_step_count=EVENING, deadline=None, database=None, print_blob=True,
            suppress_health_check=list(HealthCheck), phases=(Phase.generate,),
        ),
    )  # fmt: skip
