"""What can be asked of the office: wins with their slips, pages with their copies, printers with their queues."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db.models import Count, Max, Q, QuerySet
from django.utils import timezone

from accounting.paper.models.page import Copy
from accounting.paper.models.printer import Printer, PrintJob
from jackpot.property.queries import of_house
from jackpot.wins.models import Win

FORGOTTEN_AFTER = timedelta(minutes=1)  # a page that nobody even tried to print by then: the worker does not run


def copies_of(win: Win) -> list[Copy]:
    rows = Copy.objects.filter(page__win=win).defer("content").select_related("job__printer", "spoiled")
    return list(rows.order_by("number"))


def copy_numbered(win: Win, number: int) -> Copy | None:
    return Copy.objects.filter(page__win=win, number=number).first()


def waiting_jobs() -> QuerySet[PrintJob]:
    return PrintJob.objects.filter(state__in=[PrintJob.State.QUEUED, PrintJob.State.FAILED])


def printers_in_trouble(person: Any) -> QuerySet[Printer]:
    """Printers that did not take what was sent, or that nobody serves: what waits, what was given up, and why."""
    failed, given_up = Q(jobs__state=PrintJob.State.FAILED), Q(jobs__state=PrintJob.State.GIVEN_UP)
    queued = Q(jobs__state=PrintJob.State.QUEUED)
    forgotten = queued & Q(jobs__due_at__lt=timezone.now() - FORGOTTEN_AFTER)
    counted = Printer.objects.annotate(
        failing=Count("jobs", filter=failed | forgotten), waiting=Count("jobs", filter=failed | queued),
        given_up=Count("jobs", filter=given_up), said=Max("jobs__last_error", filter=failed | given_up),
    )  # fmt: skip
    return of_house(counted.filter(Q(failing__gt=0) | Q(given_up__gt=0)), person)
