from __future__ import annotations

from typing import ClassVar

from django.db import models

from jackpot.books.rules.entry_kind import CHOICES, EntryKind
from jackpot.books.rules.movement import ACCOUNTS, Balances, Movement
from jackpot.money import units_of
from jackpot.money_field import AmountField


class Entry(models.Model):
    """One sealed line of a jackpot's books. Added, never changed: the database refuses anything else."""

    pk = models.CompositePrimaryKey("jackpot_id", "seq")
    # Without a constraint behind it: every coin-in would pay for looking, and no jackpot is ever taken away.
    jackpot = models.ForeignKey(
        "jackpot.Jackpot", models.DO_NOTHING, db_constraint=False, db_index=False, related_name="entries"
    )
    seq = models.BigIntegerField()
    kind = models.CharField(max_length=12, choices=CHOICES)
    key = models.CharField(max_length=80)
    occurred_at = models.DateTimeField()
    gaming_day = models.DateField()
    table_code = models.CharField(max_length=20, blank=True)
    round_number = models.BigIntegerField(null=True)
    win_id = models.BigIntegerField(null=True)
    corrects = models.BigIntegerField(null=True)
    version = models.ForeignKey(
        "jackpot.Version", models.DO_NOTHING, db_constraint=False, db_index=False, related_name="+"
    )
    contributed = AmountField()
    meter = AmountField()
    reserve = AmountField()
    overflow = AmountField()
    house = AmountField()
    winners = AmountField()
    paid = AmountField()
    outside = AmountField()
    contributed_after = AmountField()
    meter_after = AmountField()
    reserve_after = AmountField()
    overflow_after = AmountField()
    house_after = AmountField()
    winners_after = AmountField()
    paid_after = AmountField()
    outside_after = AmountField()
    request = models.BinaryField()
    seal = models.BinaryField()

    class Meta:
        ordering = ["jackpot_id", "seq"]
        verbose_name_plural = "entries"
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=models.Q(
                    meter_after__gte=0, reserve_after__gte=0, overflow_after__gte=0, winners_after__gte=0
                ),
                name="entry_balances_never_negative",
            ),
            # A coin-in is named once by its round already, so none has to write this index.
            models.UniqueConstraint(
                fields=["jackpot", "key"],
                condition=~models.Q(kind=EntryKind.COIN_IN.value),
                name="entry_act_named_once",
            ),
            models.UniqueConstraint(
                fields=["jackpot", "corrects"], condition=models.Q(corrects__isnull=False), name="entry_corrected_once"
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [  # no coin-in stands in it, so none writes it
            models.Index(
                fields=["jackpot", "seq"], condition=~models.Q(kind=EntryKind.COIN_IN.value), name="entry_acts"
            )
        ]

    def __str__(self) -> str:
        return f"{self.jackpot_id}/{self.seq} {self.get_kind_display()}"

    @property
    def movement(self) -> Movement:
        return Movement(*(units_of(getattr(self, account)) for account in ACCOUNTS))

    @property
    def after(self) -> Balances:
        return Balances(*(units_of(getattr(self, f"{account}_after")) for account in ACCOUNTS))
