from __future__ import annotations

from typing import ClassVar

from django.db import models


class TableDuty(models.Model):
    """Who deals at a table, from badge in to badge out."""

    table = models.ForeignKey("tables.Table", on_delete=models.PROTECT, related_name="duties")
    operator = models.ForeignKey("jackpot.Operator", on_delete=models.PROTECT, related_name="duties")
    card = models.ForeignKey(
        "jackpot.Card", on_delete=models.PROTECT, null=True, related_name="+", help_text="The badge that was read."
    )
    began_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name_plural = "table duties"
        constraints: ClassVar[list[models.BaseConstraint]] = [
            # An act at a table names one dealer: with two badged in nobody could say who marked.
            models.UniqueConstraint(
                fields=["table"], condition=models.Q(ended_at__isnull=True), name="duty_one_dealer_at_a_table"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.operator} at {self.table}"
