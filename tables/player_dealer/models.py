from __future__ import annotations

from typing import ClassVar

from django.db import models

from jackpot.money import Money, units_of
from jackpot.money_field import AmountField
from tables.floor.models.table import Table
from tables.floor.rules.collection import BASIS_WORDS


class BankedHand(models.Model):
    """A hand that a player banks, as it lay before the cards, and what was collected for it. Never changed."""

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="banked_hands")
    number = models.BigIntegerField(help_text="Of its round.")
    banker = models.PositiveSmallIntegerField(help_text="The player-dealer's seat: there lies the button.")
    in_a_row = models.PositiveSmallIntegerField(help_text="Which hand in a row that seat banks.")
    passed = models.CharField(max_length=9, blank=True, help_text="Seats that did not take the bank before, as digits.")
    bank_wager = AmountField()
    action = AmountField(help_text="The total action: all wagers before the cards, without the bank's.")
    basis = models.CharField(
        max_length=10, blank=True, choices=[(one.value, words) for one, words in BASIS_WORDS.items()]
    )
    rule_set = models.CharField(max_length=20, blank=True)
    option = models.PositiveSmallIntegerField(default=0)
    fee = AmountField(help_text="What the player-dealer pays; it goes into the drop box before the deal.")
    gaming_day = models.DateField()
    at = models.DateTimeField()
    dealer = models.ForeignKey("jackpot.Operator", on_delete=models.PROTECT, null=True, related_name="+")
    device = models.ForeignKey("tables.Device", on_delete=models.PROTECT, null=True, related_name="+")
    request = models.BinaryField(help_text="sha-256 of what was told.")

    class Meta:
        ordering = ["table_id", "-number"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["table", "number"], name="banked_hand_told_once"),
            models.CheckConstraint(
                condition=models.Q(in_a_row__gte=1, in_a_row__lte=2), name="bank_two_hands_in_a_row_at_most"
            ),
            models.CheckConstraint(
                condition=models.Q(bank_wager__gt=0, action__gt=0, fee__gte=0), name="banked_hand_has_action"
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [models.Index(fields=["gaming_day"], name="banked_hand_by_day")]

    def __str__(self) -> str:
        return f"hand {self.number}, seat {self.banker} banks"

    @property
    def fee_money(self) -> Money:
        return Money(units_of(self.fee))


class SpotWager(models.Model):
    """One wager of one spot before the cards. Never changed."""

    hand = models.ForeignKey(BankedHand, on_delete=models.PROTECT, related_name="wagers")
    seat = models.PositiveSmallIntegerField()
    wager = models.CharField(max_length=20)
    amount = AmountField()

    class Meta:
        ordering = ["hand_id", "seat", "id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["hand", "seat", "wager"], name="spot_wager_once"),
            models.CheckConstraint(condition=models.Q(amount__gt=0), name="spot_wager_above_zero"),
        ]

    def __str__(self) -> str:
        return f"seat {self.seat}, {self.wager}"
