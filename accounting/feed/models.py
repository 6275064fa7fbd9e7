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


class UnnumberedEvent(models.Model):
    """A step of a request or of a gaming day that has no number yet.

    The database itself adds it in the transaction of the act, whichever act it is; whoever numbers takes it away. So a
    round costs what is new, and what is committed late is found late, but found.
    """

    premises = models.ForeignKey("jackpot.Property", on_delete=models.PROTECT, related_name="+")
    about = models.CharField(max_length=10, choices=[(each.value, each.value) for each in EventTopic])
    source = models.BigIntegerField(help_text="Key of the request, or of the signature of a day.")
    step = models.CharField(max_length=10, blank=True, help_text="asked, decided or withdrawn, of a request.")

    class Meta:
        ordering = ["id"]
        indexes: ClassVar[list[models.Index]] = [models.Index(fields=["premises", "id"], name="unnumbered_in_turn")]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["about", "source", "step"], name="unnumbered_once"),
        ]

    def __str__(self) -> str:
        return self.key

    @property
    def key(self) -> str:
        """What the event is made of, in the words of the feed: numbered once."""
        return f"request/{self.source}/{self.step}" if self.about == EventTopic.REQUESTS else f"day/{self.source}"


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
