"""Jackpots suspend themselves where their money is not in the bank and the house has said so by a switch."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from django.db import transaction

from jackpot.adjusting.models import CoverSuspension
from jackpot.books import events
from jackpot.books.actions.post import Books, EntryReference, open_books
from jackpot.books.models.jackpot import Jackpot, JackpotState
from jackpot.books.rules.entry_kind import EntryKind
from jackpot.books.rules.movement import NOTHING
from jackpot.canonical import request_of
from jackpot.money import Money
from jackpot.notices.actions.raising import raise_for_suspension
from jackpot.property.models.property import Property
from jackpot.trail.actions.trail import record
from jackpot.trail.rules import objects


@dataclass(frozen=True, slots=True)
class CoverShort:
    """What is required, what the last statement said, and of which day it is."""

    required: Money
    balance: Money
    as_of: date

    @property
    def words(self) -> str:
        return f"{self.required} is required, and the bank held {self.balance} on {self.as_of}."


@transaction.atomic
def suspend_for_cover(*, premises: Property, short: CoverShort) -> list[str]:
    """Every open jackpot of the house, in one act; rounds that run are settled, what stands still stays as it is.

    Coming back takes two people: a resumption, like after any suspension.
    """
    assert short.balance < short.required, "nothing suspends itself for money that is there"
    ids = Jackpot.objects.filter(premises=premises, state=JackpotState.OPEN).values_list("pk", flat=True)
    with open_books(sorted(ids)) as books:
        # Which were open was read before the lock: two people may have suspended one meanwhile.
        codes = [_suspended(books, each, short) for each in sorted(books.heads) if books.heads[each].state == "open"]
    if codes:
        events.notify(f"suspend {' '.join(codes)}")
    return codes


def _suspended(books: Books, jackpot_id: int, short: CoverShort) -> str:
    head = books.heads[jackpot_id]
    told = {
        "act": "suspend", "jackpot": head.code, "required": str(short.required), "balance": str(short.balance),
        "as_of": short.as_of.isoformat(),
    }  # fmt: skip
    # No request stands behind it to name the entry; its own number is taken once.
    key = f"suspend/cover/{head.last_seq + 1}"
    posting = books.post(jackpot_id, EntryKind.SUSPEND, NOTHING, EntryReference(key, request_of(told)))
    suspension = CoverSuspension.objects.create(
        jackpot_id=jackpot_id, seq=posting.seq, required=short.required.decimal(), balance=short.balance.decimal(),
        as_of=short.as_of, at=posting.occurred_at,
    )  # fmt: skip
    Jackpot.objects.filter(id=jackpot_id).update(state=JackpotState.SUSPENDED)
    record(actor="server", act="suspend_for_cover", about=objects.jackpot(head.code), why=short.words, details=told)
    raise_for_suspension(suspension=suspension, premises=suspension.jackpot.premises, at=posting.occurred_at)
    return head.code
