from __future__ import annotations

from typing import ClassVar

from django.db import models

from jackpot.authority.rules.authority_life import AuthorityState
from jackpot.property.rules.authority_change import LEVEL, Differs, Step, card_differs, differences


class AuthorityChange(models.Model):
    """A request for other thresholds, PIN rule or policies of a house, or another level of one card.

    Asked by one person, decided by another, kept whatever became of it.
    """

    State = AuthorityState

    premises = models.ForeignKey("jackpot.Property", on_delete=models.PROTECT, related_name="authority_changes")
    number = models.PositiveIntegerField(help_text="1, 2, 3 … per property.")
    card = models.ForeignKey("jackpot.Card", on_delete=models.PROTECT, null=True, related_name="authority_changes")
    before = models.JSONField(help_text="What stood when it was asked, of the settings that are asked for.")
    after = models.JSONField(help_text="What is asked for, by setting; never changed.")
    reason = models.CharField(max_length=200)
    state = models.CharField(max_length=10, choices=[(state.value, state.value) for state in AuthorityState])
    findings = models.JSONField(default=list, help_text="What the preview said, kept with the request.")
    asked_by = models.ForeignKey("jackpot.Operator", on_delete=models.PROTECT, related_name="+")
    asked_at = models.DateTimeField(auto_now_add=True)
    alone = models.BooleanField(default=False, help_text="A card lowered: one person is enough, and it counts at once.")
    decided_by = models.ForeignKey("jackpot.Operator", on_delete=models.PROTECT, null=True, related_name="+")
    decided_at = models.DateTimeField(null=True)
    decided_why = models.CharField(max_length=200, blank=True)
    steps = models.JSONField(default=list, help_text="From when on each setting counts, as it was signed.")
    fallen = models.JSONField(
        default=dict, help_text="Settings that never counted: the change that took their place; none: withdrawn."
    )
    withdrawn_by = models.ForeignKey("jackpot.Operator", on_delete=models.PROTECT, null=True, related_name="+")
    withdrawn_at = models.DateTimeField(null=True)
    withdrawn_why = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["premises_id", "number"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["premises", "number"], name="authority_numbers_once"),
            models.CheckConstraint(
                condition=models.Q(alone=False) | models.Q(card__isnull=False), name="authority_alone_is_a_card"
            ),
            models.CheckConstraint(
                condition=~models.Q(state=AuthorityState.SIGNED.value)
                | models.Q(alone=True)
                | (models.Q(decided_by__isnull=False) & ~models.Q(decided_by=models.F("asked_by"))),
                name="authority_of_two_people",
            ),
        ]

    def __str__(self) -> str:
        return f"change {self.number} of {self.premises.code}"

    @property
    def differs(self) -> list[Differs]:
        """What it changes in what stood when it was asked."""
        if LEVEL in self.after:
            return [card_differs(self.before[LEVEL], self.after[LEVEL])]
        return differences(self.before, self.after)

    @property
    def signed_steps(self) -> list[Step]:
        return [Step.of(step) for step in self.steps]
