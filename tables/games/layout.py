"""Cloth and placard of a table as data: the marks that must be read there, and which of them a table needs."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tables.games.packs import PackRefused, read_toml


@dataclass(frozen=True, slots=True)
class LayoutMark:
    """One thing that a person looks for: where it is needed depends on the wagers offered and on who banks."""

    code: str
    item: str
    words: str
    source: str
    wager: str = ""
    bank: str = ""

    def belongs(self, item: str, wagers: Collection[str], bank: str) -> bool:
        return self.item == item and (not self.wager or self.wager in wagers) and (not self.bank or self.bank == bank)


def layout_marks(path: Path) -> tuple[LayoutMark, ...]:
    """All of a pack, or none: a wrong file is refused whole."""
    try:
        found = tuple(_mark(entry) for entry in read_toml(path)["mark"])
    except (KeyError, TypeError) as wrong:
        raise PackRefused(f"Pack {path.name} is refused whole: {wrong}.") from None
    codes = [mark.code for mark in found]
    if len(codes) != len(set(codes)):
        raise PackRefused(f"Pack {path.name} is refused whole: a mark stands twice.")
    return found


def _mark(entry: dict[str, Any]) -> LayoutMark:
    # An entry that a mark does not have is a TypeError here, by which the whole pack is refused.
    return LayoutMark(**entry)


def needed(
    marks: Iterable[LayoutMark], item: str, wagers: Collection[str], bank: str, most_games: int
) -> list[LayoutMark]:  # fmt: skip
    """The marks of one item of the checklist that this table needs, with the house's maximum in their words."""
    return [
        LayoutMark(mark.code, mark.item, mark.words.format(most_games=most_games), mark.source, mark.wager, mark.bank)
        for mark in marks
        if mark.belongs(item, wagers, bank)
    ]
