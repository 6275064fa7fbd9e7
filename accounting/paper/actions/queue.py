"""The print queue is drained: what was not sent is tried again, ever more rarely, and says why it waits."""

from __future__ import annotations

import contextlib
import socket
from datetime import timedelta
from pathlib import Path
from typing import Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounting.paper.actions.printers import host_and_port, print_folder
from accounting.paper.models.page import Copy
from accounting.paper.models.printer import Printer, PrintJob
from accounting.paper.queries import waiting_jobs
from accounting.paper.rules.copies import Form
from accounting.paper.rules.raster import receipt_commands
from jackpot.errands.queries import due_by
from jackpot.refusals import Refused

PATIENCE: Final = 5  # seconds a printer may take to answer
LONGEST_PAUSE: Final = 300
MOST_TRIES: Final = 300  # about a day; by then somebody has printed it again elsewhere
AT_ONCE: Final = 100


def drain_print_queue() -> int:
    """Sends what is due, oldest first; returns how many were sent. A printer that fails is left alone for this turn."""
    sent, left_alone = 0, set[int]()
    for _ in range(AT_ONCE):
        # One job, one transaction: that a page was sent stays noted whatever becomes of the next one.
        with transaction.atomic():
            # Without the printers that failed in this turn: one that is off would cost its patience for every page.
            due = due_jobs().exclude(printer_id__in=left_alone).order_by("id")
            job = due.select_for_update(skip_locked=True, of=("self",)).select_related("printer", "copy__page").first()
            if job is None:
                return sent
            if not _try(job):
                left_alone.add(job.printer_id)
            sent += job.state == PrintJob.State.SENT
    return sent


def due_jobs() -> QuerySet[PrintJob]:
    return waiting_jobs().filter(due_by("due_at", timezone.now(), timedelta(seconds=LONGEST_PAUSE)))


def _try(job: PrintJob) -> bool:
    """Sent, or noted why not. Should we stop between sending and noting, it is sent again: twice beats never."""
    job.tries += 1
    try:
        _send(job.copy, job.printer)
    # A printer that was set up wrongly is trouble like one without paper: it waits, says why, and stops no other.
    except (OSError, Refused, ValueError) as trouble:
        job.state = PrintJob.State.FAILED if job.tries < MOST_TRIES else PrintJob.State.GIVEN_UP
        job.last_error = _trouble_text(trouble, job.printer)
        # Doubling, up to five minutes: paper that was put in is noticed soon, and a dead printer costs little.
        job.due_at = timezone.now() + timedelta(seconds=min(2**job.tries, LONGEST_PAUSE))
    else:
        job.state, job.last_error, job.sent_at = PrintJob.State.SENT, "", timezone.now()
    job.save(update_fields=["tries", "state", "last_error", "due_at", "sent_at"])
    return job.state == PrintJob.State.SENT


def _send(copy: Copy, printer: Printer) -> None:
    content = bytes(copy.content)
    if printer.kind == Printer.Kind.FOLDER:
        _into_folder(print_folder(printer.address), file_name(copy), content)
    else:
        _to_port(printer.address, receipt_commands(content) if copy.form == Form.RECEIPT else content)


def file_name(copy: Copy) -> str:
    """ "slip-12-0-original.pdf": the same copy always has the same name, so sending it twice makes one file."""
    end = "png" if copy.form == Form.RECEIPT else "pdf"
    return f"slip-{copy.page.slip}-{copy.number}-{copy.kind}.{end}"


def _into_folder(folder: Path, name: str, content: bytes) -> None:
    """Whole or not at all: who watches the folder never meets half a page."""
    folder.mkdir(parents=True, exist_ok=True)
    draft = folder / f".{name}.part"
    draft.write_bytes(content)
    draft.replace(folder / name)


def _to_port(address: str, content: bytes) -> None:
    with socket.create_connection(host_and_port(address), timeout=PATIENCE) as line:
        line.sendall(content)
        # Our side alone: closing at once, with an answer unread, could cut off the end of the page.
        line.shutdown(socket.SHUT_WR)
        with contextlib.suppress(TimeoutError):  # some printers never hang up; all was handed over by then
            while line.recv(1024):
                pass


def _trouble_text(trouble: Exception, printer: Printer) -> str:
    why = trouble.strerror if isinstance(trouble, OSError) and trouble.strerror else str(trouble) or "no answer"
    return f"{printer.code} at {printer.address}: {why}."[:300]
