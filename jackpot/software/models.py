from __future__ import annotations

from django.db import models
from django.db.models.functions import Now


class InstalledBuild(models.Model):
    """A program that began to serve here: every file by its digest. Added, never changed."""

    at = models.DateTimeField(db_default=Now())
    program = models.CharField(max_length=60, help_text="Name and version.")
    build = models.CharField(max_length=64, help_text="The digest of the list of all files.")
    before = models.CharField(max_length=64, blank=True, help_text="The build that served before; empty: the first.")
    host = models.CharField(max_length=120, help_text="The machine that noticed it first.")
    files = models.JSONField(help_text="Path and sha-256 of each file.")
    changed = models.JSONField(default=list, help_text="The files that came, went or differ since the build before.")

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.program}, build {self.build[:12]}"
