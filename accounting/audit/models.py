from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models.functions import Now


class AuditKind(models.TextChoices):
    PROOF = "proof", "proof of the books"
    PARCEL = "parcel", "parcel of a period"


class AuditState(models.TextChoices):
    ASKED = "asked", "waits for the worker"
    WORKING = "working", "under way"
    DONE = "done", "done"
    FAILED = "failed", "failed"


class AuditRun(models.Model):
    """Work for whoever audits: a proof of the books, or a parcel of a period. The worker does it and says how far it
    is; what came of it stays, also when a parcel's file has lived its time."""

    premises = models.ForeignKey("jackpot.Property", on_delete=models.PROTECT, related_name="audit_runs")
    kind = models.CharField(max_length=6, choices=AuditKind.choices)
    first = models.DateField(null=True, help_text="Of a parcel: its first gaming day.")
    last = models.DateField(null=True)
    asked_by = models.ForeignKey(
        "jackpot.Operator", on_delete=models.PROTECT, null=True, related_name="+",
        help_text="Nobody: asked on the server's own console.",
    )  # fmt: skip
    asked_at = models.DateTimeField(db_default=Now())
    state = models.CharField(max_length=7, choices=AuditState.choices, default=AuditState.ASKED)
    taken_at = models.DateTimeField(null=True, help_text="Work that nobody finished is taken again after a while.")
    part = models.CharField(max_length=60, blank=True, help_text="What is being read.")
    rows_done = models.PositiveBigIntegerField(default=0)
    rows_all = models.PositiveBigIntegerField(default=0)
    done_at = models.DateTimeField(null=True)
    findings = models.PositiveIntegerField(default=0)
    sentence = models.CharField(max_length=400, blank=True, help_text="What came of it.")
    answer = models.JSONField(default=dict, help_text="Of a proof its verdict, of a parcel its sections.")
    file = models.CharField(max_length=200, blank=True, help_text="Below audit/ in the data folder.")
    size = models.PositiveBigIntegerField(default=0)
    sha256 = models.CharField(max_length=64, blank=True, help_text="Of a parcel: the digest of its manifest.")
    file_gone_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=models.Q(kind="proof", first__isnull=True, last__isnull=True)
                | models.Q(kind="parcel", first__isnull=False, last__gte=models.F("first")),
                name="audit_parcel_has_its_days",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            # Of what still waits alone: the worker asks for it again and again, and what is done is never asked for so.
            models.Index(fields=["id"], condition=models.Q(state__in=["asked", "working"]), name="audit_run_waiting"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"

    @property
    def percent(self) -> int:
        return min(100, 100 * self.rows_done // self.rows_all) if self.rows_all else 0

    @property
    def is_over(self) -> bool:
        return self.state in (AuditState.DONE, AuditState.FAILED)
