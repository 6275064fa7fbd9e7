from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from django.db import models


class RoundCards(models.Model):
    """The cards of one round as somebody entered them. Each row is the whole round anew; none is ever changed."""

    # As on the round itself no constraint: its check would take a lock on the table's row with every row added.
    table = models.ForeignKey(
        "tables.Table", models.DO_NOTHING, db_constraint=False, db_index=False, related_name="round_cards"
    )
    number = models.BigIntegerField(help_text="Number of the round.")
    revision = models.PositiveSmallIntegerField(help_text="1, 2, 3 …: the highest is what stands.")
    board = models.CharField(max_length=14, blank=True, help_text="In dealing order: “Ah Kh Qh As Kd”.")
    seats = models.JSONField(default=dict, help_text="Hole cards by seat: {“3”: “Jh Th”}.")
    dealer = models.CharField(max_length=5, blank=True, help_text="The dealer's two, where a line needs them.")
    seen = models.JSONField(default=dict, help_text="Who said “cards seen”, by seat.")
    seen_persons = models.JSONField(
        null=True, help_text="Whose word that is, by seat: keys beside the names; none where only a name was said."
    )
    # Kept, not judged at each look: an approval reads it under its locks and does not play the hand again there.
    verdicts = models.JSONField(
        null=True, help_text="What they say of each seat by the round's versions: judged once, when they were entered."
    )
    as_it_lies = models.BooleanField(default=False, help_text="A card lies twice on the felt and was entered so.")
    by = models.CharField(max_length=100, help_text="Who entered them, by the name of that moment.")
    person = models.ForeignKey(
        "jackpot.Operator", models.DO_NOTHING, db_constraint=False, db_index=False, null=True, related_name="+",
        help_text="Their key; empty where only a name was said, and in rows of before it was kept.",
    )  # fmt: skip
    at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "round cards"
        ordering = ["table_id", "number", "revision"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["table", "number", "revision"], name="round_cards_revision_once"),
            models.CheckConstraint(condition=models.Q(revision__gte=1), name="round_cards_revisions_start_at_one"),
        ]

    def __str__(self) -> str:
        return f"cards of round {self.number}, revision {self.revision}"

    def say_seen(self, seats: Iterable[int]) -> None:
        """“Cards seen” of these seats by whoever enters this revision: the name, and whose it is."""
        said = [str(seat) for seat in seats]
        self.seen = {**self.seen, **dict.fromkeys(said, self.by)}
        self.seen_persons = {**(self.seen_persons or {}), **dict.fromkeys(said, self.person_id)} or None
