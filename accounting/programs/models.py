"""Tokens of programs, and who speaks when one is shown."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Now

from accounting.programs.rules.token import MOST_DAYS
from jackpot.property.models.property import Property


class ProgramToken(models.Model):
    """Lets one program read, until its end. Only the keyed hash is kept; what was given never changes."""

    premises = models.ForeignKey("jackpot.Property", on_delete=models.PROTECT, related_name="program_tokens")
    name = models.CharField(max_length=60, help_text="The program that has it.")
    # Apart from the secret, so that people may speak of a token without giving it away.
    prefix = models.CharField(max_length=12, unique=True, help_text="How people and the trail call it.")
    secret_hash = models.BinaryField(max_length=32, unique=True)
    scopes = ArrayField(models.CharField(max_length=40))
    given_by = models.ForeignKey("jackpot.Operator", on_delete=models.PROTECT, related_name="+")
    # Empty in tokens of before: one administrator gave them.
    request = models.OneToOneField(
        "jackpot.Request", on_delete=models.PROTECT, null=True, related_name="program_token",
        help_text="What two people signed.",
    )  # fmt: skip
    shown_to = models.ForeignKey(
        "jackpot.Operator", on_delete=models.PROTECT, null=True, related_name="+",
        help_text="Who of the two read it, and might have kept it.",
    )  # fmt: skip
    given_at = models.DateTimeField(db_default=Now())
    ends_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)
    revoked_by = models.ForeignKey("jackpot.Operator", on_delete=models.PROTECT, null=True, related_name="+")
    ended_with = models.ForeignKey(
        "jackpot.Operator", on_delete=models.PROTECT, null=True, related_name="+",
        help_text="Whose dismissal ended it.",
    )  # fmt: skip
    last_used_at = models.DateTimeField(null=True)
    uses = models.BigIntegerField(default=0)

    class Meta:
        ordering = ["-id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=models.Q(scopes__len__gt=0), name="token_reads_something"),
            models.CheckConstraint(
                condition=models.Q(ends_at__gt=models.F("given_at"))
                & models.Q(ends_at__lte=models.F("given_at") + timedelta(days=MOST_DAYS + 2)),  # a last day, anywhere
                name="token_ends_within_a_year",
            ),
            models.CheckConstraint(
                condition=models.Q(revoked_at__isnull=True, revoked_by__isnull=True)
                | models.Q(revoked_at__isnull=False, revoked_by__isnull=False),
                name="token_revoked_by_somebody",
            ),
        ]

    def __str__(self) -> str:
        return f"program {self.name} ({self.prefix})"

    @property
    def last_day(self) -> date:
        """In the house's own calendar; the moment of its end is the midnight behind it."""
        return (self.ends_at.astimezone(self.premises.zone) - timedelta(microseconds=1)).date()

    def state_at(self, now: datetime) -> str:
        """In the words of the list."""
        if self.revoked_at is not None:
            return "revoked" if self.ended_with_id is None else "ended"
        if not self.given_by.is_active or (self.shown_to is not None and not self.shown_to.is_active):
            return "ended"
        return "ended" if self.ends_at <= now else "works"


@dataclass(frozen=True, slots=True)
class ProgramCaller:
    """Who asks when a token is shown: no person, so nothing that compares people ever takes it for one."""

    token: ProgramToken
    is_authenticated: ClassVar[bool] = True
    is_anonymous: ClassVar[bool] = False
    is_active: ClassVar[bool] = True
    pk: ClassVar[None] = None  # the key of a person, which it is not: the trail keeps its name and house

    @property
    def username(self) -> str:
        return str(self)

    @property
    def premises(self) -> Property:
        return self.token.premises

    @property
    def premises_id(self) -> int:
        return self.token.premises_id

    def verbs(self) -> frozenset[str]:
        return frozenset(self.token.scopes)

    def may(self, verb: str) -> bool:
        return verb in self.token.scopes

    def __str__(self) -> str:
        return str(self.token)
