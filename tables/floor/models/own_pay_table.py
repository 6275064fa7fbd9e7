from __future__ import annotations

import json
from functools import cached_property
from typing import Any, ClassVar

from django.db import models


class OwnTableState(models.TextChoices):
    DRAFT = "draft", "draft"
    READY = "ready", "ready"
    WITHDRAWN = "withdrawn", "withdrawn"


class OwnPayTable(models.Model):
    """A pay table that the house wrote itself. As soon as its par sheet was looked at, its lines stay as they are."""

    State = OwnTableState

    premises = models.ForeignKey("jackpot.Property", on_delete=models.PROTECT, related_name="own_pay_tables")
    game = models.CharField(max_length=20)
    bet = models.CharField(max_length=40)
    code = models.CharField(max_length=20)
    title = models.CharField(max_length=80)
    lines = models.TextField(help_text="Canonical JSON: hand, name and pays of each line, the highest first.")
    digest = models.CharField(max_length=64, help_text="sha-256 over all it says.")
    state = models.CharField(max_length=10, choices=OwnTableState.choices, default=OwnTableState.DRAFT)
    written_by = models.CharField(max_length=80)
    written_at = models.DateTimeField(auto_now=True)
    sheet_digest = models.CharField(max_length=64, blank=True, help_text="Of the par sheet that was looked at.")
    ready_by = models.CharField(max_length=80, blank=True)
    ready_at = models.DateTimeField(null=True)
    withdrawn_by = models.CharField(max_length=80, blank=True)
    withdrawn_why = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["bet", "code"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["premises", "game", "bet", "code"], name="own_table_codes_once"),
            models.CheckConstraint(
                condition=~models.Q(state="ready") | ~models.Q(sheet_digest=""), name="own_table_looked_at_first"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.bet} table {self.code}"

    @cached_property
    def plain(self) -> dict[str, Any]:
        """As the games read it, in any process."""
        return {
            "bet": self.bet, "code": self.code, "title": self.title, "lines": json.loads(self.lines),
            "digest": self.digest,
        }  # fmt: skip
