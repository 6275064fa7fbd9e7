from __future__ import annotations

from typing import ClassVar

from django.db import models


class DeviceKind(models.TextChoices):
    CONTROLLER = "controller", "table controller"
    SIGN = "sign", "sign"
    COIN_SPOT = "coin_spot", "coin spot"


class DeviceState(models.TextChoices):
    WAITING = "waiting", "waiting to be enrolled"
    ACTIVE = "active", "active"
    BLOCKED = "blocked", "blocked"


class Device(models.Model):
    """A machine with a credential of its own. Its secret is kept encrypted under the file key."""

    code = models.CharField(max_length=40, unique=True)
    kind = models.CharField(max_length=12, choices=DeviceKind.choices)
    serial = models.CharField(max_length=60, blank=True)
    version = models.CharField(max_length=40, blank=True)
    contact = models.CharField(max_length=100, blank=True)
    table = models.ForeignKey("tables.Table", on_delete=models.PROTECT, null=True, blank=True, related_name="devices")
    sign = models.ForeignKey("tables.Sign", on_delete=models.PROTECT, null=True, blank=True, related_name="devices")
    state = models.CharField(max_length=8, choices=DeviceState.choices, default=DeviceState.WAITING)
    secret = models.BinaryField(null=True)
    generation = models.PositiveIntegerField(default=0, help_text="Counts its secrets; every act says whose it is.")
    secret_before = models.BinaryField(null=True, help_text="The secret before, while its grace lasts.")
    earlier_until = models.DateTimeField(null=True, help_text="Until when the secret before is heard.")
    last_sequence = models.BigIntegerField(default=0, help_text="The highest number spent on an act or a refusal.")
    enrol_hash = models.BinaryField(null=True, help_text="Keyed hash of the one-time code.")
    enrol_expires_at = models.DateTimeField(null=True)
    enrolled_at = models.DateTimeField(null=True)
    connection = models.CharField(max_length=32, blank=True, help_text="Its newest connection; an older one is closed.")
    last_seen_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["code"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["enrol_hash"], condition=models.Q(enrol_hash__isnull=False), name="device_enrol_code_once"
            ),
        ]

    def __str__(self) -> str:
        return self.code


class VersionRule(models.Model):
    """Which software a kind of device must run: exactly this, or this and newer."""

    class Rule(models.TextChoices):
        EXACT = "exact", "exactly"
        MINIMUM = "minimum", "at least"

    kind = models.CharField(max_length=12, choices=DeviceKind.choices, unique=True)
    rule = models.CharField(max_length=8, choices=Rule.choices)
    version = models.CharField(max_length=40)
    keeps_closed = models.BooleanField(default=False, help_text="A table whose device fails the rule stays closed.")

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.get_rule_display()} {self.version}"
