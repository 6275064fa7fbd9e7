"""Where reports may be mailed: an administrator allows a mailbox, and ends it."""

from __future__ import annotations

from typing import Final

from django.db import transaction
from django.utils import timezone

from accounting.mail.letters import MAILBOX
from accounting.reports.models import ReportLetter, ReportMailbox
from jackpot.people.actions.dismissing import check_works_here
from jackpot.people.models import Operator
from jackpot.property.models.property import Property
from jackpot.refusals import NotAllowed, NotAllowedNow, NotUnderstood
from jackpot.trail.actions.trail import record
from jackpot.trail.rules import objects

LONGEST_MAILBOX: Final = 254
LONGEST_READER: Final = 60
MOST_MAILBOXES: Final = 50


@transaction.atomic
def allow_mailbox(*, premises: Property, name: str, address: str, by: Operator) -> ReportMailbox:
    """From now on saved reports may be mailed there; a first letter says so."""
    _check_allows(premises, by)
    name, address = name.strip(), address.strip()
    if not 0 < len(name) <= LONGEST_READER:
        raise NotUnderstood(f"Say in 1 to {LONGEST_READER} letters who reads there, such as “General ledger”.", "name")
    if len(address) > LONGEST_MAILBOX or not MAILBOX.fullmatch(address):
        raise NotUnderstood("Write the mailbox as ledger@casino.example.", "address")
    # Behind the house's lock: two administrators at once are told, and not stopped by the index.
    Property.objects.select_for_update(no_key=True).get(pk=premises.pk)
    known = ReportMailbox.objects.filter(premises=premises, ended_at=None)
    if known.filter(address=address).exists():
        raise NotAllowedNow("Reports may be mailed there already.", "known")
    if known.count() >= MOST_MAILBOXES:
        raise NotAllowedNow(f"A house has at most {MOST_MAILBOXES} mailboxes for reports. End one first.", "too_many")
    row = ReportMailbox.objects.create(premises=premises, name=name, address=address, added_by=by)
    _note_mailbox(row, "allow_report_mailbox", by)
    # An address that was mistyped is found out now, and before the first figures go to it.
    ReportLetter.objects.create(mailbox=row)
    return row


@transaction.atomic
def end_mailbox(*, row: ReportMailbox, by: Operator) -> None:
    """Nothing more is mailed there, not even what waits; the reports go on to their folders."""
    _check_allows(row.premises, by)
    held = ReportMailbox.objects.select_for_update().get(pk=row.pk)
    if held.ended_at is not None:
        raise NotAllowedNow(f"{held.name} was ended already.", "ended")
    held.ended_at, held.ended_by = timezone.now(), by
    held.save(update_fields=["ended_at", "ended_by"])
    waiting = ReportLetter.objects.filter(mailbox=held, sent_at=None, given_up_at=None)
    waiting.update(given_up_at=held.ended_at, last_answer="The mailbox was ended.")
    _note_mailbox(held, "end_report_mailbox", by)


def _check_allows(premises: Property, by: Operator) -> None:
    check_works_here(by)
    if not by.may("people") or by.premises_id not in (None, premises.pk):
        raise NotAllowed("Where reports may be mailed is an administrator’s of this house (verb people).", "verb")


def _note_mailbox(row: ReportMailbox, act: str, by: Operator) -> None:
    details = {"name": row.name, "address": row.address}
    record(actor=by, act=act, about=objects.house(row.premises.code), details=details)
