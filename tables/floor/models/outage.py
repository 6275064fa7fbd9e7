from __future__ import annotations

from datetime import timedelta
from typing import ClassVar, Final

from django.db import models

SILENT_FOR: Final = timedelta(seconds=15)  # shorter silences are the link light's; the trigger has the same figure


class Outage(models.Model):
    """A box was not heard for a while: from its last word to its first one after. Added, never changed.

    The database writes it with that first word, whoever wrote it down: a message more on the way of a coin-in would
    cost every round, and a worker that looks now and then would miss what is short.
    """

    table = models.ForeignKey("tables.Table", on_delete=models.PROTECT, related_name="outages")
    device = models.ForeignKey("tables.Device", on_delete=models.PROTECT, related_name="outages")
    began_at = models.DateTimeField(help_text="The last word before.")
    ended_at = models.DateTimeField(help_text="The first word after.")
    table_state = models.CharField(max_length=11, help_text="Of the table when the box was heard again.")

    class Meta:
        ordering: ClassVar[list[str]] = ["-id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["device", "began_at"], name="outage_of_a_device_once"),
            models.CheckConstraint(condition=models.Q(ended_at__gt=models.F("began_at")), name="outage_ends_later"),
        ]
        indexes: ClassVar[list[models.Index]] = [models.Index(fields=["table", "-began_at"], name="outage_of_a_table")]

    def __str__(self) -> str:
        return f"outage of {self.device}"

    @property
    def lasted(self) -> timedelta:
        return self.ended_at - self.began_at
