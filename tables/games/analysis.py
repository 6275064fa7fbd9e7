"""The figures of every pay table of a game, from memory where they are known."""

from fractions import Fraction
from pathlib import Path

from jackpot.money import Money
from tables.games.cache import remembered
from tables.games.edge import Analysis, analyse
from tables.games.game import Game, Progress
from tables.games.packs import BetTable


def line_chances(
    game: Game, table: BetTable, folder: Path | None = None, progress: Progress | None = None
) -> tuple[Fraction, ...]:
    """The exact chance of each line, calculated once and kept in the folder."""
    return remembered(
        folder,
        f"{game.code}-{table.bet}-{table.code}",
        table.digest,
        calculate=lambda: game.chances(table, progress, folder),
        plain=lambda chances: [str(chance) for chance in chances],
        from_plain=lambda texts: tuple(Fraction(text) for text in texts),
    )


def analyse_table(
    game: Game,
    table: BetTable,
    *,
    meter: Money | None = None,
    wager: Money | None = None,
    folder: Path | None = None,
    progress: Progress | None = None,
) -> Analysis:
    """The exact analysis of one table; parts of a meter need the meter and the wager."""
    return analyse(table, line_chances(game, table, folder, progress), meter, wager)
