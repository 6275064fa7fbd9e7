"""Pages start fast: finding, judging and settling need no numpy."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
ASK = """
import sys
from tables.games.registry import find_game
from tables.games.uth.collection import rule_set
from tables.games.uth.procedure import procedures
from tables.games.uth.settle import settle
from tables.games.uth import chances, outcomes, base_game
from jackpot.laboratory import exposure, growth, ruin, simulate
from tables.games.cards import parse_cards
from tables.games.game import TableCards
game = find_game("uth")
lying = TableCards(parse_cards("Ah Kh Qh As Kd"), {1: parse_cards("Jh Th")}, ())
game.verify(game.table("progressive", "PT01"), lying, 1)
print("numpy" in sys.modules)
"""


def test_numpy_is_brought_in_only_by_those_who_calculate() -> None:
    asked = subprocess.run([sys.executable, "-c", ASK], cwd=ROOT, capture_output=True, text=True, check=True)
    assert asked.stdout.strip() == "False"
