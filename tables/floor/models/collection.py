from __future__ import annotations

from typing import ClassVar

from django.db import models

from jackpot.money import Money, units_of
from jackpot.money_field import AmountField
from tables.floor.models.table import Table
from tables.floor.rules.collection import BASIS_WORDS, CollectionRule, FeeBasis


class TableCollection(models.Model):
    """What a table takes for its hands from a gaming day on. Rows are added, never changed."""

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="collections")
    begins = models.DateField()
    basis = models.CharField(max_length=10, choices=[(basis.value, BASIS_WORDS[basis]) for basis in FeeBasis])
    fee = AmountField(help_text="0 where a schedule of the game says it.")
    rule_set = models.CharField(max_length=20, blank=True)
    option = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["table_id", "begins"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["table", "begins"], name="collection_of_a_day_once"),
        ]

    def __str__(self) -> str:
        return f"{self.table.code} from {self.begins}"

    @property
    def value(self) -> CollectionRule:
        return CollectionRule(self.begins, FeeBasis(self.basis), Money(units_of(self.fee)), self.rule_set, self.option)
