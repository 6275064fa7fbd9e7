from __future__ import annotations

from typing import ClassVar

from django.db import models

from tables.hits.rules.surveillance import ITEMS


class SurveillanceTick(models.Model):
    """Somebody looked: one thing of the checklist of one round's hits. Added, never changed."""

    premises = models.ForeignKey("jackpot.Property", on_delete=models.PROTECT, related_name="+")
    table_code = models.CharField(max_length=20)
    round_number = models.BigIntegerField()
    item = models.CharField(max_length=20)
    note = models.CharField(max_length=80, blank=True, help_text="Camera and time, as they were read.")
    operator = models.ForeignKey("jackpot.Operator", on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ["id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["premises", "table_code", "round_number", "item"], name="surveillance_ticks_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.words} at {self.table_code}/{self.round_number}"

    @property
    def words(self) -> str:
        return ITEMS.get(self.item, self.item)
