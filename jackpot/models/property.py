from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

from django.db import models

from jackpot.rules.gaming_day import gaming_day, zone_of


class Property(models.Model):
    """A casino or card room: its time, its money, its day."""

    code = models.CharField(max_length=20, unique=True)
    name = models.CharField(max_length=100)
    address = models.TextField(blank=True)
    time_zone = models.CharField(max_length=60, default="UTC")
    day_roll_minutes = models.PositiveSmallIntegerField(default=360, help_text="Minutes after midnight, local time.")
    currency = models.CharField(max_length=3, default="USD")
    locale = models.CharField(max_length=20, default="en_US")
    demo = models.BooleanField(default=False, help_text="Made by the demo file: served on loopback only.")

    class Meta:
        verbose_name_plural = "properties"
        constraints = [
            models.CheckConstraint(
                condition=models.Q(day_roll_minutes__lt=1440), name="property_day_rolls_within_a_day"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def zone(self) -> ZoneInfo:
        return zone_of(self.time_zone)

    def gaming_day(self, moment: datetime) -> date:
        return gaming_day(moment, self.time_zone, self.day_roll_minutes)
