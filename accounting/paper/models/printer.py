from __future__ import annotations

from typing import ClassVar

from django.db import models

from accounting.paper.models.page import Copy
from accounting.paper.rules.copies import Form


class PrinterKind(models.TextChoices):
    """How a copy reaches it."""

    FOLDER = "folder", "folder"
    RAW = "raw9100", "raw port"


class Printer(models.Model):
    """Where copies of one form come out: a folder, or a printer that listens on a port (mostly 9100)."""

    Kind = PrinterKind

    code = models.CharField(max_length=30, unique=True)
    premises = models.ForeignKey("jackpot.Property", on_delete=models.PROTECT, related_name="printers")
    kind = models.CharField(max_length=7, choices=PrinterKind.choices)
    address = models.CharField(max_length=200, help_text="A folder (in the data folder unless absolute), or host:port.")
    form = models.CharField(max_length=7, choices=[(form.value, form.value) for form in Form])
    in_use = models.BooleanField(default=True)

    class Meta:
        ordering = ["code"]

    def __str__(self) -> str:
        return self.code


class PrintJobState(models.TextChoices):
    """Where a copy is on its way."""

    QUEUED = "queued", "waiting"
    SENT = "sent", "sent"
    FAILED = "failed", "not sent yet; tried again"
    GIVEN_UP = "givenup", "given up after a day; print it again"


class PrintJob(models.Model):
    """A copy on its way to a printer; written together with the copy, so that neither is there without the other."""

    State = PrintJobState

    copy = models.OneToOneField(Copy, on_delete=models.PROTECT, related_name="job")
    printer = models.ForeignKey(Printer, on_delete=models.PROTECT, related_name="jobs")
    state = models.CharField(max_length=7, choices=PrintJobState.choices, default=PrintJobState.QUEUED)
    tries = models.PositiveIntegerField(default=0)
    last_error = models.CharField(max_length=300, blank=True)
    due_at = models.DateTimeField(help_text="Not tried before this moment.")
    sent_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["id"]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                fields=["due_at"], condition=models.Q(state__in=["queued", "failed"]), name="print_job_waiting"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.copy} to {self.printer}: {self.state}"
