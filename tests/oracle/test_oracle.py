"""The house behind its doors, beside an oracle that shares nothing with it (docs/development.md: how to walk long)."""

from __future__ import annotations

import ast
import os
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.databases import TestServer
from tests.oracle.house import SWITCHES
from tests.oracle.scene import Scene, set_up
from tests.oracle.strolls import EVENING, play_again, shortened, stroll
from tests.oracle.walk import Disagreement, script_of

STEPS = int(os.environ.get("FAIRMETER_ORACLE_STEPS", "0"))  # per set of switches
SEED = int(os.environ.get("FAIRMETER_ORACLE_SEED", "1"))
SCRIPT = os.environ.get("FAIRMETER_ORACLE_SCRIPT", "")
SHORT = 60
SHORTLY = ("reference", "equal shares", "dry meter")  # the others are walked without doors: test_judgement_twin.py
HERE = Path(__file__).parent
ORACLE = ("sheet", "settling", "ledger", "floor", "counting", "lit_keys", "made_up", "acts", "wall", "doors", "house",
          "turns", "rests", "choose", "walk", "recorder", "wall_beside")  # fmt: skip
PRODUCT = {"jackpot", "tables", "accounting", "config", "django"}


@pytest.mark.race
@pytest.mark.timeout(7200 if STEPS else 600)
@pytest.mark.parametrize("switches", SWITCHES if STEPS or SCRIPT else SHORTLY)
def test_every_door_tells_the_story_that_the_rule_book_tells(
    switches: str, fresh_database: str, test_server: TestServer
) -> None:
    scene, tally = set_up(test_server, fresh_database, switches), Counter[str]()
    try:
        if SCRIPT:
            play_again(scene, switches, script_of(Path(SCRIPT).read_text(encoding="utf-8")))
        else:
            walk(scene, switches, tally)
    except Disagreement as found:
        told = found if SCRIPT else shortened(scene, switches, found)
        pytest.fail(f"{switches}, step {tally['steps']}: {told}", pytrace=False)
    sys.stdout.write(f"{switches}: {dict(sorted(tally.items()))}\n")  # shown by -rP


def walk(scene: Scene, switches: str, tally: Counter[str]) -> None:
    number, goal = 0, STEPS or SHORT
    while tally["steps"] < goal:
        number += 1
        stroll(scene, switches, f"{SEED}/{switches}/{number}", tally, min(EVENING, goal - tally["steps"]))


@pytest.mark.parametrize("module", ORACLE)
def test_the_oracle_shares_no_code_with_the_product(module: str) -> None:
    """Not by itself, and not through what it takes from beside it."""
    for node in ast.walk(ast.parse((HERE / f"{module}.py").read_text(encoding="utf-8"))):
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        names += [each.name for each in node.names] if isinstance(node, ast.Import) else []
        for name in names:
            assert name.partition(".")[0] not in PRODUCT, f"{module} takes {name} from the product"
            if name.startswith("tests"):
                assert name.removeprefix("tests.oracle.") in ORACLE, f"{module} takes {name}, which is not the oracle's"
