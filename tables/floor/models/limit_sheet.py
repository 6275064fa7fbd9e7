from __future__ import annotations

from typing import ClassVar

from django.db import models

from tables.floor.rules.limit_sheets import LimitSheet


class EnteredLimits(models.Model):
    """A limit sheet as the house entered it, with its reference, from a gaming day on. Added, never changed."""

    premises = models.ForeignKey("jackpot.Property", on_delete=models.PROTECT, related_name="limit_sheets")
    begins = models.DateField()
    ends = models.DateField(null=True, help_text="Its last day, where it names one.")
    game = models.CharField(max_length=20)
    code = models.CharField(max_length=20)
    reference = models.CharField(max_length=120, help_text="The rule or letter that authorizes it.")
    least = models.PositiveIntegerField(help_text="The smallest posted minimum, in whole units of the currency.")
    most = models.PositiveIntegerField(help_text="The largest wager.")
    wager = models.CharField(
        max_length=20, blank=True, default="", db_default="", help_text="Of one kind only, by its name; empty: of all."
    )

    class Meta:
        ordering = ["premises_id", "begins", "code"]
        verbose_name_plural = "entered limits"
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["premises", "game", "code", "wager", "begins"], name="limits_entered_once_a_day"
            ),
            models.CheckConstraint(condition=models.Q(most__gte=models.F("least")), name="limits_most_not_below_least"),
        ]

    def __str__(self) -> str:
        return f"limits {self.code} from {self.begins}"

    @property
    def value(self) -> LimitSheet:
        return LimitSheet(
            self.begins, self.code, self.game, self.reference, self.least, self.most, self.ends, self.wager
        )
