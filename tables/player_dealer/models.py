from __future__ import annotations

from typing import ClassVar

from django.db import models

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
    shared = models.JSONField(default=dict, db_default={}, help_text="Players of each spot that more than one plays.")

    class Meta:
        ordering = ["table_id", "-number"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["table", "number"], name="banked_hand_told_once"),
            # California: the bank passes after two hands in a row at most.
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
    def settlement_or_none(self) -> HandSettlement | None:
        """What became of it, where that was told."""
        return getattr(self, "settlement", None)


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


class HandSettlement(models.Model):
    """What became of a banked hand: what its player-dealer collected and paid. Never changed."""

    hand = models.OneToOneField(BankedHand, on_delete=models.PROTECT, related_name="settlement")
    collected = AmountField(help_text="Of losing wagers.")
    paid = AmountField(help_text="To winning wagers.")
    uncovered = AmountField(help_text="Due beyond the bank's wager: neither paid nor taken, it went back.")
    at = models.DateTimeField()
    dealer = models.ForeignKey("jackpot.Operator", on_delete=models.PROTECT, null=True, related_name="+")
    device = models.ForeignKey("tables.Device", on_delete=models.PROTECT, null=True, related_name="+")
    request = models.BinaryField(help_text="sha-256 of what was told.")

    class Meta:
        ordering = ["hand_id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=models.Q(collected__gte=0, paid__gte=0, uncovered__gte=0), name="hand_settled_from_zero_up"
            ),
        ]

    def __str__(self) -> str:
        return f"settlement of {self.hand}"


class SettledWager(models.Model):
    """One wager of a settled hand, in the order in which it was settled. Never changed."""

    settlement = models.ForeignKey(HandSettlement, on_delete=models.PROTECT, related_name="parts")
    place = models.PositiveSmallIntegerField(help_text="In the order of settling.")
    seat = models.PositiveSmallIntegerField()
    wager = models.CharField(max_length=20)
    stake = AmountField()
    due = AmountField(help_text="By the cards: above zero it won, below zero it lost.")
    moved = AmountField(help_text="What of it the bank's wager covered.")

    class Meta:
        ordering = ["settlement_id", "place"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["settlement", "seat", "wager"], name="wager_settled_once"),
            models.UniqueConstraint(fields=["settlement", "place"], name="wagers_settled_in_order"),
            models.CheckConstraint(
                condition=models.Q(due__gte=0, moved__gte=0, moved__lte=models.F("due"))
                # The bank's wager covers what is due or less; what moves against it, or beyond, nobody owed.
                | models.Q(due__lt=0, moved__lte=0, moved__gte=models.F("due")),
                name="wager_moved_within_its_due",
            ),
        ]

    def __str__(self) -> str:
        return f"seat {self.seat}, {self.wager}"
