"""What the worker does for the reports. Safe to run twice; keyword arguments only."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from accounting.mail.outbox import due
from accounting.reports.actions.runs import runs_are_due
from accounting.reports.models import ReportLetter
from accounting.reports.printing.mailing import send_letters
from accounting.reports.printing.writing import write_reports

__all__ = ["letters_are_due", "mail_reports", "reports_are_due", "write_long_reports"]


@shared_task(name="accounting.reports.tasks.write_long_reports", time_limit=3_600)
def write_long_reports() -> None:
    """Writes the reports that wait, and those whose day has come."""
    write_reports()


def reports_are_due() -> bool:
    return runs_are_due()


@shared_task(name="accounting.reports.tasks.mail_reports", time_limit=900)
def mail_reports() -> None:
    """Sends the letters that wait, each with its report."""
    send_letters()


def letters_are_due() -> bool:
    return due(ReportLetter.objects.all(), timezone.now()).exists()
