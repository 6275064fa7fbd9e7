from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import ClassVar

from django.contrib.postgres.indexes import BrinIndex
from django.db import models

from jackpot.money import Money, units_of
from jackpot.money_field import AmountField
from tables.rounds.models.further import FurtherCoinIn
from tables.rounds.rules.further import SeatsPlayed


class RoundState(models.TextChoices):
    OPEN = "open", "open"
    ENDED = "ended", "ended"
    VOID = "void", "void"


class Round(models.Model):
    """One round of one table. Its key, table and number, is what makes a coin-in count once."""

    pk = models.CompositePrimaryKey("table_id", "number")
    table = models.ForeignKey(
        "tables.Table", models.DO_NOTHING, db_constraint=False, db_index=False, related_name="rounds"
    )
    number = models.BigIntegerField()
    revision = models.PositiveSmallIntegerField(default=1)
    seats = models.CharField(max_length=9, blank=True, help_text="Seats with a chip of the first wager: “1256”.")
    wager = AmountField()
    spots = models.CharField(max_length=200, blank=True, help_text="Sensor map as the controller saw it.")
    device = models.ForeignKey(
        "tables.Device", models.DO_NOTHING, db_constraint=False, db_index=False, null=True, related_name="+"
    )
    sequence = models.BigIntegerField(default=0, help_text="The device's last sequence spent on this round.")
    generation = models.IntegerField(null=True, help_text="Of the secret that spent that number.")
    dealer = models.ForeignKey(
        "jackpot.Operator", models.DO_NOTHING, db_constraint=False, db_index=False, null=True, related_name="+"
    )
    deck_colour = models.CharField(max_length=20, blank=True)
    opened_at = models.DateTimeField()
    gaming_day = models.DateField()
    ended_at = models.DateTimeField(null=True)
    state = models.CharField(max_length=5, choices=RoundState.choices, default=RoundState.OPEN)
    # On the round itself, so that END asks no table of wins: an act that changes hits writes it in its own transaction.
    open_hits = models.PositiveSmallIntegerField(default=0)
    played_at = models.DateTimeField(null=True, help_text="As its box noted it; empty where it was told at once.")
    kept_back = models.CharField(
        max_length=8,
        blank=True,
        default="",
        db_default="",
        help_text="Whether its coin-in was kept back: waiting, accepted, refused.",
    )
    request = models.BinaryField(help_text="sha-256 of what was asked.")
    answer = models.TextField(help_text="What was answered; a repeat hears the same.")

    class Meta:
        ordering = ["table_id", "-number"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=models.Q(number__gte=1), name="round_numbers_start_at_one"),
        ]
        # Which pages of the table hold which days: rounds are written as they are played, and END changes no day.
        indexes = [
            BrinIndex(fields=["gaming_day"], name="round_of_a_day", pages_per_range=32, autosummarize=True),
        ]

    def __str__(self) -> str:
        return f"round {self.number}"

    @property
    def spots_counted(self) -> int:
        """Chips of the first wager."""
        return len(self.seats)

    @cached_property
    def further(self) -> Sequence[FurtherCoinIn]:
        """What was played of further wagers, as the round counts now."""
        rows = FurtherCoinIn.objects.filter(table_id=self.table_id, number=self.number, revision=self.revision)
        return list(rows.order_by("place"))

    @cached_property
    def seats_played(self) -> SeatsPlayed:
        """Who may win on which jackpot."""
        return SeatsPlayed(self.seats, [(each.jackpots, each.seats) for each in self.further])

    def further_on(self, jackpot_id: int) -> FurtherCoinIn | None:
        """The further wager whose chips raised a jackpot; None where those of the first did."""
        return next((each for each in self.further if jackpot_id in each.jackpots), None)

    def chip_on(self, jackpot_id: int) -> Money:
        """What a chip was worth whose wager wins on this jackpot."""
        own = self.further_on(jackpot_id)
        return Money(units_of(self.wager)) if own is None else own.chip_money

    def forget_further(self) -> None:
        """The round was counted again."""
        for told in ("further", "seats_played"):
            self.__dict__.pop(told, None)

    @property
    def chips(self) -> int:
        """Of all wagers."""
        return len(self.seats) + sum(len(each.seats) for each in self.further)

    @property
    def coin_in(self) -> Money:
        """Of all wagers, each counted once."""
        return Money(units_of(self.wager) * len(self.seats) + sum(each.total.units for each in self.further))


class RoundEntry(models.Model):
    """The entry of one jackpot that a round is counted on, once for each time it was counted. Added, never changed."""

    pk = models.CompositePrimaryKey("table_id", "number", "revision", "level")
    table = models.ForeignKey("tables.Table", models.DO_NOTHING, db_constraint=False, db_index=False, related_name="+")
    number = models.BigIntegerField()
    revision = models.PositiveSmallIntegerField()
    level = models.PositiveSmallIntegerField(help_text="Place among the round's jackpots, 1 the highest.")
    jackpot = models.ForeignKey(
        "jackpot.Jackpot", models.DO_NOTHING, db_constraint=False, db_index=False, related_name="+"
    )
    seq = models.BigIntegerField()

    class Meta:
        ordering = ["table_id", "-number", "revision", "level"]
        verbose_name_plural = "round entries"

    def __str__(self) -> str:
        return f"{self.jackpot_id}/{self.seq}"
