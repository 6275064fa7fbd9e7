from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models.functions import Now


class WentBack(models.Model):
    """That a jackpot's books went back, as somebody remembered it; while it is not accepted nothing is posted."""

    jackpot = models.ForeignKey("jackpot.Jackpot", models.PROTECT, related_name="went_back")
    known_seq = models.BigIntegerField(help_text="The highest entry that was seen.")
    known_seal = models.BinaryField()
    found_seq = models.BigIntegerField(help_text="Where the books stood when it was found.")
    why = models.TextField(help_text="The sentence.")
    told_by = models.CharField(max_length=60, help_text="Who remembered: a node, published heads, a device.")
    at = models.DateTimeField(db_default=Now())
    asked_by = models.ForeignKey("jackpot.Operator", models.PROTECT, null=True, related_name="+")
    asked_at = models.DateTimeField(null=True)
    asked_seq = models.BigIntegerField(null=True, help_text="Up to where somebody remembered when it was asked for.")
    reason = models.CharField(max_length=200, blank=True)
    accepted_by = models.ForeignKey("jackpot.Operator", models.PROTECT, null=True, related_name="+")
    accepted_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["-id"]
        verbose_name_plural = "books that went back"
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["jackpot"], condition=models.Q(accepted_at__isnull=True), name="went_back_once_at_a_time"
            ),
            models.CheckConstraint(
                condition=models.Q(accepted_by__isnull=True) | ~models.Q(accepted_by=models.F("asked_by")),
                name="went_back_two_people",
            ),
        ]

    def __str__(self) -> str:
        return self.why

    @property
    def is_asked(self) -> bool:
        """By somebody who saw what is known now: since then nobody remembered more."""
        return self.asked_by_id is not None and self.asked_seq == self.known_seq
