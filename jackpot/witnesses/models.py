from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models.functions import Now

from jackpot.property.rules.witness import WITNESS_WORDS, GivenWord


class ActWitness(models.Model):
    """Somebody stood by one act of awards before it was paid. Added, never changed.

    An act is a round with the moment at which its awards were approved: what is approved anew has witnesses of its own.
    """

    premises = models.ForeignKey("jackpot.Property", on_delete=models.PROTECT, related_name="+")
    table_code = models.CharField(max_length=20)
    round_number = models.BigIntegerField()
    approved_at = models.DateTimeField()
    part = models.CharField(max_length=13, choices=[(part.value, words) for part, words in WITNESS_WORDS.items()])
    operator = models.ForeignKey("jackpot.Operator", on_delete=models.PROTECT, related_name="+")
    operator_name = models.CharField(max_length=100)
    card = models.ForeignKey("jackpot.Card", on_delete=models.PROTECT, null=True, related_name="+")
    level = models.PositiveSmallIntegerField(default=0, help_text="Of the card; 0: by the own password.")
    reference = models.CharField(
        max_length=200, blank=True, help_text="Whom of the regulator an executive told, how, and when."
    )
    at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering: ClassVar[list[str]] = ["id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            # Whoever comes second for a part hears that somebody has stood by.
            models.UniqueConstraint(
                fields=["premises", "table_code", "round_number", "approved_at", "part"], name="witness_part_once"
            ),
            # One person is one pair of eyes: who stood by in one part does not stand for another.
            models.UniqueConstraint(
                fields=["premises", "table_code", "round_number", "approved_at", "operator"],
                name="witness_is_one_person",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.operator_name}, {self.part.replace('_', ' ')}, at {self.table_code}/{self.round_number}"

    @property
    def word(self) -> GivenWord:
        return GivenWord(self.operator_id, self.level)
