from __future__ import annotations

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models

from jackpot.money_field import AmountField


class KeptState(models.TextChoices):
    WAITING = "waiting", "waiting"
    ACCEPTED = "accepted", "accepted"
    REFUSED = "refused", "refused"


class KeptBack(models.Model):
    """A coin-in that no table can have played so: counted on its round, and on no meter before a person says so."""

    table = models.ForeignKey("tables.Table", models.PROTECT, related_name="kept_back")
    number = models.BigIntegerField(help_text="Of its round.")
    why = models.CharField(max_length=80, help_text="What is not plausible about it.")
    jackpots = ArrayField(models.BigIntegerField(), help_text="Which its table fed then, the highest level first.")
    chips = models.PositiveSmallIntegerField()
    total = AmountField()
    played_at = models.DateTimeField()
    at = models.DateTimeField()
    state = models.CharField(max_length=8, choices=KeptState.choices, default=KeptState.WAITING)
    decided_by = models.ForeignKey("jackpot.Operator", models.PROTECT, null=True, related_name="+")
    second = models.ForeignKey(
        "jackpot.Operator",
        models.PROTECT,
        null=True,
        related_name="+",
        help_text="Who stood by: beyond what one accepts.",
    )
    decided_at = models.DateTimeField(null=True)
    reason = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering: ClassVar = ["table_id", "number"]
        verbose_name_plural = "coin-ins kept back"
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["table", "number"], name="kept_back_once"),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["table"], condition=models.Q(state="waiting"), name="kept_back_waiting"),
        ]

    def __str__(self) -> str:
        return f"round {self.number}, {self.state}"
