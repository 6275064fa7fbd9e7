"""Books out of a backup are older than what the floor has seen: nobody plays on before the two were compared."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from jackpot.books.actions.post import lock
from jackpot.books.models.jackpot import Jackpot
from jackpot.property.models.property import Property
from jackpot.trail.actions.trail import record
from jackpot.trail.rules import objects
from jackpot.wins.models import SlipCounter
from tables.floor.actions.comparing import uncompared
from tables.floor.models.restored import ComparisonState, RestoredTable
from tables.floor.models.table import Table, TableState

SERVER: Final = "Server"
ACT: Final = "restore_books"
SPARED: Final = 1_000  # numbers that the lost time may have given out; more were never paid between two backups


def numbers_after(number: int) -> int:
    """The series goes on behind every number that may be on paper already, at the beginning of a thousand."""
    return -(-(number + SPARED) // 1_000) * 1_000 + 1


@transaction.atomic
def hold_restored() -> int:
    """Every table stands held, and slips go on from a number that no lost one can have. Returns how many tables."""
    # Every jackpot before anything is looked at: no coin-in may come between what the books say and the hold.
    lock(list(Jackpot.objects.values_list("id", flat=True)))
    ended = Jackpot.objects.aggregate(at=Max("last_at"))["at"]
    why = held_because(ended)
    # A table in maintenance posts nothing; its box is asked below like all others before it opens
    # (`refuse_uncompared`).
    held = Table.objects.filter(state__in=[TableState.OPEN, TableState.CLOSED, TableState.HELD])
    count = held.update(state=TableState.HELD, held_why=why)
    for house in Property.objects.order_by("pk"):
        counter = SlipCounter.objects.filter(premises=house).select_for_update().first()
        _ask_the_boxes(house, 0 if counter is None else counter.next_slip - 1)
        details = {"tables": Table.objects.filter(premises=house, state=TableState.HELD).count()}
        if counter is not None:
            details |= {"slips_to": counter.next_slip - 1, "slips_from": numbers_after(counter.next_slip)}
            counter.next_slip, counter.next_win = numbers_after(counter.next_slip), numbers_after(counter.next_win)
            counter.save(update_fields=["next_slip", "next_win"])
        record(actor=SERVER, act=ACT, about=objects.house(house.code).of_house(house.pk), why=why, details=details)
    return count


def _ask_the_boxes(house: Property, last_slip: int) -> None:
    """Each table of the house waits for what its box knows; a question that was open already is asked anew."""
    # First: a table has one open comparison at a time, which a unique key holds.
    uncompared().filter(table__premises=house).update(state=ComparisonState.REPLACED)
    tables = Table.objects.filter(premises=house).annotate(last=Max("rounds__number")).values_list("pk", "last")
    now = timezone.now()
    RestoredTable.objects.bulk_create(
        RestoredTable(table_id=pk, at=now, books_round=last or 0, books_slip=last_slip) for pk, last in tables
    )


def held_because(ended: datetime | None) -> str:
    """What a held table says, in the space that it has for it."""
    stand = "are empty" if ended is None else f"end on {ended.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"
    return (
        f"Restored books: they {stand}. The box says what it knows, its journal posts what is missing, or two people "
        "accept it. Then a supervisor opens the table."
    )
