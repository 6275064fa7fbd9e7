"""What can be asked of the office: wins with their slips, pages with their copies, printers with their queues."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, Max, Q, QuerySet

from accounting.paper.models.page import Copy
from accounting.paper.models.printer import Printer, PrintJob
from jackpot.property.queries import of_house
from jackpot.wins.models import Win


def copies_of(win: Win) -> list[Copy]:
    rows = Copy.objects.filter(page__win=win).defer("content").select_related("job__printer")
    return list(rows.order_by("number"))


def copy_numbered(win: Win, number: int) -> Copy | None:
    return Copy.objects.filter(page__win=win, number=number).first()


def waiting_jobs() -> QuerySet[PrintJob]:
    return PrintJob.objects.filter(state__in=[PrintJob.State.QUEUED, PrintJob.State.FAILED])


def printers_in_trouble(person: Any) -> QuerySet[Printer]:
    """Printers that did not take what was sent, with how much waits for them and the last thing they said."""
    failed = Q(jobs__state=PrintJob.State.FAILED)
    waiting = failed | Q(jobs__state=PrintJob.State.QUEUED)
    counted = Printer.objects.annotate(
        failing=Count("jobs", filter=failed), waiting=Count("jobs", filter=waiting),
        said=Max("jobs__last_error", filter=failed),
    )  # fmt: skip
    return of_house(counted.filter(failing__gt=0), person)
