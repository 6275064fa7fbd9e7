"""Reports saved under a name, with a rota if they are to come by themselves."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Final

from django.db import transaction
from django.utils import timezone

from accounting.reports.models import ReportLetter, ReportMailbox, SavedReport
from accounting.reports.rules.declaring import OfficeReport
from accounting.reports.rules.schedule import Rota, due_after
from jackpot.people.models import Operator
from jackpot.property.models.property import Property
from jackpot.refusals import NotAllowedNow, NotUnderstood
from jackpot.trail.actions.trail import record
from jackpot.trail.rules.objects import ObjectKind, ObjectRef

_FOLDER: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,59}", re.ASCII)
FORMS: Final = ("csv", "xlsx", "pdf")


@dataclass(frozen=True, slots=True)
class ReportWish:
    """How somebody wants a report kept."""

    name: str
    words: Mapping[str, str]
    rota: str = "never"
    form: str = "csv"
    folder: str = ""
    mailbox: str = ""  # its number, out of those that an administrator allowed


@transaction.atomic
def save_report(*, report: OfficeReport, wish: ReportWish, house: Property, by: Operator, today: date) -> SavedReport:
    """Keeps the filters as they were typed. By a rota it is due on the next gaming day that the rota names."""
    if not wish.name:
        raise NotUnderstood("Give the report a name, such as “Yesterday, GRAND”.", "name")
    if wish.rota not in list(Rota):
        raise NotUnderstood("A report comes never, daily, weekly or monthly.", "rota")
    if wish.form not in FORMS:
        raise NotUnderstood("Choose CSV, XLSX or PDF.", "form")
    rota = Rota(wish.rota)
    # One plain name and no path: the worker writes there, and only below reports/ in the data folder.
    mailbox = _mailbox(wish, rota, house)
    if rota is not Rota.NEVER and not (_FOLDER.fullmatch(wish.folder) or (mailbox and not wish.folder)):
        raise NotUnderstood("Name a folder of letters, digits, _ and -, such as general-ledger.", "folder")
    if SavedReport.objects.filter(premises=house, name=wish.name, ended_at=None).exists():
        raise NotAllowedNow(f"There is already a saved report “{wish.name}”. Choose another name.", "exists")
    row = SavedReport.objects.create(
        premises=house, name=wish.name, report=report.code, words=dict(wish.words), saved_by=by, rota=rota.value,
        form=wish.form, folder=wish.folder if rota is not Rota.NEVER else "", due_day=due_after(rota, today),
        mailbox=mailbox,
    )  # fmt: skip
    record(
        actor=by,
        act="save_report",
        about=ObjectRef(ObjectKind.REPORT, report.code),
        details={"name": row.name, "rota": row.rota} | ({"mailbox": mailbox.address} if mailbox else {}),
    )
    return row


def _mailbox(wish: ReportWish, rota: Rota, house: Property) -> ReportMailbox | None:
    """The house's own and in use. Whoever reads the books chooses one; an administrator says which there are."""
    if not wish.mailbox:
        return None
    if rota is Rota.NEVER:
        raise NotUnderstood("A report that comes never is not mailed. Say how often it comes.", "rota")
    allowed = ReportMailbox.objects.filter(premises=house, ended_at=None)
    found = allowed.filter(pk=int(wish.mailbox)).first() if wish.mailbox.isascii() and wish.mailbox.isdigit() else None
    if found is None:
        raise NotUnderstood("Reports may not be mailed there (any more). Choose one of the mailboxes shown.", "mailbox")
    return found


@transaction.atomic
def put_away(*, saved: SavedReport, by: Operator) -> None:
    """It is offered no more and comes no more; the files that it wrote stay."""
    found = SavedReport.objects.select_for_update().get(pk=saved.pk)
    if found.ended_at is not None:
        raise NotAllowedNow(f"“{found.name}” has been put away already.", "ended")
    # Its day goes too, for the worker goes by the day; and the name is free again.
    found.ended_at, found.due_day, found.rota = timezone.now(), None, Rota.NEVER.value
    found.save(update_fields=["ended_at", "due_day", "rota"])
    waiting = ReportLetter.objects.filter(run__saved=found, sent_at=None, given_up_at=None)
    waiting.update(given_up_at=found.ended_at, last_answer="The saved report was put away.")
    record(
        actor=by, act="put_away_report", about=ObjectRef(ObjectKind.REPORT, found.report), details={"name": found.name}
    )
