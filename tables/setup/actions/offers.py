"""What a table may offer: games that exist and may be chosen today, and no more of them than the house posts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jackpot.property.models.property import Property
from jackpot.refusals import NotAllowedNow, NotUnderstood
from tables.floor.models.own_pay_table import OwnPayTable, OwnTableState
from tables.floor.queries.offers import counts_games, refuse_not_offered
from tables.games.game import NotInThisGame
from tables.games.limits import BetRefused
from tables.games.offer import OfferedGame, offered_games, refuse_fifth, refuse_unplayable
from tables.games.packs import BetTable, NotOffered
from tables.games.registry import find_game, part_of_game


def check_offer(code: str, game: str, keys: Sequence[str], progressives: int, premises: Property) -> None:
    """A fifth game is refused when the table is set up, and so is a pay table that may not be chosen today."""
    # Nothing declared is not “no games”: such a table may offer every published one.
    if not keys:
        return
    try:
        games = offered_games(keys)
        rules: Any = part_of_game(game, "rules")
        # A table of the house's own needs beside it what the published ones of its bet need.
        published = {one.bet: one for one in reversed(find_game(game).tables)}
        chosen = {each.bet: _chosen(game, each, premises) or published.get(each.bet) for each in games}
        needs = {bet: () if table is None else table.needs for bet, table in chosen.items()}
        # As at the table itself: by the switch a bad beat takes trips, whatever its table prints.
        if premises.bad_beat_takes_trips and "bad_beat" in needs:
            needs["bad_beat"] = (*needs["bad_beat"], "trips")
        refuse_unplayable(needs, rules.BASE)
    except (BetRefused, NotInThisGame) as why:
        raise NotUnderstood(f"{code}: {why}", "games") from None
    except NotOffered as why:
        raise NotAllowedNow(f"{code}: {why}", "games") from None
    # “A maximum of four games”: whether two progressives are two of them is read differently, so it is a switch.
    counted = progressives if premises.each_progressive_a_game else min(progressives, 1)
    try:
        refuse_fifth(games, rules.BASE, counted, premises.most_games, counts_games(premises))
    except BetRefused as why:
        raise NotAllowedNow(f"{code}: {why}", "games") from None


def _chosen(game: str, offered: OfferedGame, premises: Property) -> BetTable | None:
    """A published pay table that is offered today; nothing for a released one of the house's own."""
    # A draft may not be offered: nobody has looked at its par sheet yet.
    own = OwnPayTable.objects.filter(
        premises=premises, game=game, bet=offered.bet, code=offered.code, state=OwnTableState.READY
    )
    if own.exists():
        return None
    table = find_game(game).table(offered.bet, offered.code)
    refuse_not_offered(table, premises)
    return table
