from __future__ import annotations

import json
from functools import cached_property
from typing import ClassVar

from django.db import models

from jackpot.terms.rules.change_life import APPROVED, ChangeState
from jackpot.terms.rules.terms import Terms


class Change(models.Model):
    """A request for other terms of one jackpot: asked by one person, decided by another, kept whatever became of it."""

    class How(models.TextChoices):
        NEXT_RESET = "next_reset", "at the next reset"
        AT_ONCE = "at_once", "at once"

    State = ChangeState

    jackpot = models.ForeignKey("jackpot.Jackpot", on_delete=models.PROTECT, related_name="changes")
    number = models.PositiveIntegerField(help_text="1, 2, 3 … per jackpot.")
    terms = models.TextField(help_text="Canonical JSON of what is asked for; never changed.")
    digest = models.CharField(max_length=64)
    stands_on = models.ForeignKey(
        "jackpot.Version", on_delete=models.PROTECT, related_name="+", help_text="In force when it was drafted."
    )
    how = models.CharField(max_length=12, choices=How.choices, default=How.NEXT_RESET)
    reason = models.CharField(max_length=200)
    state = models.CharField(max_length=10, choices=[(state.value, state.value) for state in ChangeState])
    asked_by = models.ForeignKey("jackpot.Operator", on_delete=models.PROTECT, related_name="+")
    asked_at = models.DateTimeField(auto_now_add=True)
    previewed_at = models.DateTimeField(null=True)
    findings = models.JSONField(default=list, help_text="What the preview said, frozen with the request.")
    figures = models.JSONField(default=list, help_text="The laboratory's answers: in force, then asked for.")
    decided_by = models.ForeignKey("jackpot.Operator", on_delete=models.PROTECT, null=True, related_name="+")
    decided_at = models.DateTimeField(null=True)
    decided_why = models.CharField(max_length=200, blank=True)
    withdrawn_by = models.ForeignKey("jackpot.Operator", on_delete=models.PROTECT, null=True, related_name="+")
    withdrawn_at = models.DateTimeField(null=True)
    withdrawn_why = models.CharField(max_length=200, blank=True)
    version = models.OneToOneField("jackpot.Version", on_delete=models.PROTECT, null=True, related_name="change")
    before = models.ForeignKey(
        "jackpot.Version", on_delete=models.PROTECT, null=True, related_name="+", help_text="What it took the place of."
    )
    activated_at = models.DateTimeField(null=True)
    activated_seq = models.BigIntegerField(null=True, help_text="The first entry under its version.")

    class Meta:
        ordering = ["jackpot_id", "number"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["jackpot", "number"], name="change_numbers_once"),
            models.UniqueConstraint(
                fields=["jackpot"], condition=models.Q(state=ChangeState.WAITING.value), name="change_one_waits"
            ),
            models.CheckConstraint(
                condition=~models.Q(state__in=sorted(state.value for state in APPROVED))
                | (models.Q(decided_by__isnull=False) & ~models.Q(decided_by=models.F("asked_by"))),
                name="change_of_two_people",
            ),
        ]

    def __str__(self) -> str:
        return f"change {self.number} of {self.jackpot.code}"

    @cached_property
    def value(self) -> Terms:
        """The terms asked for, as a value."""
        return Terms.of(json.loads(self.terms))
