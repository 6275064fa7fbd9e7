from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models.functions import Now


class StoredAnswer(models.Model):
    """What a request with a key of its own was answered, for whoever lost the answer. It is no record of an act:
    that stands in the books and in the trail. It is kept for some days and then taken away."""

    actor = models.CharField(max_length=80)
    key = models.CharField(max_length=60)
    asked = models.CharField(max_length=64, help_text="Digest of what was asked for.")
    answer = models.JSONField()
    at = models.DateTimeField(db_default=Now(), db_index=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["actor", "key"], name="stored_answer_once"),
        ]

    def __str__(self) -> str:
        return f"{self.actor} {self.key}"
