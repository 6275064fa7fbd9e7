"""The laboratory without its long first sum: the outcomes of the published progressive come with the program."""

from __future__ import annotations

from pathlib import Path

from tables.games.registry import find_game
from tables.games.uth.outcomes import COUNTED


def outcomes_are_known(_: Path) -> None:
    """Counted from another pay table they would not be used, and a test would wait for minutes."""
    digest = find_game("uth").table("progressive", "PT01").digest
    assert (COUNTED / f"uth-outcomes-PT01-{digest[:16]}.json").exists(), "count them anew: manage.py lab"
