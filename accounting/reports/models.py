from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models.functions import Now

from accounting.mail.outbox import WaitingMessage
from accounting.reports.rules.ledger import ACCOUNTS_OF_THE_LEDGER
from accounting.reports.rules.schedule import Rota

FORMS = [("csv", "CSV"), ("xlsx", "XLSX"), ("pdf", "PDF")]


class ReportMailbox(models.Model):
    """Where reports of a house may be mailed: allowed by two people. It never changes; it ends."""

    premises = models.ForeignKey("jackpot.Property", on_delete=models.PROTECT, related_name="report_mailboxes")
    name = models.CharField(max_length=60)
    address = models.CharField(max_length=254)
    added_by = models.ForeignKey("jackpot.Operator", on_delete=models.PROTECT, related_name="+")
    # Empty where one administrator allowed it, before that took two.
    request = models.OneToOneField(
        "jackpot.Request", on_delete=models.PROTECT, null=True, related_name="report_mailbox",
        help_text="What two people signed.",
    )  # fmt: skip
    added_at = models.DateTimeField(db_default=Now())
    ended_at = models.DateTimeField(null=True)
    ended_by = models.ForeignKey("jackpot.Operator", on_delete=models.PROTECT, null=True, related_name="+")

    class Meta:
        ordering = ["id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["premises", "address"], condition=models.Q(ended_at__isnull=True), name="report_mailbox_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.address})"


class SavedReport(models.Model):
    """A report with its filters under a name of its own; by its rota it is written to a folder, or mailed, by itself.

    The filters are kept as they were typed: "yesterday" means another day every day.
    """

    premises = models.ForeignKey("jackpot.Property", on_delete=models.PROTECT, related_name="saved_reports")
    name = models.CharField(max_length=60)
    report = models.CharField(max_length=40, help_text="Code of the report.")
    words = models.JSONField(default=dict, help_text="The filters as typed, and the sorting.")
    saved_by = models.ForeignKey("jackpot.Operator", on_delete=models.PROTECT, related_name="+")
    saved_at = models.DateTimeField(db_default=Now())
    rota = models.CharField(max_length=7, choices=[(rota.value, rota.value) for rota in Rota], default=Rota.NEVER.value)
    form = models.CharField(max_length=4, choices=FORMS, default="csv")
    folder = models.CharField(max_length=60, blank=True, help_text="Below reports/ in the data folder.")
    mailbox = models.ForeignKey(ReportMailbox, on_delete=models.PROTECT, null=True, related_name="saved_reports")
    due_day = models.DateField(null=True, help_text="The gaming day on which it is written next.")
    ended_at = models.DateTimeField(null=True, help_text="Put away; what it wrote stays.")

    class Meta:
        ordering = ["name", "id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["premises", "name"], condition=models.Q(ended_at__isnull=True), name="saved_report_named_once"
            ),
            models.CheckConstraint(
                condition=models.Q(rota="never", due_day__isnull=True) | ~models.Q(rota="never"),
                name="saved_report_due_by_its_rota",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class ReportRun(models.Model):
    """A report that the worker writes: asked once, with the question it was asked; its file lies in the data folder."""

    class State(models.TextChoices):
        ASKED = "asked", "waiting for the worker"
        WRITING = "writing", "being written"
        DONE = "done", "ready"
        FAILED = "failed", "failed"

    premises = models.ForeignKey("jackpot.Property", on_delete=models.PROTECT, related_name="report_runs")
    report = models.CharField(max_length=40)
    words = models.JSONField(default=dict)
    form = models.CharField(max_length=4, choices=FORMS)
    saved = models.ForeignKey(SavedReport, on_delete=models.PROTECT, null=True, related_name="runs")
    asked_by = models.ForeignKey("jackpot.Operator", on_delete=models.PROTECT, related_name="+")
    asked_at = models.DateTimeField(help_text="The moment whose “yesterday” counts.")
    state = models.CharField(max_length=7, choices=State.choices, default=State.ASKED)
    taken_at = models.DateTimeField(null=True, help_text="A run that nobody finished is taken again after a while.")
    rows_done = models.PositiveBigIntegerField(default=0)
    rows_all = models.PositiveBigIntegerField(default=0)
    file = models.CharField(max_length=200, blank=True, help_text="Below reports/ in the data folder.")
    sha256 = models.CharField(max_length=64, blank=True)
    done_at = models.DateTimeField(null=True)
    trouble = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ["-id"]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["id"], condition=models.Q(state__in=["asked", "writing"]), name="report_run_waiting"),
        ]

    def __str__(self) -> str:
        return f"{self.report} of {self.asked_at:%Y-%m-%d %H:%M}"

    @property
    def percent(self) -> int:
        return min(100, 100 * self.rows_done // self.rows_all) if self.rows_all else 0


class ReportLetter(WaitingMessage):
    """A file on its way to a mailbox: written together with the word that the file is ready."""

    mailbox = models.ForeignKey(ReportMailbox, on_delete=models.PROTECT, related_name="letters")
    run = models.OneToOneField(
        ReportRun, on_delete=models.PROTECT, null=True, related_name="letter",
        help_text="Empty: the first letter, which says that reports come here.",
    )  # fmt: skip

    class Meta:
        ordering = ["id"]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                fields=["due_at"], condition=models.Q(sent_at__isnull=True, given_up_at__isnull=True),
                name="report_letter_waiting",
            ),
        ]  # fmt: skip

    def __str__(self) -> str:
        return f"letter {self.pk} to {self.mailbox}"


class LedgerAccount(models.Model):
    """What the general ledger of a house calls one side of its jackpots' books. Without a row the usual one counts."""

    premises = models.ForeignKey("jackpot.Property", on_delete=models.PROTECT, related_name="ledger_accounts")
    account = models.CharField(max_length=12, choices=[(name, name) for name in ACCOUNTS_OF_THE_LEDGER])
    code = models.CharField(max_length=20)
    name = models.CharField(max_length=60)

    class Meta:
        ordering = ["premises_id", "id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["premises", "account"], name="ledger_account_once"),
        ]

    def __str__(self) -> str:
        return f"{self.code} {self.name}"


class JournalExport(models.Model):
    """The journal of one gaming day as it went to the general ledger: once; later asking gives the same bytes."""

    premises = models.ForeignKey("jackpot.Property", on_delete=models.PROTECT, related_name="journal_exports")
    day = models.DateField()
    exported_at = models.DateTimeField(db_default=Now())
    exported_by = models.ForeignKey("jackpot.Operator", on_delete=models.PROTECT, related_name="+")
    # The bytes: accounts that are renamed afterwards change nothing of what the general ledger has.
    content = models.BinaryField(help_text="The CSV as it was taken, with the accounts of that moment.")
    sha256 = models.CharField(max_length=64)

    class Meta:
        ordering = ["-day"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["premises", "day"], name="journal_of_a_day_once"),
        ]

    def __str__(self) -> str:
        return f"journal of {self.day}"
