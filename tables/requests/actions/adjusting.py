"""What the floor must know before an act of two people: which game a jackpot is won at, which rounds are open."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from jackpot.books.actions.post import lock
from jackpot.books.models.jackpot import Jackpot
from jackpot.people.models import Operator
from jackpot.refusals import NotAllowedNow, NotFound
from jackpot.requests import actions as adjusting
from jackpot.requests.actions import Preview, Wish, Word
from jackpot.requests.models import Adjustment
from jackpot.requests.rules.adjusting import Adjusting
from tables.floor.models.table import Link
from tables.rounds.models.round import Round, RoundState


def preview(*, row: Adjustment) -> Preview:
    """Before and after as of now, or the refusal that the act would meet; of a wish (`wish.row()`) or a request."""
    with transaction.atomic():
        _check_floor(row)
        return adjusting.preview(row=row)


@transaction.atomic
def ask(*, wish: Wish, by: Operator) -> Adjustment:
    """A request with its reason and evidence, for another person to decide."""
    _check_floor(wish.row())
    return adjusting.ask(wish=wish, by=by)


@transaction.atomic
def approve(*, adjustment_id: int, word: Word, differences_seen: bool = False) -> Adjustment:
    """The second person's word; the floor is looked at under the same lock."""
    row = Adjustment.objects.select_related("jackpot", "other").filter(id=adjustment_id).first()
    if row is None:
        raise NotFound(f"There is no request {adjustment_id}.", "no_adjustment")
    if row.state == Adjustment.State.REQUESTED:
        _check_floor(row)
    return adjusting.approve(adjustment_id=adjustment_id, word=word, differences_seen=differences_seen)


def _check_floor(row: Adjustment) -> None:
    """Links and rounds change only under the jackpots' locks, so what is seen here still holds at the posting."""
    kind = Adjusting(row.kind)
    if kind not in (Adjusting.TRANSFER, Adjusting.RETIRE):
        return
    lock(adjusting.jackpots_of(row))
    if kind == Adjusting.RETIRE:
        _check_rounds(row.jackpot)
    if row.other is not None:
        _check_games(row.jackpot, row.other)


def _check_rounds(jackpot: Jackpot) -> None:
    """A hand of a round that runs may still win it."""
    tables = Link.objects.filter(jackpot=jackpot).values("table_id")
    running = Round.objects.filter(table__in=tables, state=RoundState.OPEN).select_related("table")
    first: Any = running.order_by("table__code").first()
    if first is not None:
        where = f"Round {first.number} at {first.table.code}"
        raise NotAllowedNow(f"{where} is still open. Suspend {jackpot.code}, let it end, then retire.", "round_open")


def _check_games(jackpot: Jackpot, other: Jackpot) -> None:
    games, others = _games(jackpot), _games(other)
    if games and others and games != others:
        told = f"{jackpot.code} is won at {', '.join(games)}, {other.code} at {', '.join(others)}"
        raise NotAllowedNow(f"Money goes only to a jackpot of the same game: {told}.", "game")


def _games(jackpot: Jackpot) -> list[str]:
    return sorted(set(Link.objects.filter(jackpot=jackpot).values_list("table__game", flat=True)))
