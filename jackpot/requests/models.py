from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models.functions import Now

from jackpot.money import Money, units_of
from jackpot.money_field import AmountField
from jackpot.requests.rules.adjusting import ACCOUNTS, NAMES, REASONS, SOURCES, Adjusting, Decision


class Adjustment(models.Model):
    """One person asks, another decides. Once decided it never changes: the database refuses anything else."""

    Kind = Adjusting
    State = Decision

    kind = models.CharField(max_length=10, choices=[(kind.value, name) for kind, name in NAMES.items()])
    jackpot = models.ForeignKey("jackpot.Jackpot", on_delete=models.PROTECT, related_name="adjustments")
    other = models.ForeignKey("jackpot.Jackpot", on_delete=models.PROTECT, null=True, related_name="+")
    win = models.ForeignKey("jackpot.Win", on_delete=models.PROTECT, null=True, related_name="adjustments")
    cause = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, related_name="decisions",
        help_text="Difference: the back-out that changed what this winner's award counted from.",
    )  # fmt: skip
    pays = models.BooleanField(default=False, help_text="Difference: paid by a page of its own; else only noted.")
    account = models.CharField(
        max_length=10, choices=[(name, name) for name in dict.fromkeys(ACCOUNTS + SOURCES)], default="meter"
    )
    amount = AmountField(
        null=True,
        help_text="Adjust: signed. Transfer: how much of the meter; empty: everything. Difference: as the back-out "
        "kept it.",
    )
    reading = AmountField(null=True, help_text="Retire: what the sign showed at the closing reading.")
    reason = models.CharField(max_length=20, choices=list(REASONS.items()))
    why = models.CharField(max_length=200)
    evidence = models.CharField(max_length=200)
    file_name = models.CharField(max_length=120, blank=True)
    file_sha256 = models.CharField(max_length=64, blank=True)
    requested_by = models.ForeignKey("jackpot.Operator", on_delete=models.PROTECT, related_name="+")
    requested_at = models.DateTimeField(db_default=Now())
    shown = models.JSONField(default=dict, help_text="Balances before and after, as the asker saw them.")
    state = models.CharField(
        max_length=10, choices=[(state.value, state.value) for state in Decision], default=Decision.REQUESTED.value
    )
    decided_by = models.ForeignKey("jackpot.Operator", on_delete=models.PROTECT, null=True, related_name="+")
    decided_at = models.DateTimeField(null=True)
    card = models.ForeignKey("jackpot.Card", on_delete=models.PROTECT, null=True, related_name="+")
    answer = models.CharField(max_length=200, blank=True, help_text="Why it was refused.")
    gaming_day = models.DateField(null=True, help_text="Of its entries.")
    posted = models.JSONField(default=dict, help_text="Balances before and after, as they were posted.")
    entries = models.CharField(max_length=120, blank=True, help_text="Its entries: GRAND/45 MINI/12.")

    class Meta:
        ordering = ["-id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=~models.Q(state="approved") | ~models.Q(decided_by=models.F("requested_by")),
                name="adjustment_of_two_people",
            ),
            models.CheckConstraint(
                condition=models.Q(state="requested", decided_by__isnull=True, decided_at__isnull=True)
                | models.Q(state__in=["approved", "refused"], decided_by__isnull=False, decided_at__isnull=False),
                name="adjustment_decided_by_somebody",
            ),
            models.UniqueConstraint(
                fields=["win"],
                condition=models.Q(kind="back_out", state__in=["requested", "approved"]),
                name="adjustment_of_a_win_once",
            ),
            models.UniqueConstraint(
                fields=["cause", "win"],
                condition=models.Q(kind="difference", state="requested"),
                name="adjustment_asked_of_a_difference_once",
            ),
            models.CheckConstraint(
                condition=~models.Q(kind="difference") | models.Q(cause__isnull=False, win__isnull=False),
                name="adjustment_difference_has_its_cause",
            ),
        ]
        indexes = [models.Index(fields=["state", "-id"], name="adjustment_inbox")]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.pk}"

    @property
    def amount_money(self) -> Money | None:
        return None if self.amount is None else Money(units_of(self.amount))

    @property
    def reading_money(self) -> Money | None:
        return None if self.reading is None else Money(units_of(self.reading))
