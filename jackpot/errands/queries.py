"""Work that is owed: what is overdue, so that people are told."""

from __future__ import annotations

from datetime import datetime

from django.db.models import F, QuerySet

from jackpot.errands.models import Errand


def overdue_errands(now: datetime) -> QuerySet[Errand]:
    """Work that is owed so long that people must be told: pit, office, doctor, readiness and trail show it."""
    return Errand.objects.filter(owed_since__lt=now - F("alarm_after")).order_by("owed_since")
