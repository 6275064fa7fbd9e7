"""What a dealer may look up at the table: the steps of this shuffler, what goes wrong and its cure, the words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tables.floor.models.table import Table
from tables.games.game import NotInThisGame
from tables.games.procedure import Irregularity, ProcedureStep
from tables.games.registry import part_of_game

HOUSE = "house"


@dataclass(frozen=True, slots=True)
class Way:
    """The steps of a round by one shuffler and bank."""

    title: str
    steps: tuple[ProcedureStep, ...]


@dataclass(frozen=True, slots=True)
class Help:
    """The pages of a game's book that a dealer turns to."""

    ways: tuple[Way, ...]
    irregularities: tuple[Irregularity, ...]
    words: tuple[tuple[str, str, str], ...]


def help_for(table: Table) -> Help | None:
    """The book of the table's game, opened at its shuffler; at every shuffler where the table names none of them."""
    try:
        named = part_of_game(table.game, "procedure").procedures().shufflers
    except NotInThisGame:
        return None
    return help_with(table.game, [table.shuffler] if table.shuffler in named else list(named), table.bank or HOUSE)


def help_with(game: str, shufflers: Sequence[str], bank: str) -> Help:
    """The same for these shufflers and this bank."""
    printed = part_of_game(game, "procedure")
    book = printed.procedures()
    ways = tuple(
        Way(f"{book.shufflers[shuffler]}. {book.banks[bank]}", book.steps_of(shuffler, bank)) for shuffler in shufflers
    )
    return Help(ways, book.irregularities, printed.glossary())
