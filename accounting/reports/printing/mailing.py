"""A saved report goes to its mailbox: the file as the worker wrote it, and what it is of, in a letter."""

from __future__ import annotations

import hashlib
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Final

from django.conf import settings

from accounting.mail.letters import LetterAnswer, send_letter
from accounting.mail.outbox import Outbox
from accounting.reports.actions.exports import reports_folder
from accounting.reports.actions.runs import SERVER
from accounting.reports.models import ReportLetter, ReportRun
from accounting.reports.printing.files import MEDIA, ReportForm
from accounting.reports.queries.asking import told_of
from accounting.reports.queries.catalogue import REPORTS
from jackpot.trail.actions.trail import record
from jackpot.trail.rules.objects import ObjectKind, ObjectRef, house

GIVEN_UP_AFTER: Final = timedelta(days=3)  # a mail server that is away from Friday to Monday loses nothing
LEASE: Final = timedelta(minutes=10)
LARGEST_FILE: Final = 10_000_000  # bytes; base64 makes a third more of it, and many servers take no more than that


def send_letters() -> int:
    """What is due, one after another; returns how many the mail server took."""
    rows = ReportLetter.objects.select_related("mailbox__premises", "run__premises", "run__asked_by", "run__saved")
    return Outbox(rows, deliver_report, GIVEN_UP_AFTER, LEASE, ended=_noted).send_due()


def deliver_report(letter: ReportLetter) -> LetterAnswer:
    """Whatever came of it is an answer with a sentence."""
    if letter.mailbox.ended_at is not None:
        return LetterAnswer(False, "The mailbox was ended.")
    if letter.run is None:
        return send_letter(_first(letter), letter.mailbox.address)
    path = reports_folder() / letter.run.file
    if not path.is_file():
        return LetterAnswer(False, f"The file reports/{letter.run.file} is not there any more.")
    if path.stat().st_size > LARGEST_FILE:
        why = f"The file is larger than {LARGEST_FILE // 1_000_000} MB: too large for a letter. Take it from its page."
        return LetterAnswer(False, why)
    content = path.read_bytes()
    # Somebody who may write to the folder writes no letters in the house's name.
    if hashlib.sha256(content).hexdigest() != letter.run.sha256:
        return LetterAnswer(False, "The file is not the one that was written: its SHA-256 differs.")
    return send_letter(_with_file(letter, letter.run, path, content), letter.mailbox.address)


def _first(letter: ReportLetter) -> EmailMessage:
    written, premises = EmailMessage(), letter.mailbox.premises
    written["Subject"] = f"{premises.code}: reports come here"
    written.set_content(f"Reports of {premises.name} may come to this mailbox from now on. Nobody has to answer.")
    return written


def _with_file(letter: ReportLetter, run: ReportRun, path: Path, content: bytes) -> EmailMessage:
    written, title = EmailMessage(), REPORTS[run.report].title
    named = run.saved.name if run.saved is not None else title
    written["Subject"] = f"{run.premises.code}: {named}"
    # The same at each try: a mail program that gets it twice, because an answer was lost, shows it once.
    written["Message-ID"] = f"<report-{run.pk}-{letter.pk}-{run.sha256[:16]}@fairmeter>"
    lines = [f"{title} of {run.premises.name}, {run.rows_done} rows, by {run.asked_by}."]
    lines += [f"{label}: {words}" for label, words in told_of(run)]
    lines += [f"SHA-256 of the file: {run.sha256}"]
    if settings.PUBLIC_URL:
        lines.append(f"{settings.PUBLIC_URL}/office/reports/runs/{run.pk}/")
    written.set_content("\n".join(lines))
    kind, _, form = MEDIA[ReportForm(run.form)].partition(";")[0].partition("/")
    written.add_attachment(content, maintype=kind, subtype=form, filename=path.name)
    return written


def _noted(letter: ReportLetter) -> None:
    """Figures left the house, or did not come to it: both stand in the trail."""
    run, gone = letter.run, letter.sent_at is not None
    details: dict[str, object] = {"to": letter.mailbox.address, "tries": letter.tries, "letter": letter.pk}
    if run is not None:
        details |= {"run": run.pk, "sha256": run.sha256}
    premises = letter.mailbox.premises
    about = ObjectRef(ObjectKind.REPORT, run.report, premises.pk) if run is not None else house(premises.code)
    record(
        actor=SERVER, act="mail_report", about=about,
        outcome="done" if gone else "failed", why="" if gone else letter.last_answer, details=details,
    )  # fmt: skip
