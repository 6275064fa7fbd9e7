"""A jackpot's pay table as its game judges it: which of its lines the cards of a seat win."""

from __future__ import annotations

from collections.abc import Collection
from types import MappingProxyType

from jackpot.terms.rules.paytable import PayTable
from tables.games.game import Game, LineVerdict, NotInThisGame, TableCards
from tables.games.packs import BetTable, PrintedLine


def judged_table(game: Game, pay_table: PayTable) -> BetTable | None:
    """The lines that the game can judge, in their rank order; None when it knows none of them."""
    bet = _bet_of(game, {line.code for line in pay_table})
    known = tuple(PrintedLine(line.code, line.name, line.award) for line in pay_table if line.code in game.hands[bet])
    if not known:
        return None
    return BetTable(
        game=game.code, bet=bet, code=pay_table.code, title=pay_table.code, owner="", licence="", status="offered",
        from_date=None, until_date=None, approval="", source="", needs=(), lines=known,
        published=MappingProxyType({}), digest=pay_table.digest(),
    )  # fmt: skip


def verdict_of(game: Game, table: BetTable, deal: TableCards, seat: int) -> LineVerdict | None:
    """The verdict on a seat, by its own cards or by the board alone; None while the cards do not say."""
    # The highest hand of a board that is not complete says nothing: the next card may make a higher one.
    if len(deal.board) != game.board_cards:
        return None
    if seat in deal.seats:
        try:
            return game.verify(table, deal, seat)
        except NotInThisGame:  # the line is against the dealer, whose cards are not entered yet
            return None
    return game.board_judge(table, deal.board) if game.board_judge else None


def against_dealer(table: BetTable) -> bool:
    """Whether a line of the table is decided by the dealer's two cards as well."""
    return any(line.hand.startswith("beaten_") or line.hand == "aces_against_aces" for line in table.lines)


def _bet_of(game: Game, codes: Collection[str]) -> str:
    """The bet whose hands the lines name; a progressive where two bets would do."""
    bets = sorted(game.hands, key=lambda bet: (bet != "progressive", bet))
    return max(bets, key=lambda bet: len(set(codes) & set(game.hands[bet])))
