from __future__ import annotations

from typing import ClassVar

from django.db import models

from jackpot.money_field import AmountField


class TaxRecord(models.Model):
    """The paper that a paid slip leaves with the tax office: which form, and how many people. Added, never changed."""

    payment = models.OneToOneField("jackpot.Payment", on_delete=models.PROTECT, related_name="tax_record")
    premises = models.ForeignKey("jackpot.Property", on_delete=models.PROTECT, related_name="+")
    slip = models.BigIntegerField()
    gaming_day = models.DateField(help_text="Of the payment.")
    form = models.CharField(max_length=20, blank=True, help_text="Empty: kept for the cash report of the day alone.")
    in_cash = models.BooleanField()
    written_by = models.ForeignKey("jackpot.Operator", on_delete=models.PROTECT, related_name="+")
    written_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar[list[str]] = ["id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["premises", "slip"], name="tax_record_of_a_slip_once"),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["premises", "gaming_day"], name="tax_record_by_day")
        ]

    def __str__(self) -> str:
        return f"tax record of slip {self.slip}"


class Payee(models.Model):
    """One person of a tax record. Name, address and number are sealed with the house's key file.

    `person` is drawn from the number with a key of its own: payments to one person on one day are added up by it, and
    nobody reads the number out of it.
    """

    record = models.ForeignKey(TaxRecord, on_delete=models.PROTECT, related_name="payees")
    place = models.PositiveSmallIntegerField(help_text="1, 2, 3 … of its record.")
    person = models.CharField(max_length=32)
    sealed = models.BinaryField()
    gross = AmountField()
    withheld = AmountField()
    net = AmountField()

    class Meta:
        ordering: ClassVar[list[str]] = ["record_id", "place"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["record", "place"], name="payee_place_once"),
            models.UniqueConstraint(fields=["record", "person"], name="payee_once_a_record"),
            models.CheckConstraint(
                condition=models.Q(gross=models.F("net") + models.F("withheld")), name="payee_share_adds_up"
            ),
            models.CheckConstraint(condition=models.Q(net__gte=0, withheld__gte=0), name="payee_share_not_negative"),
        ]
        indexes: ClassVar[list[models.Index]] = [models.Index(fields=["person"], name="payee_by_person")]

    def __str__(self) -> str:
        return f"payee {self.place} of slip {self.record.slip}"
