from __future__ import annotations

from typing import ClassVar, Final

from django.db import models

from jackpot.money_field import AmountField

SEATS: Final = range(1, 10)
SEAT_NAMES: Final = [f"seat_{seat}" for seat in SEATS]


class _OfTable(models.Model):
    table = models.ForeignKey("tables.Table", models.DO_NOTHING, db_constraint=False, db_index=False, related_name="+")
    gaming_day = models.DateField()

    class Meta:
        abstract = True


class SummedPlay(_OfTable):
    """Which rounds of a table's gaming day are added up, as they stood after so many changes.

    A sum holds as long as nobody changed a round of that table and day since: where the count of changes is another
    one, rounds are read instead.
    """

    pk = models.CompositePrimaryKey("gaming_day", "table_id")
    first = models.BigIntegerField(help_text="Number of the first round.")
    last = models.BigIntegerField(help_text="Number of the last one; every round of the table up to it is in a sum.")
    changes = models.PositiveIntegerField()

    class Meta:
        verbose_name_plural = "summed play"
        indexes: ClassVar[list[models.Index]] = [models.Index(fields=["table", "last"], name="summed_play_upto")]

    def __str__(self) -> str:
        return f"{self.gaming_day} rounds {self.first} to {self.last}"


class SummedWager(_OfTable):
    """What was played of one wager at a table on a gaming day, and at which seats. The first wager has no code."""

    pk = models.CompositePrimaryKey("gaming_day", "table_id", "wager", "chip")
    wager = models.CharField(max_length=20, blank=True)
    chip = AmountField()
    rounds = models.PositiveIntegerField()
    chips = models.PositiveIntegerField()
    seat_1 = models.PositiveIntegerField()
    seat_2 = models.PositiveIntegerField()
    seat_3 = models.PositiveIntegerField()
    seat_4 = models.PositiveIntegerField()
    seat_5 = models.PositiveIntegerField()
    seat_6 = models.PositiveIntegerField()
    seat_7 = models.PositiveIntegerField()
    seat_8 = models.PositiveIntegerField()
    seat_9 = models.PositiveIntegerField()

    def __str__(self) -> str:
        return f"{self.gaming_day} {self.chips} of {self.chip}"


class SummedHalfHour(_OfTable):
    """What was played at a table within half an hour, all wagers together."""

    pk = models.CompositePrimaryKey("gaming_day", "table_id", "begins_at")
    begins_at = models.DateTimeField()
    rounds = models.PositiveIntegerField()
    chips = models.PositiveIntegerField()
    coin_in = AmountField()

    def __str__(self) -> str:
        return f"{self.begins_at:%H:%M} {self.coin_in}"


class ChangedPlay(_OfTable):
    """A round that was over was changed: it was voided. Added in the transaction that changes it, never taken away."""

    class Meta:
        verbose_name_plural = "changed play"
        indexes: ClassVar[list[models.Index]] = [models.Index(fields=["gaming_day", "table"], name="changed_play_day")]

    def __str__(self) -> str:
        return f"{self.gaming_day}"


class SumsBegun(models.Model):
    """From here on every round of the house was in a sum once; before, an old house is still being added up."""

    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "sums begun"

    def __str__(self) -> str:
        return f"{self.at:%H:%M}"
