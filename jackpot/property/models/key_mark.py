from __future__ import annotations

from django.db import models
from django.db.models.functions import Now


class KeyMark(models.Model):
    """Which key file opens what this database keeps: a mark drawn from it. There is one row at most."""

    mark = models.CharField(max_length=32)
    since = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return self.mark
