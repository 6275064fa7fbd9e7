from __future__ import annotations

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models

from tables.floor.rules.checklist import Item, Seen


class TableCheck(models.Model):
    """A person looked at one item of a table's checklist. Added, never changed; the newest of an item counts."""

    table = models.ForeignKey("tables.Table", on_delete=models.PROTECT, related_name="checks")
    item = models.CharField(max_length=10, choices=[(item.value, item.spoken) for item in Item])
    in_order = models.BooleanField()
    at = models.DateTimeField()
    gaming_day = models.DateField()
    by = models.ForeignKey("jackpot.Operator", on_delete=models.PROTECT, related_name="+")
    note = models.CharField(max_length=200, blank=True)
    posted_minimum = models.PositiveIntegerField(null=True, help_text="Whole units of the currency, as posted.")
    posted_maximum = models.PositiveIntegerField(null=True)
    rule_sheet = models.CharField(max_length=20, blank=True, help_text="Rule set and option that the limits obey.")
    terms = models.CharField(max_length=64, help_text="sha-256 of the table's terms at that moment.")
    marks = ArrayField(
        models.CharField(max_length=40), default=list, blank=True, db_default=[],
        help_text="Wagering areas and inscriptions that were read there, by code.",
    )  # fmt: skip
    photo = models.BinaryField(null=True)
    photo_type = models.CharField(max_length=20, blank=True)
    photo_sha256 = models.CharField(max_length=64, blank=True)

    class Meta:
        ordering = ["-id"]
        # For the newest look at each item, however many looks a table has had.
        indexes: ClassVar[list[models.Index]] = [models.Index(fields=["table", "item", "-id"], name="check_newest")]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            # “In order” is what somebody may doubt later, and the picture is its proof; a fault has its note.
            models.CheckConstraint(
                condition=models.Q(in_order=False) | models.Q(photo__isnull=False), name="check_in_order_has_its_photo"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_item_display()} at {self.table.code}"

    @property
    def seen(self) -> Seen:
        return Seen(Item(self.item), self.in_order, self.terms, frozenset(self.marks))
