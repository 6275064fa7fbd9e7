from __future__ import annotations

from django.db import models
from django.db.models.functions import Now


class Trail(models.Model):
    """Who did or tried what, and what came of it. Added, never changed."""

    at = models.DateTimeField(db_default=Now(), db_index=True)
    actor = models.CharField(max_length=80, help_text="A person, a device or the server itself.")
    act = models.CharField(max_length=40)
    subject = models.CharField(max_length=80, blank=True)
    outcome = models.CharField(max_length=20, default="done")
    why = models.TextField(blank=True)
    details = models.JSONField(default=dict)

    class Meta:
        ordering = ["-id"]
        verbose_name_plural = "trail"
        indexes = [models.Index(fields=["subject", "-id"], name="trail_by_subject")]

    def __str__(self) -> str:
        return f"{self.act} {self.subject}: {self.outcome}"
