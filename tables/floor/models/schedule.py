from __future__ import annotations

from typing import ClassVar

from django.db import models

from tables.floor.rules.schedules import ScheduleStanding
from tables.games.fees import ScheduleStatus


class NotedSchedule(models.Model):
    """How a collection schedule stands in a house from a gaming day on, and what says so. Added, never changed."""

    premises = models.ForeignKey("jackpot.Property", on_delete=models.PROTECT, related_name="noted_schedules")
    begins = models.DateField()
    game = models.CharField(max_length=20)
    rule_set = models.CharField(max_length=20)
    option = models.PositiveSmallIntegerField(default=0, help_text="0: every option of the rule set.")
    status = models.CharField(max_length=12, choices=[(status.value, status.spoken) for status in ScheduleStatus])
    reference = models.CharField(max_length=120, help_text="The letter, approval or notice that says so.")

    class Meta:
        ordering = ["premises_id", "begins", "rule_set", "option"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["premises", "game", "rule_set", "option", "begins"], name="schedule_noted_once_a_day"
            ),
        ]

    def __str__(self) -> str:
        return f"rule set {self.rule_set} from {self.begins}"

    @property
    def value(self) -> ScheduleStanding:
        return ScheduleStanding(
            self.begins, self.game, self.rule_set, self.option, ScheduleStatus(self.status), self.reference
        )
