"""What must be read on cloth and placard, from the pack: wagering areas and inscriptions with their printed line."""

from functools import cache

from tables.games.layout import LayoutMark, layout_marks
from tables.games.uth.collection import PACK


@cache
def marks() -> tuple[LayoutMark, ...]:
    return layout_marks(PACK.parent / "layout.toml")
