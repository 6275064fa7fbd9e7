"""Work that is owed: what is overdue, so that people are told."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.db.models import F, Q, QuerySet

from jackpot.errands.models import Errand

WHO_CAME_LATE: Final = timedelta(minutes=1)  # between reading the clock and asking; another may have done it meanwhile


def due_by(field: str, now: datetime, longest: timedelta | F) -> Q:
    """Due, or put off for longer than anything is: then the clock was ahead when that was noted, and is right again."""
    return Q(**{f"{field}__lte": now}) | Q(**{f"{field}__gt": now + longest + WHO_CAME_LATE})


def due_errands(now: datetime) -> QuerySet[Errand]:
    return Errand.objects.filter(due_by("due_at", now, F("every")))


def overdue_errands(now: datetime) -> QuerySet[Errand]:
    """Work that is owed so long that people must be told: pit, office, doctor, readiness and trail show it."""
    return Errand.objects.filter(owed_since__lt=now - F("alarm_after")).order_by("owed_since")
