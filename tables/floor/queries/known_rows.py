"""Which pack says how often the rows of a progressive come."""

from __future__ import annotations

from jackpot.refusals import NotUnderstood
from jackpot.terms.rules.paytable import PayTable
from tables.games.game import Game
from tables.games.packs import BetTable


def progressives_of(game: Game) -> list[BetTable]:
    """The pay tables a progressive of this game may be given."""
    return [table for table in game.tables if table.bet == "progressive" and table.status == "offered"]


def pack_with_rows_of(game: Game, table: PayTable) -> BetTable:
    """The pack that knows every row of this pay table; an unknown row is named."""
    codes, known = {line.code for line in table}, progressives_of(game)
    for pack in known:
        if codes <= {line.hand for line in pack.lines}:
            return pack
    strange = next(iter(sorted(codes - {line.hand for pack in known for line in pack.lines})), "")
    raise NotUnderstood(f"How often “{strange}” comes is not known: no pack of {game.title} has this row.")
