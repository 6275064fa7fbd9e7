"""A jackpot, its balances and the versions of its terms."""

from __future__ import annotations

from functools import cached_property
from typing import ClassVar

from django.db import models

from jackpot.books.rules.movement import NEVER_NEGATIVE, Balances
from jackpot.canonical import digest_of
from jackpot.money import Money, units_of
from jackpot.money_field import AmountField
from jackpot.terms.rules.terms import Terms, terms_of_text


class JackpotState(models.TextChoices):
    OPEN = "open", "open"
    SUSPENDED = "suspended", "suspended"
    RETIRED = "retired", "retired"


class Version(models.Model):
    """One immutable set of terms of one jackpot. The text is what counts; its digest stands in every entry's seal."""

    jackpot = models.ForeignKey("jackpot.Jackpot", on_delete=models.PROTECT, related_name="versions")
    number = models.PositiveIntegerField()
    terms = models.TextField(help_text="Canonical JSON; never changed.")
    digest = models.CharField(max_length=64)
    requested_by = models.CharField(max_length=60)
    approved_by = models.CharField(max_length=60)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["jackpot", "number"], name="version_numbers_once"),
        ]

    def __str__(self) -> str:
        return f"{self.jackpot.code} v{self.number}"

    @cached_property
    def value(self) -> Terms:
        """The terms as a value."""
        return terms_of_text(self.terms)

    def digest_found(self) -> str:
        return digest_of(self.terms)


class Jackpot(models.Model):
    """A meter, its balances and the head of its books. Changed only together with an entry."""

    State = JackpotState

    code = models.CharField(max_length=20, unique=True)
    name = models.CharField(max_length=60)
    premises = models.ForeignKey("jackpot.Property", on_delete=models.PROTECT, related_name="jackpots")
    version = models.ForeignKey(Version, on_delete=models.PROTECT, null=True, related_name="+")
    state = models.CharField(max_length=10, choices=JackpotState.choices, default=JackpotState.OPEN)
    retired_at = models.DateTimeField(null=True)
    transfer_by = models.DateField(null=True, help_text="Retired: until when its money has another home.")
    last_seq = models.BigIntegerField(default=0)
    contributed = AmountField(default=0)
    meter = AmountField(default=0)
    reserve = AmountField(default=0)
    overflow = AmountField(default=0)
    house = AmountField(default=0)
    winners = AmountField(default=0)
    paid = AmountField(default=0)
    outside = AmountField(default=0)
    advance = AmountField(default=0, help_text="What of house advances is still owed; re-added from its entries.")
    seal = models.BinaryField(default=bytes(32))
    last_at = models.DateTimeField(null=True)
    floor_changes = models.BigIntegerField(
        default=0, db_default=0,
        help_text="How often a table, link, wager, dealer or device that feeds it was changed.",
    )  # fmt: skip

    class Meta:
        ordering = ["code"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            *(
                models.CheckConstraint(
                    condition=models.Q(**{f"{account}__gte": 0}), name=f"jackpot_{account}_never_negative"
                )
                for account in (*NEVER_NEGATIVE, "advance")
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.code})"

    @property
    def balances(self) -> Balances:
        return Balances(
            *map(
                units_of,
                (
                    self.contributed, self.meter, self.reserve, self.overflow,
                    self.house, self.winners, self.paid, self.outside,
                ),
            )
        )  # fmt: skip

    @property
    def advance_money(self) -> Money:
        return Money(units_of(self.advance))

    @property
    def meter_money(self) -> Money:
        return Money(units_of(self.meter))
