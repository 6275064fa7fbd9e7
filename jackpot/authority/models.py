from __future__ import annotations

from typing import ClassVar

from django.db import models

from jackpot.property.rules.authority_change import LEVEL, Differs, Step, card_differs, differences
from jackpot.requests.models import Request

AUTHORITY = "authority"


class AuthorityChange(Request):
    """A request for other thresholds, PIN rule or policies of a house, or another level of one card."""

    whose = models.ForeignKey(
        "jackpot.Card", on_delete=models.PROTECT, null=True, related_name="authority_changes",
        help_text="The card whose level it is; empty: the settings of the house.",
    )  # fmt: skip
    before = models.JSONField(help_text="What stood when it was asked, of the settings that are asked for.")
    after = models.JSONField(help_text="What is asked for, by setting; never changed.")
    steps = models.JSONField(default=list, help_text="From when on each setting counts, as it was signed.")
    fallen = models.JSONField(
        default=dict, help_text="Settings that never counted: the change that took their place; none: withdrawn."
    )

    class Meta:
        ordering: ClassVar[list[str]] = ["premises_id", "number"]

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
