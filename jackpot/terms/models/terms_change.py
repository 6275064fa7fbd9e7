from __future__ import annotations

import json
from functools import cached_property
from typing import Any

from django.db import models

from jackpot.requests.models import Request
from jackpot.terms.rules.terms import Terms

TERMS = "terms"


class TermsChange(Request):
    """A request for other terms of one jackpot, the version it was made of, and when that came into force."""

    class How(models.TextChoices):
        NEXT_RESET = "next_reset", "at the next reset"
        AT_ONCE = "at_once", "at once"

    terms = models.TextField(help_text="Canonical JSON of what is asked for; never changed.")
    digest = models.CharField(max_length=64)
    stands_on = models.ForeignKey(
        "jackpot.Version", on_delete=models.PROTECT, related_name="+", help_text="In force when it was drafted."
    )
    how = models.CharField(max_length=12, choices=How.choices, default=How.NEXT_RESET)
    questions = models.JSONField(
        default=dict, help_text="What its preview asks the laboratory, with the figures of the moment it was asked for."
    )
    version = models.OneToOneField("jackpot.Version", on_delete=models.PROTECT, null=True, related_name="change")
    before = models.ForeignKey(
        "jackpot.Version", on_delete=models.PROTECT, null=True, related_name="+", help_text="What it took the place of."
    )
    activated_at = models.DateTimeField(null=True)
    activated_seq = models.BigIntegerField(null=True, help_text="The first entry under its version.")

    not_told = models.BooleanField(
        default=False, db_default=False, help_text="Signed, and whoever the house has to tell of it was not told yet."
    )

    class Meta:
        ordering = ["jackpot_id", "number"]

    def __str__(self) -> str:
        return f"change {self.number} of {self.its_jackpot.code}"

    @cached_property
    def value(self) -> Terms:
        """The terms asked for, as a value."""
        return Terms.of(json.loads(self.terms))

    @property
    def waits_for(self) -> str:
        """What has to happen before it counts, as the pages say it behind "waits for"."""
        if not self.not_told:
            return "the next reset"
        return "its notice" if self.how == self.How.AT_ONCE else "its notice, then for the next reset"

    @property
    def its_jackpot(self) -> Any:
        assert self.jackpot is not None, "terms are those of a jackpot"
        return self.jackpot

    @property
    def its_jackpot_id(self) -> int:
        assert self.jackpot_id is not None, "terms are those of a jackpot"
        return self.jackpot_id

    @property
    def figures(self) -> list[dict[str, object]]:
        """The laboratory's answers: in force, then asked for."""
        figures: list[dict[str, object]] = self.preview.get("figures", [])
        return figures
