from __future__ import annotations

from django.db import models


class SensorAlarm(models.TextChoices):
    CHIP_AFTER_LOCK = "chip_after_lock", "chip arrived after the lock"
    REMOVED_BEFORE_LOCK = "removed_before_lock", "chip removed before the lock"
    STUCK = "stuck", "sensor stuck"
    SILENT = "silent", "sensor silent against its neighbours"


class SensorEvent(models.Model):
    """Something a seat's sensor did that a person should look at."""

    table = models.ForeignKey("tables.Table", on_delete=models.PROTECT, related_name="sensor_events")
    seat = models.PositiveSmallIntegerField()
    alarm = models.CharField(max_length=20, choices=SensorAlarm.choices)
    round_number = models.BigIntegerField(null=True)
    at = models.DateTimeField()
    wager = models.CharField(max_length=20, blank=True, help_text="Code of a further wager; empty for the first.")
    details = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.get_alarm_display()}, seat {self.seat}"
