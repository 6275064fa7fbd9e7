"""What a dealer may look up at the table: the steps of this shuffler, what goes wrong and its cure, the words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tables.floor.models.table import Table
from tables.games.game import NotInThisGame
from tables.games.procedure import Irregularity, ProcedureBook, ProcedureStep
from tables.games.registry import part_of_game

HOUSE = "house"


@dataclass(frozen=True, slots=True)
class Way:
    """The steps of a round by one shuffler and bank, each with the controller that it is kept to, if any."""

    title: str
    steps: tuple[tuple[ProcedureStep, str], ...]


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
    shufflers = [table.shuffler] if table.shuffler in named else list(named)
    return help_with(table.game, shufflers, [table.bank or HOUSE], table.profile)


def help_with(game: str, shufflers: Sequence[str], banks: Sequence[str], profile: str | None = None) -> Help:
    """The same for these shufflers and banks; without a controller profile the steps of each are there, and named."""
    printed = part_of_game(game, "procedure")
    book: ProcedureBook = printed.procedures()
    ways = tuple(
        Way(
            f"{book.banks[bank]}. {book.shufflers[shuffler]}",
            tuple((step, _kept_to(step, book, profile)) for step in book.steps_of(shuffler, bank, profile)),
        )
        for bank in banks
        for shuffler in shufflers
    )
    return Help(ways, book.irregularities, printed.glossary())


def _kept_to(step: ProcedureStep, book: ProcedureBook, profile: str | None) -> str:
    if profile is not None:
        return ""
    return "; ".join(book.profiles[name] for name in sorted(step.profiles))
