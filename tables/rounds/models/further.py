from __future__ import annotations

from decimal import Decimal
from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models

from jackpot.money import Money, units_of
from jackpot.money_field import AmountField


class FurtherCoinIn(models.Model):
    """The chips of one further wager in a round, once for each time the round was counted. Added, never changed.

    A round keeps the chips of the first wager itself. An entry belongs to the further wager that fed its jackpot then,
    and to the first one where none did.
    """

    pk = models.CompositePrimaryKey("table_id", "number", "revision", "place")
    table = models.ForeignKey("tables.Table", models.DO_NOTHING, db_constraint=False, db_index=False, related_name="+")
    number = models.BigIntegerField()
    revision = models.PositiveSmallIntegerField()
    place = models.PositiveSmallIntegerField(help_text="Of the wager at its table, then.")
    wager = models.CharField(max_length=20, help_text="Its code.")
    chip = AmountField()
    seats = models.CharField(max_length=9, help_text="Seats with a chip of it, as digits: “26”.")
    spots = models.CharField(max_length=200, blank=True, help_text="Its sensors as the controller saw them.")
    jackpots = ArrayField(models.BigIntegerField(), help_text="Which it fed then, by level.")

    class Meta:
        ordering: ClassVar = ["table_id", "-number", "revision", "place"]
        verbose_name_plural = "further coin-ins"
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=models.Q(place__gte=2), name="further_coin_in_from_two"),
            models.CheckConstraint(condition=~models.Q(seats=""), name="further_coin_in_has_seats"),
        ]

    def __str__(self) -> str:
        return f"{self.wager} in round {self.number}"

    @property
    def chip_money(self) -> Money:
        return Money(units_of(self.chip))

    @property
    def total(self) -> Money:
        return self.chip_money * len(self.seats)

    @property
    def total_decimal(self) -> Decimal:
        """As a door writes it."""
        return self.total.decimal()
