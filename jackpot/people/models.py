from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, ClassVar

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager
from django.contrib.postgres.fields import ArrayField
from django.db import models

from jackpot.people.rules.card_level import level_on
from jackpot.property.rules.gaming_day import day_of_no_house


class Role(models.Model):
    """What people of one kind may do, as data."""

    code = models.CharField(max_length=20, unique=True)
    name = models.CharField(max_length=60)
    may = ArrayField(models.CharField(max_length=40), default=list, help_text="Verbs this role may use.")

    class Meta:
        ordering = ["code"]

    def __str__(self) -> str:
        return self.name


class Operators(BaseUserManager["Operator"]):
    def create_user(self, username: str, password: str | None = None, **fields: Any) -> Operator:
        operator = self.model(username=username, **fields)
        operator.set_password(password)
        operator.save(using=self._db)
        return operator


class Operator(AbstractBaseUser):
    """A person of the house who signs in or carries a card."""

    username = models.CharField(max_length=60, unique=True)
    name = models.CharField(max_length=100)
    premises = models.ForeignKey("jackpot.Property", on_delete=models.PROTECT, null=True, related_name="operators")
    roles = models.ManyToManyField(Role, related_name="operators")
    is_active = models.BooleanField(default=True)
    created_at = models.DateTimeField(auto_now_add=True)

    USERNAME_FIELD = "username"
    REQUIRED_FIELDS: ClassVar[list[str]] = ["name"]

    objects = Operators()

    def __str__(self) -> str:
        return self.name or self.username

    def verbs(self) -> frozenset[str]:
        """Everything this person's roles allow, read fresh: a removed role counts at once."""
        granted = self.roles.values_list("may", flat=True)
        return frozenset(verb for verbs in granted for verb in verbs)

    def may(self, verb: str) -> bool:
        return self.is_active and verb in self.verbs()

    def day_at(self, moment: datetime) -> date:
        """The gaming day of the own house."""
        return self.premises.gaming_day(moment) if self.premises else day_of_no_house(moment)


@dataclass(frozen=True, slots=True)
class NoBadge:
    """Nobody was badged in: what was done there is known by its table only, and is no person's."""

    table_code: str

    def __str__(self) -> str:
        return f"nobody badged in at {self.table_code}"


Actor = Operator | NoBadge | str
"""Whoever acts: a person of the house, a table without a badge, or a name that is no person's key."""


def person_of(actor: Actor) -> Operator | None:
    """The person whose key is compared; a bare name is only a name."""
    return actor if isinstance(actor, Operator) else None


class Card(models.Model):
    """A card of one person. Its number is kept as a keyed hash and the last four; it identifies, it is no secret."""

    class Level(models.IntegerChoices):
        DEALER = 1, "dealer"
        SUPERVISOR = 2, "supervisor"
        EXECUTIVE = 3, "executive"

    operator = models.ForeignKey(Operator, on_delete=models.PROTECT, related_name="cards")
    number_hash = models.BinaryField(max_length=32, unique=True)
    last_four = models.CharField(max_length=4)
    level = models.PositiveSmallIntegerField(choices=Level.choices)
    next_level = models.PositiveSmallIntegerField(choices=Level.choices, null=True, help_text="Signed by two people.")
    next_level_from = models.DateField(null=True, help_text="The gaming day from which it counts.")
    pin_hash = models.CharField(max_length=200, blank=True)
    wrong_pins = models.PositiveSmallIntegerField(default=0)
    locked_at = models.DateTimeField(null=True, help_text="Three wrong PINs lock a card until it is unlocked.")
    expires_on = models.DateField(null=True)
    blocked_at = models.DateTimeField(null=True)

    pin_given = False  # said by whoever checked it, for this object only

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=models.Q(next_level__isnull=True, next_level_from__isnull=True)
                | models.Q(next_level__isnull=False, next_level_from__isnull=False),
                name="card_next_level_has_its_day",
            ),
        ]

    def __str__(self) -> str:
        return f"•••• {self.last_four} ({self.get_level_display()})"

    def level_on(self, day: date) -> int:
        """Its level on a gaming day; a raise that two people signed counts from its day on."""
        if self.next_level is None:
            return self.level
        return level_on(self.level, self.next_level, self.next_level_from, day)

    def day_at(self, moment: datetime) -> date:
        """The gaming day of the house it belongs to."""
        return self.operator.day_at(moment)

    def expired_on(self, day: date) -> bool:
        """The last day of a card is whole: it ends with that gaming day of its house."""
        return self.expires_on is not None and self.expires_on < day

    def works_on(self, day: date) -> bool:
        """Whether it does anything on that gaming day: neither blocked, nor locked by wrong PINs, nor expired."""
        return self.blocked_at is None and self.locked_at is None and not self.expired_on(day)

    def comes_to(self, moment: datetime) -> Card:
        """The same card at the level of that moment. It is for reading: nobody saves it."""
        if self.next_level is not None:
            self.level = self.level_on(self.day_at(moment))
        return self


