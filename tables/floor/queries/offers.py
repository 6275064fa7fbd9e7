"""The games that a table offers, with the switches of its house by which they are counted."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils import timezone

from jackpot.property.models.property import Property
from tables.floor.models.own_pay_table import OwnPayTable
from tables.floor.models.table import Table
from tables.floor.rules.checklist import Item
from tables.games.game import Game, NotInThisGame
from tables.games.layout import LayoutMark, needed
from tables.games.limits import CountGames
from tables.games.offer import OfferedGame, posted_sentence
from tables.games.own_table import find_own_table
from tables.games.packs import BetTable
from tables.games.registry import part_of_game


def counts_games(premises: Property) -> CountGames:
    return "each_wager" if premises.each_wager_a_game else "base_is_one"


def refuse_not_offered(pack: BetTable, premises: Property) -> None:
    """By the gaming day of the house: until it rolls this evening's tables are offered, and tomorrow's are not."""
    pack.refuse_unless_offered(premises.gaming_day(timezone.now()))


def declared_here(table: Table) -> tuple[OfferedGame, ...]:
    """Beside the progressive, as they were declared; nothing where nobody has declared any."""
    return tuple(OfferedGame.of(key) for key in table.games)


def tables_in_force(table: Table, game: Game) -> dict[str, BetTable]:
    """The pay table of each bet that may be made: as declared, or any of the game where nothing is declared.

    A table of the house's own needs beside it what the published ones of its bet need.
    """
    # Backwards, so that of several published tables of a bet the first one stands.
    published = {one.bet: one for one in reversed(game.tables)}
    declared = declared_here(table)
    if not declared:
        return published
    return {each.bet: _coded(game, each) or published[each.bet] for each in declared if each.bet in published}


def pays_posted(table: Table, game: Game) -> list[tuple[OfferedGame, list[tuple[str, str]]]]:
    """Of each declared bet the rows that it is paid by, published or the house's own: what is posted at the table."""
    own = {
        (row.bet, row.code): row
        for row in OwnPayTable.objects.filter(premises_id=table.premises_id, game=table.game)
    }  # fmt: skip
    posted = []
    for each in declared_here(table):
        mine = own.get((each.bet, each.code))
        found = find_own_table(game, mine.plain) if mine is not None else _coded(game, each)
        posted.append((each, [(line.name, str(line.pays)) for line in (found.lines if found is not None else ())]))
    return posted


def _coded(game: Game, offered: OfferedGame) -> BetTable | None:
    try:
        return game.table(offered.bet, offered.code)
    except NotInThisGame:
        return None


def posted_at(table: Table) -> list[str]:
    """What layout or placard say of the games: the maximum, and how it is counted."""
    house = table.premises
    counted = "ante, blind and play are a game each" if house.each_wager_a_game else "ante, blind and play are one game"
    meters = table.further_wagers.count() + 1
    each = "each progressive a game of its own" if house.each_progressive_a_game else "all progressives one game"
    more = f", and {each}" if meters > 1 else ""
    return [posted_sentence(house.most_games), f"Counted so that {counted}{more}."]


def marks_needed(table: Table) -> dict[Item, list[LayoutMark]]:
    """What must be read on the cloth and the placard of this table: by the games it declares and by who banks."""
    try:
        marks: Sequence[LayoutMark] = part_of_game(table.game, "layout").marks()
        base = part_of_game(table.game, "rules").BASE
    except NotInThisGame:
        return {}
    progressive = ["progressive"] if table.links.exists() else []
    wagers = {*base, *(each.bet for each in declared_here(table)), *progressive}
    most = table.premises.most_games
    return {item: needed(marks, item.value, wagers, table.bank, most) for item in (Item.LAYOUT, Item.PLACARD)}
