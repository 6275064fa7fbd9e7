from __future__ import annotations

from typing import Any, ClassVar

from django.db import models

from jackpot.adjusting.rules.adjusting import ACCOUNTS, GROUNDS, MAKES_UP, NAMES, SOURCES, Adjusting
from jackpot.books.models.jackpot import Jackpot
from jackpot.canonical import request_of
from jackpot.money import Money, units_of
from jackpot.money_field import AmountField
from jackpot.requests.models import Request


class Adjustment(Request):
    """An act of two people on the money or the state of a jackpot."""

    Kind = Adjusting

    other = models.ForeignKey("jackpot.Jackpot", on_delete=models.PROTECT, null=True, related_name="+")
    pays = models.BooleanField(default=False, help_text="Difference: paid by a page of its own; else only noted.")
    account = models.CharField(
        max_length=10, choices=[(name, name) for name in dict.fromkeys(ACCOUNTS + SOURCES)], default="meter"
    )
    amount = AmountField(
        null=True,
        help_text="Adjust: signed. Transfer: how much of the meter; empty: everything. Difference: as the back-out "
        "kept it.",
    )
    leaves_seed = models.BooleanField(
        default=False, help_text="Transfer, retire: everything but a seed, which stays in the meter."
    )
    reading = AmountField(
        null=True,
        help_text="Retire: what the sign showed at the closing reading. Underpayment: what the meter must have been.",
    )
    ground = models.CharField(max_length=20, choices=list(GROUNDS.items()))
    gaming_day = models.DateField(null=True, help_text="Of its entries.")
    posted = models.JSONField(default=dict, help_text="Balances before and after, as they were posted.")

    class Meta:
        ordering: ClassVar[list[str]] = ["-id"]
        indexes: ClassVar[list[models.Index]] = [models.Index(fields=["amount"], name="adjustment_by_amount")]

    def __str__(self) -> str:
        return f"{NAMES[Adjusting(self.kind)]} {self.pk}"

    @property
    def its_jackpot(self) -> Jackpot:
        assert self.jackpot is not None, "an adjustment is one of a jackpot"
        return self.jackpot

    @property
    def its_jackpot_id(self) -> int:
        assert self.jackpot_id is not None, "an adjustment is one of a jackpot"
        return self.jackpot_id

    @property
    def amount_money(self) -> Money | None:
        return None if self.amount is None else Money(units_of(self.amount))

    @property
    def reading_money(self) -> Money | None:
        return None if self.reading is None else Money(units_of(self.reading))

    def plain(self) -> dict[str, Any]:
        """The request as the trail and the digest of its entries know it."""
        # Only where it says something: requests of before must still give the digest that their entries sealed.
        decides = {"cause": self.cause_id, "pays": self.pays} if self.kind in MAKES_UP else {}
        return {
            "act": self.kind, "adjustment": self.pk, "jackpot": self.its_jackpot.code,
            "other": self.other and self.other.code,
            "win": self.win_id, "account": self.account, "amount": _text(self.amount_money),
            "reading": _text(self.reading_money), "reason": self.ground, "why": self.reason,
            "evidence": self.evidence, "file": self.file_sha256, "requested_by": self.asked_by.username,
            **({"leaves_seed": True} if self.leaves_seed else {}), **decides,
        }  # fmt: skip

    def sealed(self, approved_by: str) -> bytes:
        """The request of its entries: what was asked for, by whom, and who approved it. A back-out says its reason."""
        if self.kind == Adjusting.BACK_OUT:
            return backed_out_because(self.win_id, self.reason)
        return request_of({**self.plain(), "approved_by": approved_by})

    @property
    def names_of_entries(self) -> list[str]:
        """What it wrote: GRAND/45, MINI/12."""
        return [str(each) for each in self.entries.all()]

    @property
    def entry_text(self) -> str:
        return " ".join(self.names_of_entries)


def backed_out_because(win_id: int | None, reason: str) -> bytes:
    return request_of({"act": "back_out", "win": win_id, "reason": reason})


def _text(amount: Money | None) -> str | None:
    return None if amount is None else str(amount)


class CoverSuspension(models.Model):
    """A jackpot that suspended itself because the bank held too little. Added, never changed.

    Nobody signs it: the switch was signed with the house's facts. What leads back is a resumption by two people.
    """

    jackpot = models.ForeignKey("jackpot.Jackpot", on_delete=models.PROTECT, related_name="cover_suspensions")
    seq = models.BigIntegerField(help_text="Its entry.")
    required = AmountField(help_text="Of all jackpots of the house at that moment.")
    balance = AmountField(help_text="As somebody read it off the last statement.")
    as_of = models.DateField(help_text="The day of that statement.")
    at = models.DateTimeField()

    class Meta:
        ordering: ClassVar[list[str]] = ["id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["jackpot", "seq"], name="cover_suspension_of_an_entry"),
            models.CheckConstraint(condition=models.Q(balance__lt=models.F("required")), name="cover_was_short"),
        ]

    def __str__(self) -> str:
        return f"suspension of {self.jackpot.code} by the switch"

    @property
    def words(self) -> str:
        required, balance = (Money(units_of(each)) for each in (self.required, self.balance))
        return f"{required} is required, and the bank held {balance} on {self.as_of}."
