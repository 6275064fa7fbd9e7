from __future__ import annotations

from typing import ClassVar

from django.db import models

from jackpot.money_field import AmountField


class Sign(models.Model):
    """A display on the wall and the meters it shows."""

    class Type(models.TextChoices):
        PICTURE = "picture", "picture sign"
        DIGITS = "digits", "digits sign"

    code = models.CharField(max_length=20, unique=True)
    name = models.CharField(max_length=60, blank=True)
    premises = models.ForeignKey("jackpot.Property", on_delete=models.PROTECT, related_name="signs")
    type = models.CharField(max_length=8, choices=Type.choices, default=Type.PICTURE)
    digits = models.PositiveSmallIntegerField(default=12, help_text="How many digits it can show, cents included.")
    notice = models.CharField(max_length=200, blank=True, help_text="Posted under the meter.")

    class Meta:
        ordering = ["code"]

    def __str__(self) -> str:
        return self.code


class SignMeter(models.Model):
    """One meter of a sign, in the order shown."""

    # May go with its sign: which meters hang where is no record of money, and is written anew as a whole.
    sign = models.ForeignKey(Sign, on_delete=models.CASCADE, related_name="meters")
    jackpot = models.ForeignKey("jackpot.Jackpot", on_delete=models.PROTECT, related_name="sign_meters")
    place = models.PositiveSmallIntegerField(default=1)

    class Meta:
        ordering = ["place"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["sign", "jackpot"], name="sign_shows_a_meter_once"),
        ]

    def __str__(self) -> str:
        return f"{self.sign.code}: {self.jackpot.code}"


class SignTally(models.Model):
    """What a sign said of itself on one gaming day: how often, how often the books disagreed, and what it said last."""

    sign = models.ForeignKey(Sign, on_delete=models.CASCADE, related_name="tallies")
    jackpot = models.ForeignKey("jackpot.Jackpot", on_delete=models.PROTECT, related_name="+")
    gaming_day = models.DateField()
    reports = models.PositiveIntegerField(default=0)
    disagreed = models.PositiveIntegerField(default=0)
    shown = AmountField(help_text="What it said last.")
    said_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["sign", "jackpot", "gaming_day"], name="sign_tally_of_a_day"),
        ]

    def __str__(self) -> str:
        return f"{self.sign.code}: {self.reports} reports on {self.gaming_day}"
