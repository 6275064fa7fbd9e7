"""The figures of every pay table of a game, from memory where they are known."""

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

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


def analysis_plain(analysis: Analysis) -> Mapping[str, Any]:
    """As pages and the API show it: exact fractions as text, percentages rounded once."""
    return {
        "bet": analysis.bet,
        "code": analysis.code,
        "digest": analysis.digest,
        "house_edge": str(analysis.house_edge),
        "house_edge_percent": analysis.edge_percent,
        "hit_frequency": str(analysis.hit_frequency),
        "standard_deviation": round(analysis.standard_deviation, 6),
        "lines": [
            {
                "hand": line.hand,
                "name": line.name,
                "pays": line.pays,
                "chance": str(line.chance),
                "returns": str(line.returns),
            }
            for line in analysis.lines
        ],
        "published": [
            {"what": one.what, "printed": one.printed, "reproduces": one.reproduces, "explanation": one.explanation}
            for one in analysis.published
        ],
    }
