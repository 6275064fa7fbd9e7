"""Alarms of a house, where they are told, and each message as a row that waits until it was taken."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models.functions import Now

from accounting.alarms.rules import LOUD, AlarmKind
from accounting.mail.outbox import WaitingMessage

PERSON = "jackpot.Operator"


class HouseAlarm(models.Model):
    """One thing that rings or rang: found by the worker, ended when it was not found any more."""

    premises = models.ForeignKey("jackpot.Property", on_delete=models.PROTECT, related_name="alarms")
    kind = models.CharField(max_length=20, choices=[(kind.value, kind.value) for kind in AlarmKind])
    subject = models.CharField(max_length=80)
    words = models.CharField(max_length=300)
    since = models.DateTimeField(db_default=Now())
    quiet_since = models.DateTimeField(null=True, help_text="Not found any more since then; half a minute ends it.")
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["premises", "kind", "subject"], condition=models.Q(ended_at__isnull=True),
                name="alarm_rings_once",
            ),
        ]  # fmt: skip

    def __str__(self) -> str:
        return f"{self.kind}: {self.subject}"

    @property
    def is_loud(self) -> bool:
        return self.kind in LOUD


class AlarmAddress(models.Model):
    """Where alarms of a house are told: a mailbox, a program, an ntfy topic. It never changes; it ends."""

    premises = models.ForeignKey("jackpot.Property", on_delete=models.PROTECT, related_name="alarm_addresses")
    name = models.CharField(max_length=60)
    address = models.CharField(max_length=500)
    loud_only = models.BooleanField(default=False, help_text="Only what somebody must be woken for.")
    added_by = models.ForeignKey(PERSON, on_delete=models.PROTECT, related_name="+")
    added_at = models.DateTimeField(db_default=Now())
    ended_at = models.DateTimeField(null=True)
    ended_by = models.ForeignKey(PERSON, on_delete=models.PROTECT, null=True, related_name="+")

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return self.name


class AlarmMessage(WaitingMessage):
    """One telling on its way: written together with the alarm, so that neither is there without the other."""

    address = models.ForeignKey(AlarmAddress, on_delete=models.PROTECT, related_name="messages")
    alarm = models.ForeignKey(HouseAlarm, on_delete=models.PROTECT, null=True, help_text="Empty: a try by a person.")
    ended = models.BooleanField(default=False, help_text="Tells that it is over.")

    class Meta:
        ordering = ["id"]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                fields=["due_at"], condition=models.Q(sent_at__isnull=True, given_up_at__isnull=True),
                name="alarm_message_waiting",
            ),
        ]  # fmt: skip

    def __str__(self) -> str:
        return f"message {self.pk} to {self.address}"
