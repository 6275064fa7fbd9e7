from __future__ import annotations

from typing import ClassVar

from django.db import models

from jackpot.money import Money, units_of
from jackpot.money_field import AmountField


class PlayHour(models.Model):
    """What a table took in within an hour of play, beside what was expected of it then. Added, never changed."""

    table = models.ForeignKey("tables.Table", on_delete=models.PROTECT, related_name="play_hours")
    begins_at = models.DateTimeField()
    last_round = models.BigIntegerField(help_text="Up to which round of the table it was counted.")
    rounds = models.PositiveIntegerField()
    coin_in = AmountField()
    expected = AmountField(null=True, help_text="The mean of its hours before; empty: they were too few.")
    bound = AmountField(help_text="From here on it is beyond reason.")
    above = models.BooleanField()

    class Meta:
        ordering: ClassVar[list[str]] = ["-begins_at", "table_id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["table", "begins_at"], name="play_hour_once"),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["begins_at"], condition=models.Q(above=True), name="play_hour_above"),
        ]

    def __str__(self) -> str:
        return f"{self.table} from {self.begins_at:%H:%M}"

    @property
    def coin_in_money(self) -> Money:
        return Money(units_of(self.coin_in))
