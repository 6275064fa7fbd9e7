from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models.functions import Now

from jackpot.trail.rules.objects import ObjectKind


class Trail(models.Model):
    """Who did or tried what, with which thing, and what came of it. Added, never changed.

    A person stands here by key and by the name of that moment; the thing by kind and key. Lines from before these
    columns have neither: they are found by their texts, and the pages say so. Beside the indexes below stands one over
    words (`WORDS` in queries), made by the migration.
    """

    at = models.DateTimeField(db_default=Now())
    actor = models.CharField(max_length=80, help_text="A person, a device or the server itself.")
    person = models.ForeignKey(
        "jackpot.Operator", models.DO_NOTHING, null=True, db_constraint=False, db_index=False, related_name="+"
    )
    premises = models.ForeignKey(
        "jackpot.Property", models.DO_NOTHING, null=True, db_constraint=False, db_index=False, related_name="+",
        help_text="Whose line it is; none: of the server, or of a stranger.",
    )  # fmt: skip
    act = models.CharField(max_length=40)
    object_kind = models.CharField(max_length=12, blank=True, choices=[(kind.value, kind.value) for kind in ObjectKind])
    object_key = models.CharField(max_length=80, blank=True)
    subject = models.CharField(max_length=80, blank=True)
    outcome = models.CharField(max_length=20, default="done")
    why = models.TextField(blank=True)
    details = models.JSONField(default=dict)
    written_by = models.CharField(
        max_length=63,
        db_default="",
        help_text="The role of the database that wrote it; the database says so, and when.",
    )

    class Meta:
        ordering = ["-id"]
        verbose_name_plural = "trail"
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["subject", "-id"], name="trail_by_subject"),
            models.Index(fields=["at", "id"], name="trail_by_time"),
            models.Index(fields=["object_kind", "object_key", "at", "id"], name="trail_by_object"),
            models.Index(
                fields=["person", "at", "id"], condition=models.Q(person__isnull=False), name="trail_by_person"
            ),
            models.Index(fields=["actor", "at", "id"], name="trail_by_actor"),
            models.Index(fields=["act", "at", "id"], name="trail_by_act"),
            models.Index(fields=["outcome", "at", "id"], condition=~models.Q(outcome="done"), name="trail_by_outcome"),
        ]

    def __str__(self) -> str:
        return f"{self.act} {self.subject}: {self.outcome}"

    @property
    def about(self) -> str:
        """The thing in words; of a line from before, its text."""
        return f"{self.object_kind} {self.object_key}" if self.object_kind else self.subject


class TrailSeal(models.Model):
    """The place of a line in the chain of its house. Added, never changed."""

    chain = models.BigIntegerField(help_text="Key of the house; 0: lines of the server and of strangers.")
    number = models.BigIntegerField(help_text="1, 2, 3 … without a gap.")
    line = models.BigIntegerField(unique=True)
    seal = models.BinaryField()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["chain", "number"], name="trail_seal_numbers_once"),
            models.CheckConstraint(condition=models.Q(number__gt=0), name="trail_seal_counts_from_one"),
        ]

    def __str__(self) -> str:
        return f"{self.chain}/{self.number}"


class UnsealedTrail(models.Model):
    """A line that was committed and waits for its place; the database puts it here, and only the sealer takes it away.

    Numbers are given after the commit: an act that holds its line open then holds up no other act, and none is skipped.
    """

    line = models.BigIntegerField(primary_key=True)

    def __str__(self) -> str:
        return f"line {self.line}"
