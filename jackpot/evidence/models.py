from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models.functions import Now

from jackpot.evidence.rules.evidence_file import EvidenceKind, spoken_size


class EvidenceFile(models.Model):
    """A file, kept once under the digest of what stands in it. Never changed, never removed; the database refuses it,
    and a content that is not that of its digest as well."""

    sha256 = models.CharField(max_length=64, primary_key=True)
    kind = models.CharField(max_length=4, choices=[(kind.value, kind.value) for kind in EvidenceKind])
    size = models.PositiveIntegerField()
    content = models.BinaryField()
    kept_at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return f"evidence {self.sha256[:12]}"

    @property
    def spoken_size(self) -> str:
        return spoken_size(self.size)


class RequestEvidence(models.Model):
    """A file that somebody added to a request, under the name that it had there."""

    request = models.ForeignKey("jackpot.Request", on_delete=models.PROTECT, related_name="files")
    file = models.ForeignKey(EvidenceFile, on_delete=models.PROTECT, related_name="uses")
    name = models.CharField(max_length=120)
    added_by = models.ForeignKey("jackpot.Operator", on_delete=models.PROTECT, related_name="+")
    added_by_name = models.CharField(max_length=100, help_text="The name as it was then; people are compared by key.")
    added_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ["id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["request", "file"], name="evidence_of_a_request_once")
        ]

    def __str__(self) -> str:
        return self.name


class RoundEvidence(models.Model):
    """A file that proves a hit of one round: added with a late claim or an override, or afterwards."""

    table_code = models.CharField(max_length=20)
    round_number = models.BigIntegerField()
    file = models.ForeignKey(EvidenceFile, on_delete=models.PROTECT, related_name="round_uses")
    name = models.CharField(max_length=120)
    added_by = models.ForeignKey("jackpot.Operator", on_delete=models.PROTECT, related_name="+")
    added_by_name = models.CharField(max_length=100, help_text="The name as it was then; people are compared by key.")
    added_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ["id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["table_code", "round_number", "file"], name="evidence_of_a_round_once")
        ]

    def __str__(self) -> str:
        return self.name
