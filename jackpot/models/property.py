from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

from django.contrib.postgres.fields import ArrayField
from django.db import models

from jackpot.models.fields import AmountField
from jackpot.money import Money, units_of
from jackpot.rules.authority import Thresholds
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
    executive_threshold = AmountField(default=5000, help_text="From this sum up an executive's card approves.")
    dual_threshold = AmountField(null=True, help_text="From this sum up two people approve; empty: never.")
    pin_from_level = models.PositiveSmallIntegerField(default=3, help_text="Cards of this level and above need a PIN.")
    cards_from_multiple = models.PositiveIntegerField(default=1000, help_text="Awards of this many wagers need cards.")
    cards_required = models.BooleanField(
        default=True, help_text="Hits are approved only on their cards, or on “cards seen” below that multiple."
    )
    marker_may_verify = models.BooleanField(default=False)
    verifier_may_pay = models.BooleanField(default=False)
    limit_may_equal_meter = models.BooleanField(default=False, help_text="A new limit may be the present meter itself.")
    raise_limit_at_once = models.BooleanField(default=False, help_text="A higher limit need not wait for a reset.")
    surveillance = ArrayField(
        models.CharField(max_length=20), default=list, blank=True, help_text="What is ticked off at a hit, by code."
    )
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

    @property
    def thresholds(self) -> Thresholds:
        dual = None if self.dual_threshold is None else Money(units_of(self.dual_threshold))
        return Thresholds(
            Money(units_of(self.executive_threshold)), dual, self.pin_from_level, self.cards_from_multiple,
            self.marker_may_verify, self.verifier_may_pay, self.cards_required,
        )  # fmt: skip

    def gaming_day(self, moment: datetime) -> date:
        return gaming_day(moment, self.time_zone, self.day_roll_minutes)
