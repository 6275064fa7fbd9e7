"""Par sheets without their long counts: the whole game counted once and kept beside."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

from tables.games.registry import find_game
from tables.games.uth.base_game import lines_seal

HERE = Path(__file__).parent / "uth"
GAME = find_game("uth")
LINES = {
    "trips": [("flush", "Flush", "7 to 1"), ("straight", "Straight", "4 to 1")],
    "progressive": [("royal_first_5", "Royal on the flop", "100 %"), ("full_house", "Full house", "10 for 1")],
    "pairs": [("red_aces", "Red aces", "100 to 1"), ("aces", "Aces", "30 to 1"), ("pair", "Pair", "5 to 1")],
}


def whole_game() -> dict[str, Any]:
    """The answer of the long count, if it was counted for the Blind lines that stand today."""
    kept = json.loads((HERE / "whole_game.json").read_text())
    assert kept["digest"] == lines_seal(GAME.table("blind", "UTH-01")), "count it anew: the Blind's lines changed"
    answer: dict[str, Any] = kept["answer"]
    return answer


def long_counts_are_known(data: Path) -> None:
    """As a house has them that was asked before."""
    folder, seal = data / "games", lines_seal(GAME.table("blind", "UTH-01"))
    folder.mkdir(parents=True, exist_ok=True)
    for name, kept in (("whole-game", "whole_game.json"), ("base-game", "base_game.json")):
        assert json.loads((HERE / kept).read_text())["digest"] == seal
        (folder / f"uth-{name}-{seal[:16]}.json").write_text((HERE / kept).read_text())
    (folder / "census-7-of-52.json").write_text((HERE / "census.json").read_text())
    beaten = GAME.table("bad_beat", "BBB-01").digest
    assert json.loads((HERE / "bad_beat.json").read_text())["digest"] == beaten
    (folder / f"uth-bad_beat-BBB-01-{beaten[:16]}.json").write_text((HERE / "bad_beat.json").read_text())


def typed(bet: str, lines: Any = None, **changed: Any) -> dict[str, Any]:
    """An own table as a form sends it."""
    rows = [dict(zip(("hand", "name", "pays"), line, strict=True)) for line in lines or LINES[bet]]
    return {"bet": bet, "code": "HOUSE-01", "title": "Our own", "lines": rows, **changed}


def fraction(told: Any) -> Fraction:
    return Fraction(told["num"], told["den"])
