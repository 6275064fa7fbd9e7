"""Webhooks: addresses to which the events of a house are sent, and how far each has come."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Now
from django.utils import timezone

from accounting.webhooks.rules.address import LONGEST_ADDRESS, is_encrypted
from accounting.webhooks.rules.delivery_life import WebhookState, is_alarming, webhook_state

PERSON = "jackpot.Operator"


class Webhook(models.Model):
    """One address and what it wants to hear. What was registered never changes; what moves is how far it came."""

    premises = models.ForeignKey("jackpot.Property", on_delete=models.PROTECT, related_name="webhooks")
    name = models.CharField(max_length=60, help_text="The program behind the address.")
    address = models.CharField(max_length=LONGEST_ADDRESS)
    kinds = ArrayField(models.CharField(max_length=40), help_text="books, books/award …")
    secret_sealed = models.BinaryField(help_text="What it signs with, readable with the file key only.")
    earlier_sealed = models.BinaryField(null=True, help_text="The secret before it, which signs too for a while.")
    earlier_until = models.DateTimeField(null=True, help_text="… until this moment.")
    registered_by = models.ForeignKey(PERSON, on_delete=models.PROTECT, related_name="+")
    # Empty where one administrator registered it, before that took two.
    request = models.OneToOneField(
        "jackpot.Request", on_delete=models.PROTECT, null=True, related_name="webhook",
        help_text="What two people signed.",
    )  # fmt: skip
    registered_at = models.DateTimeField(db_default=Now())
    last_number = models.BigIntegerField(help_text="Every event up to this number is delivered, or not wanted.")
    next_try_at = models.DateTimeField(db_default=Now(), help_text="Nothing is sent before this moment.")
    claim = models.BigIntegerField(default=0, help_text="Rises with each worker that takes it, and with each replay.")
    claimed_until = models.DateTimeField(null=True, help_text="A worker is at it; nobody else is until then.")
    last_tried_at = models.DateTimeField(null=True)
    last_answer = models.CharField(max_length=200, blank=True, help_text="What came of the last delivery, in words.")
    delivered_at = models.DateTimeField(null=True, help_text="When it last took something.")
    deliveries = models.BigIntegerField(default=0, help_text="How often it took something.")
    tries = models.PositiveIntegerField(default=0, help_text="Failures in a row.")
    failing_since = models.DateTimeField(null=True)
    alarmed_at = models.DateTimeField(null=True, help_text="When the trail was told that it fails for long.")
    paused_at = models.DateTimeField(null=True)
    paused_by = models.ForeignKey(PERSON, on_delete=models.PROTECT, null=True, related_name="+")
    retired_at = models.DateTimeField(null=True)
    retired_by = models.ForeignKey(PERSON, on_delete=models.PROTECT, null=True, related_name="+")

    class Meta:
        ordering = ["-id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=models.Q(kinds__len__gt=0), name="webhook_wants_something"),
            models.CheckConstraint(condition=models.Q(last_number__gte=0), name="webhook_number_from_nothing"),
            models.CheckConstraint(
                condition=models.Q(paused_at__isnull=True, paused_by__isnull=True)
                | models.Q(paused_at__isnull=False, paused_by__isnull=False),
                name="webhook_paused_by_somebody",
            ),
            models.CheckConstraint(
                condition=models.Q(retired_at__isnull=True, retired_by__isnull=True)
                | models.Q(retired_at__isnull=False, retired_by__isnull=False),
                name="webhook_retired_by_somebody",
            ),
            models.CheckConstraint(
                condition=models.Q(tries=0, failing_since__isnull=True)
                | models.Q(tries__gt=0, failing_since__isnull=False),
                name="webhook_fails_since_some_time",
            ),
        ]

    def __str__(self) -> str:
        return f"webhook {self.pk} ({self.name})"

    @property
    def trail_name(self) -> str:
        """How the trail calls it."""
        return f"webhook {self.pk}"

    @property
    def state(self) -> WebhookState:
        return webhook_state(
            failing=self.failing_since is not None, paused=self.paused_at is not None,
            retired=self.retired_at is not None,
        )  # fmt: skip

    @property
    def is_encrypted(self) -> bool:
        return is_encrypted(self.address)

    def fails_for_long(self, now: datetime | None = None) -> bool:
        return self.state == WebhookState.FAILS and is_alarming(self.failing_since, now or timezone.now())
