"""One table analysed, one hand judged: what tests of games ask of a game in one line."""

from __future__ import annotations

from jackpot.money import Money
from tables.games.analysis import line_chances
from tables.games.cards import parse_cards
from tables.games.edge import Analysis, analyse
from tables.games.game import Game, LineVerdict, TableCards
from tables.games.packs import BetTable


def analysed(game: Game, table: BetTable, *, meter: Money | None = None, wager: Money | None = None) -> Analysis:
    """Parts of a meter need the meter and the wager."""
    return analyse(table, line_chances(game, table), meter, wager)


def judged(game: Game, table: BetTable, cards: str) -> LineVerdict:
    """One seat's hole cards first, then the board in dealing order."""
    dealt = parse_cards(cards)
    hole, board = tuple(dealt[: game.hole_cards]), tuple(dealt[game.hole_cards :])
    return game.verify(table, TableCards(board, {1: hole}, ()), 1)
