"""The laboratory without its long first sum: the outcomes of the demo's progressive, counted once and kept beside."""

from __future__ import annotations

import json
from pathlib import Path

from tables.games.registry import find_game

COUNTED = Path(__file__).parent / "outcomes.json"


def outcomes_are_known(data: Path) -> None:
    """As a house that was asked before has them. Counted from another pay table they are not used."""
    digest = json.loads(COUNTED.read_text())["digest"]
    assert digest == find_game("uth").table("progressive", "PT01").digest, "count them anew: manage.py lab"
    folder = data / "games"
    folder.mkdir(parents=True, exist_ok=True)
    kept = folder / f"uth-outcomes-PT01-{digest[:16]}.json"
    if not kept.exists():  # a calculation may be reading it just now
        draft = kept.with_suffix(".draft")
        draft.write_text(COUNTED.read_text())
        draft.rename(kept)
