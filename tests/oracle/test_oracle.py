"""The house behind its doors, beside an oracle that shares nothing with it (docs/development.md tells how to walk long)."""

from __future__ import annotations

import os
import sys
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from tests.databases import TestServer
from tests.oracle.choose import Chooser
from tests.oracle.house import SWITCHES
from tests.oracle.scene import Scene, set_up
from tests.oracle.walk import Disagreement, Evening, script_of

STEPS = int(os.environ.get("FAIRMETER_ORACLE_STEPS", "0"))  # per set of switches
SEED = int(os.environ.get("FAIRMETER_ORACLE_SEED", "1"))
SCRIPT = os.environ.get("FAIRMETER_ORACLE_SCRIPT", "")
EVENING = 150
SHORT = 60


@pytest.mark.race
@pytest.mark.timeout(7200 if STEPS else 120)
@pytest.mark.parametrize("switches", SWITCHES)
def test_every_door_tells_the_story_that_the_rule_book_tells(
    switches: str, fresh_database: str, test_server: TestServer
) -> None:
    scene, tally = set_up(test_server, fresh_database, switches), Counter[str]()
    try:
        if SCRIPT:
            played(scene, switches, script_of(Path(SCRIPT).read_text(encoding="utf-8")))
        else:
            walk(scene, switches, tally)
    except Disagreement as found:
        pytest.fail(f"{switches}, step {tally['steps']}: {found}", pytrace=False)


def walk(scene: Scene, switches: str, tally: Counter[str]) -> None:
    number = 0
    while tally["steps"] < (STEPS or SHORT):
        number += 1
        walked(scene, switches, f"{SEED}/{switches}/{number}", tally, min(EVENING, (STEPS or SHORT) - tally["steps"]))
    sys.stdout.write(f"{switches}: {dict(sorted(tally.items()))}\n")  # shown by -rP


def walked(scene: Scene, switches: str, seed: str, tally: Counter[str], steps: int) -> None:
    with scene.evening() as house:
        evening = Evening(house, switches, tally)
        goal = tally["steps"] + steps
        for act in Chooser(evening.floor, Random(seed)).acts():
            evening.play(act)
            if tally["steps"] >= goal:
                break


def played(scene: Scene, switches: str, acts: list[dict[str, object]]) -> None:
    with scene.evening() as house:
        evening = Evening(house, switches)
        for act in acts:
            evening.play(act)
