"""The exact chances of every pay table of a game, from memory where they are known."""

from fractions import Fraction
from pathlib import Path

from tables.games.cache import remembered
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
