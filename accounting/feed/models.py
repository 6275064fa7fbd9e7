"""The feed of a house: what happened, numbered 1, 2, 3 … after it was committed."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models.functions import Now

from accounting.feed.rules.occurrence import EventTopic


class FeedHead(models.Model):
    """The last number of a house. Whoever numbers holds it, so numbers are committed in their order."""

    premises = models.OneToOneField("jackpot.Property", on_delete=models.PROTECT, primary_key=True, related_name="+")
    last_number = models.BigIntegerField(default=0)

    def __str__(self) -> str:
        return f"last event {self.last_number}"


class FeedReach(models.Model):
    """How far the books of a jackpot have been numbered."""

    jackpot = models.OneToOneField("jackpot.Jackpot", on_delete=models.PROTECT, primary_key=True, related_name="+")
    seq = models.BigIntegerField(default=0)

    def __str__(self) -> str:
        return f"numbered up to entry {self.seq}"


class FeedEvent(models.Model):
    """One thing that happened. Added, never changed: a program may read it again from any number."""

    premises = models.ForeignKey("jackpot.Property", on_delete=models.PROTECT, related_name="+")
    number = models.BigIntegerField()
    key = models.CharField(max_length=80, help_text="What it is made of; numbered once.")
    about = models.CharField(max_length=10, choices=[(each.value, each.value) for each in EventTopic])
    act = models.CharField(max_length=20)
    subject = models.CharField(max_length=40)
    at = models.DateTimeField(help_text="When it happened.")
    numbered_at = models.DateTimeField(db_default=Now())
    facts = models.JSONField()

    class Meta:
        ordering = ["number"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["premises", "number"], name="event_numbers_once"),
            models.UniqueConstraint(fields=["premises", "key"], name="event_numbered_once"),
            models.CheckConstraint(condition=models.Q(number__gte=1), name="event_numbers_from_one"),
        ]

    def __str__(self) -> str:
        return f"event {self.number}: {self.about} {self.act} {self.subject}"
