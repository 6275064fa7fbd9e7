"""A restored table waits for its box, or for two people: until then nobody opens it."""

from __future__ import annotations

from django.db.models import QuerySet

from jackpot.refusals import NotAllowedNow
from tables.floor.models.restored import ComparisonState, RestoredTable
from tables.floor.models.table import Table, TableState
from tables.floor.rules.comparing import WhatTheyKnow, compared, no_word

OPEN_QUESTION = (ComparisonState.SILENT, ComparisonState.MISSING, ComparisonState.DIFFERS)

WORD_OF_THE_BOX = ("told_round", "told_slip", "told_by", "told_at", "posted", "clash", "state")


def uncompared() -> QuerySet[RestoredTable]:
    return RestoredTable.objects.filter(state__in=OPEN_QUESTION).select_related("table").order_by("table__code")


def refuse_uncompared(table: Table) -> None:
    """Restored books are older than what the floor has seen; a table that plays on would hide what is missing."""
    waits = uncompared().filter(table=table).first()
    if waits is not None:
        raise NotAllowedNow(f"{table.code} was restored. {how_it_stands(waits)}", "restored")


def known_of(waits: RestoredTable) -> WhatTheyKnow:
    """What the journal has posted the books know by now."""
    assert waits.told_round is not None, "a silent box is not compared"
    return WhatTheyKnow(
        waits.books_round + waits.posted, waits.books_slip, waits.told_round, waits.told_slip or 0, waits.clash
    )


def how_it_stands(waits: RestoredTable) -> str:
    return no_word() if waits.told_round is None else compared(known_of(waits))[1]


def judge(waits: RestoredTable) -> None:
    """The verdict stands on the record, and on the table for the pit to read."""
    verdict, why = compared(known_of(waits))
    waits.state = ComparisonState(verdict)
    waits.save(update_fields=WORD_OF_THE_BOX)
    # Only while it is held: a technician may have taken the table into maintenance, and its words are other ones.
    Table.objects.filter(pk=waits.table_id, state=TableState.HELD).update(held_why=f"Restored books. {why}"[:200])
