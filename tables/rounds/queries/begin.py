"""A table that is held, closed or below its version finishes what runs and begins nothing: docs/decisions/0008."""

from __future__ import annotations

from django.db.models import Q

from jackpot.refusals import NotAllowedNow
from tables.floor.models.table import Table, TableState
from tables.rounds.models.round import Round, RoundState
from tables.rounds.rules.round import TableFacts, table_refuses


def check_may_begin(table: Table, below_version: str | None = None) -> None:
    """Refuses whatever would begin something at a table that is stopped; a running round's money never hangs."""
    # In maintenance keys and sensors answer, though nothing posts: that is what it is for.
    if table.state == TableState.MAINTENANCE:
        return
    stopped = table_refuses(TableFacts(table.code, table.state, table.held_why, table.seats, 0, ""))
    code, why = ("version", below_version) if below_version is not None else stopped or ("", "")
    # Asked only where something stands in the way: it reads every round that the table ever played.
    if code and not is_unfinished(table):
        raise NotAllowedNow(why, code)


def is_unfinished(table: Table) -> bool:
    """A round still runs, or a parked or claimed hit waits for its card."""
    return Round.objects.filter(Q(state=RoundState.OPEN) | Q(open_hits__gt=0), table=table).exists()