class KeyRegister(models.Model):
    """Who signed a supervisor key out, from and to: a key number is a person only for that time."""

    premises = models.ForeignKey("jackpot.Property", on_delete=models.PROTECT, related_name="keys")
    number = models.CharField(max_length=20)
    operator = models.ForeignKey(Operator, on_delete=models.PROTECT, related_name="keys")
    level = models.PositiveSmallIntegerField(choices=Card.Level.choices, default=Card.Level.SUPERVISOR)
    out_at = models.DateTimeField()
    back_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["premises", "number"], condition=models.Q(back_at__isnull=True), name="key_out_once"
            ),
        ]

    def __str__(self) -> str:
        return f"key {self.number}: {self.operator}"


class OneTimeCode(models.Model):
    """Lets its person choose a new password or a card's PIN, once. Only its keyed hash is kept."""

    request = models.OneToOneField(
        "jackpot.Request", on_delete=models.PROTECT, related_name="one_time_code", help_text="Signed by two people."
    )
    operator = models.ForeignKey(Operator, on_delete=models.PROTECT, related_name="codes")
    card = models.ForeignKey(
        Card, on_delete=models.PROTECT, null=True, related_name="codes", help_text="Empty: it is for a password."
    )
    code_hash = models.BinaryField(max_length=32, unique=True)
    shown_to = models.ForeignKey(Operator, on_delete=models.PROTECT, related_name="+")
    ends_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"one-time code of {self.operator}"


class SecondFactor(models.Model):
    """What a person shows beside the password: digits of an app that keeps this secret. It counts once confirmed."""

    operator = models.OneToOneField(Operator, on_delete=models.PROTECT, related_name="second_factor")
    secret = models.BinaryField(max_length=200, help_text="Encrypted under the file key.")
    confirmed_at = models.DateTimeField(null=True)
    last_step = models.BigIntegerField(default=0, help_text="Digits of this moment and before fit no more.")

    def __str__(self) -> str:
        return f"second factor of {self.operator}"


class Passkey(models.Model):
    """A key that a device or stick of a person keeps; we know its public half, and to which name of ours it answers."""

    operator = models.ForeignKey(Operator, on_delete=models.PROTECT, related_name="passkeys")
    site = models.CharField(max_length=253, help_text="The name under which the browser had opened us.")
    name = models.CharField(max_length=40)
    credential = models.BinaryField(max_length=1024, unique=True)
    public_key = models.BinaryField(max_length=2000)
    uses = models.BigIntegerField(default=0, help_text="The counter of the key, where it has one: it only rises.")
    made_at = models.DateTimeField(auto_now_add=True)
    used_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return self.name


class DirectoryLink(models.Model):
    """Whom the casino's directory names so is this person here; said by the person, and ended by the person."""

    operator = models.OneToOneField(Operator, on_delete=models.PROTECT, related_name="directory_link")
    issuer = models.CharField(max_length=300)
    subject = models.CharField(max_length=255, help_text="The directory's own name for the person; it never changes.")
    made_at = models.DateTimeField(auto_now_add=True)
    used_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["issuer", "subject"], name="directory_person_links_once"),
        ]

    def __str__(self) -> str:
        return f"directory link of {self.operator}"


class RecoveryCode(models.Model):
    """Instead of app or passkey, once. Only its keyed hash is kept."""

    operator = models.ForeignKey(Operator, on_delete=models.PROTECT, related_name="recovery_codes")
    code_hash = models.BinaryField(max_length=32)
    used_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["operator", "code_hash"], name="recovery_code_once"),
        ]

    def __str__(self) -> str:
        return f"recovery code of {self.operator}"
