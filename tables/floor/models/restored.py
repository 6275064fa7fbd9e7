from __future__ import annotations

from typing import ClassVar

from django.db import models


class ComparisonState(models.TextChoices):
    SILENT = "silent", "its box has not said what it knows"
    MISSING = "missing", "its box knows rounds that the books do not"
    DIFFERS = "differs", "its box and the books differ"
    AGREES = "agrees", "its box and the books agree"
    ACCEPTED = "accepted", "accepted by two people"
    REPLACED = "replaced", "asked anew after another restore"


class RestoredTable(models.Model):
    """A table whose books came out of a backup or an archive: what they knew, and what its box knows."""

    table = models.ForeignKey("tables.Table", models.PROTECT, related_name="restored")
    at = models.DateTimeField()
    books_round = models.BigIntegerField(help_text="The last round that the restored books hold; 0 for none.")
    books_slip = models.BigIntegerField(help_text="The last slip that they gave out; 0 for none.")
    told_round = models.BigIntegerField(null=True, help_text="The last round that the box heard acknowledged.")
    told_slip = models.BigIntegerField(null=True)
    told_by = models.CharField(max_length=40, blank=True)
    told_at = models.DateTimeField(null=True)
    posted = models.PositiveIntegerField(default=0, help_text="Rounds posted from the journal of the box.")
    clash = models.CharField(max_length=120, blank=True, help_text="The first round that the two tell differently.")
    state = models.CharField(max_length=8, choices=ComparisonState.choices, default=ComparisonState.SILENT)
    request = models.ForeignKey("jackpot.Request", models.PROTECT, null=True, related_name="+")

    class Meta:
        ordering: ClassVar = ["-id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            # One question at a time: another restore asks anew and replaces what was open (`_ask_the_boxes`).
            models.UniqueConstraint(
                fields=["table"],
                condition=models.Q(state__in=["silent", "missing", "differs"]),
                name="one_open_comparison_a_table",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table.code}, {self.get_state_display()}"
