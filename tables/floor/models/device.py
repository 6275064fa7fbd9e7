from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models.functions import Now


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
    model = models.CharField(max_length=60, blank=True, help_text="Its maker's name for it; rules may differ by it.")
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
    last_sequence = models.BigIntegerField(
        default=0, help_text="The highest number that its newest secret spent on an act or a refusal."
    )
    heard_sequence = models.BigIntegerField(
        default=0, db_default=0, help_text="The same of its beats and sensor maps, a second late."
    )
    earlier_sequence = models.BigIntegerField(
        default=0, db_default=0, help_text="The highest number that the secret before spent on anything."
    )
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


class ComponentKind(models.TextChoices):
    """What a regulator approves by its version: the devices, and the server itself."""

    CONTROLLER = DeviceKind.CONTROLLER.value, DeviceKind.CONTROLLER.label
    SIGN = DeviceKind.SIGN.value, DeviceKind.SIGN.label
    COIN_SPOT = DeviceKind.COIN_SPOT.value, DeviceKind.COIN_SPOT.label
    SERVER = "server", "server"


class VersionRule(models.Model):
    """Which software a model of a kind must run in a house: exactly this, this and newer, or any."""

    class Rule(models.TextChoices):
        EXACT = "exact", "exactly"
        MINIMUM = "minimum", "at least"
        ANY = "any", "any version"
        NONE = "none", "no other model"

    premises = models.ForeignKey("jackpot.Property", on_delete=models.PROTECT, related_name="version_rules")
    kind = models.CharField(max_length=12, choices=ComponentKind.choices)
    model = models.CharField(max_length=60, blank=True, help_text="Empty: every model without a rule of its own.")
    rule = models.CharField(max_length=8, choices=Rule.choices)
    version = models.CharField(max_length=40, blank=True)
    keeps_closed = models.BooleanField(default=False, help_text="A table whose device fails the rule stays closed.")
    approval = models.CharField(max_length=120, blank=True, help_text="Under which reference it was approved.")
    at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ["premises_id", "kind", "model"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["premises", "kind", "model"], name="version_rule_of_a_model_once"),
        ]

    def __str__(self) -> str:
        return f"{self.about}: {self.wanted}"

    @property
    def about(self) -> str:
        return f"{self.get_kind_display()} {self.model}".strip()

    @property
    def wanted(self) -> str:
        return f"{self.get_rule_display()} {self.version}".strip()
