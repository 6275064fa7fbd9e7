"""What the floor must know before an act of two people: which game a jackpot is won at, which rounds are open."""

from __future__ import annotations

from typing import Any

from jackpot.adjusting.actions.retire import RetireJackpot
from jackpot.adjusting.actions.transfer import TransferMoney
from jackpot.adjusting.models import Adjustment
from jackpot.books.models.jackpot import Jackpot
from jackpot.refusals import NotAllowedNow
from tables.floor.models.table import Link
from tables.rounds.models.round import Round, RoundState


class TransferOnTheFloor(TransferMoney):
    """Links and rounds change only under the jackpots' locks, so what is seen here still holds at the posting."""

    def check_asked(self, row: Adjustment) -> None:
        if row.other is not None:
            _check_games(row.its_jackpot, row.other)


class RetireOnTheFloor(RetireJackpot):
    """A hand of a round that runs may still win it."""

    def check_asked(self, row: Adjustment) -> None:
        _check_rounds(row.its_jackpot)
        if row.other is not None:
            _check_games(row.its_jackpot, row.other)


def _check_rounds(jackpot: Jackpot) -> None:
    tables = Link.objects.filter(jackpot=jackpot).values("table_id")
    running = Round.objects.filter(table__in=tables, state=RoundState.OPEN).select_related("table")
    first: Any = running.order_by("table__code").first()
    if first is not None:
        where = f"Round {first.number} at {first.table.code}"
        raise NotAllowedNow(f"{where} is still open. Suspend {jackpot.code}, let it end, then retire.", "round_open")


def _check_games(jackpot: Jackpot, other: Jackpot) -> None:
    games, others = _games(jackpot), _games(other)
    # A jackpot that no table feeds any more is won at no game, so nothing speaks against the other's.
    if games and others and games != others:
        won_at = f"{jackpot.code} is won at {', '.join(games)}, {other.code} at {', '.join(others)}"
        raise NotAllowedNow(f"Money goes only to a jackpot of the same game: {won_at}.", "game")


def _games(jackpot: Jackpot) -> list[str]:
    return sorted(set(Link.objects.filter(jackpot=jackpot).values_list("table__game", flat=True)))
