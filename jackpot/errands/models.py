from __future__ import annotations

from datetime import datetime

from django.db import models

from jackpot.errands.rules import is_overdue


class Errand(models.Model):
    """Work that comes round, and when it is due again. The database remembers it, so no lost message can skip it."""

    code = models.CharField(max_length=40, unique=True, help_text="What is done, such as “publish heads”.")
    every = models.DurationField()
    alarm_after = models.DurationField(help_text="So long after it was due, its delay is an alarm.")
    owed_since = models.DateTimeField(help_text="When it was first due after it was last done.")
    due_at = models.DateTimeField(help_text="Not tried before this moment.")
    done_at = models.DateTimeField(null=True)
    tries = models.PositiveIntegerField(default=0, help_text="Failures in a row.")
    last_error = models.CharField(max_length=300, blank=True)
    alarmed_at = models.DateTimeField(null=True, help_text="When the trail was told that it is overdue.")

    class Meta:
        ordering = ["code"]

    def __str__(self) -> str:
        return f"{self.code}, owed since {self.owed_since:%Y-%m-%d %H:%M}"

    def is_overdue(self, now: datetime) -> bool:
        return is_overdue(self.owed_since, self.alarm_after, now)

    @property
    def why(self) -> str:
        """What people and the trail are told of the delay."""
        if self.last_error:
            return f"It failed {self.tries} time{'s' if self.tries > 1 else ''}. Last word: {self.last_error}"
        return "Nobody does it: the worker does not run. See worker.log, and start the house again."
