"""Where reports may be mailed: two people allow a mailbox, one administrator ends it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, ClassVar, Final

from django.db import transaction
from django.utils import timezone

from accounting.mail.letters import MAILBOX
from accounting.reports.models import ReportLetter, ReportMailbox
from accounting.ways_out.actions import WayOut
from jackpot.people.actions.dismissing import check_works_here
from jackpot.people.models import Operator
from jackpot.property.models.property import Property
from jackpot.refusals import NotAllowed, NotAllowedNow, NotUnderstood
from jackpot.requests.models import Request
from jackpot.signing.actions import SecondPerson
from jackpot.signing.actions.kinds import ComparedValue
from jackpot.signing.rules import AskField
from jackpot.trail.actions.trail import record
from jackpot.trail.rules import objects

LONGEST_MAILBOX: Final = 254
LONGEST_READER: Final = 60
MOST_MAILBOXES: Final = 50


class AllowMailbox(WayOut):
    """From its second signature on saved reports may be mailed there; a first letter says so."""

    code, name = "report_mailbox", "Mailbox for reports"
    lead = "Saved reports may be mailed there. Figures and names leave the house with them."
    fields: ClassVar[tuple[AskField, ...]] = (
        AskField("name", "Who reads there", longest=LONGEST_READER),
        AskField("address", "Mailbox", longest=LONGEST_MAILBOX, placeholder="ledger@casino.example"),
    )

    def check(self, premises: Property, payload: Mapping[str, Any]) -> None:
        name, address = payload["name"], payload["address"]
        if not 0 < len(name.strip()) <= LONGEST_READER:
            raise NotUnderstood(f"Say in 1 to {LONGEST_READER} letters who reads there, such as “Ledger”.", "name")
        if len(address) > LONGEST_MAILBOX or not MAILBOX.fullmatch(address):
            raise NotUnderstood("Write the mailbox as ledger@casino.example.", "address")
        known = ReportMailbox.objects.filter(premises=premises, ended_at=None)
        if known.filter(address=address).exists():
            raise NotAllowedNow("Reports may be mailed there already.", "known")
        if known.count() >= MOST_MAILBOXES:
            raise NotAllowedNow(f"A house has at most {MOST_MAILBOXES} mailboxes for reports. End one first.", "many")

    @contextmanager
    def lock(self, row: Request) -> Iterator[Property]:
        """The house: of two mailboxes signed at once the second is told, and not stopped by the index."""
        with transaction.atomic():
            yield Property.objects.select_for_update(no_key=True).get(pk=row.premises_id)

    def open(self, row: Request, approver: SecondPerson) -> None:
        told = row.payload
        made = ReportMailbox.objects.create(
            premises=row.premises, name=told["name"], address=told["address"], added_by=row.asked_by, request=row
        )
        _note_mailbox(made, "allow_report_mailbox", approver.operator)
        # An address that was mistyped is found out now, and before the first figures go to it.
        ReportLetter.objects.create(mailbox=made)

    def compared(self, row: Request) -> list[ComparedValue]:
        return [ComparedValue(row.payload["name"], "hears nothing", row.payload["address"])]

    def phrase(self, row: Request) -> str:
        return f"reports may be mailed to {row.payload['name']} at {row.payload['address']}"


@transaction.atomic
def end_mailbox(*, row: ReportMailbox, by: Operator) -> None:
    """Nothing more is mailed there, not even what waits; the reports go on to their folders."""
    _check_ends(row.premises, by)
    held = ReportMailbox.objects.select_for_update().get(pk=row.pk)
    if held.ended_at is not None:
        raise NotAllowedNow(f"{held.name} was ended already.", "ended")
    held.ended_at, held.ended_by = timezone.now(), by
    held.save(update_fields=["ended_at", "ended_by"])
    waiting = ReportLetter.objects.filter(mailbox=held, sent_at=None, given_up_at=None)
    waiting.update(given_up_at=held.ended_at, last_answer="The mailbox was ended.")
    _note_mailbox(held, "end_report_mailbox", by)


def _check_ends(premises: Property, by: Operator) -> None:
    check_works_here(by)
    if not by.may("people") or by.premises_id not in (None, premises.pk):
        raise NotAllowed("Where reports may be mailed is an administrator’s of this house (verb people).", "verb")


def _note_mailbox(row: ReportMailbox, act: str, by: Operator) -> None:
    details = {"name": row.name, "address": row.address}
    record(actor=by, act=act, about=objects.house(row.premises.code), details=details)
