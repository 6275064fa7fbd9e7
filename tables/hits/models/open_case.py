from __future__ import annotations

from typing import ClassVar

from django.db import models


class CaseKind(models.TextChoices):
    """Which of the two it is."""

    PARKED = "parked", "parked"
    CLAIMED = "claimed", "claimed late"


class OpenCase(models.Model):
    """Why a round that is over has an open hit: parked by an executive, or claimed late. Added, never changed."""

    Kind = CaseKind

    kind = models.CharField(max_length=8, choices=CaseKind.choices)
    table = models.ForeignKey("tables.Table", on_delete=models.PROTECT, related_name="cases")
    round_number = models.BigIntegerField()
    reason = models.CharField(max_length=200)
    evidence = models.CharField(max_length=200, blank=True, help_text="Where it can be seen: camera and time, a photo.")
    executive = models.ForeignKey("jackpot.Operator", on_delete=models.PROTECT, related_name="+")
    second = models.ForeignKey("jackpot.Operator", on_delete=models.PROTECT, null=True, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ["id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                # Parking changes nothing of what is due, so one executive does; a claim opens a payment.
                condition=models.Q(kind="parked") | (models.Q(second__isnull=False) & ~models.Q(evidence="")),
                name="case_claimed_by_two_with_evidence",
            ),
            models.CheckConstraint(
                condition=models.Q(second__isnull=True) | ~models.Q(second=models.F("executive")),
                name="case_of_two_people",
            ),
        ]

    def __str__(self) -> str:
        return f"round {self.round_number} {self.get_kind_display()}"
