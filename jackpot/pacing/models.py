from __future__ import annotations

from typing import ClassVar

from django.db import models


class PacedTries(models.Model):
    """Tries of one kind from one place that were not given back, and until when the next one waits.

    They stand in the database, so that a restart forgets none and every process counts on.
    """

    kind = models.CharField(max_length=20)
    who = models.CharField(max_length=200, help_text="A name with its address, a box, a person: whoever tries.")
    tries = models.PositiveIntegerField(default=0)
    last_at = models.DateTimeField()
    until = models.DateTimeField(help_text="Before this moment nothing is looked at.")

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["kind", "who"], name="paced_tries_once"),
        ]
        indexes: ClassVar[list[models.Index]] = [models.Index(fields=["last_at"], name="paced_tries_by_time")]

    def __str__(self) -> str:
        return f"{self.tries} tries of {self.kind} by {self.who}"
