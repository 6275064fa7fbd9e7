"""What can be asked of the progressive. Most questions start from a person: another house is not there for them."""

from __future__ import annotations

from datetime import datetime

from django.db.models import F, QuerySet

from jackpot.errands.models import Errand


def overdue_errands(now: datetime) -> QuerySet[Errand]:
    """Work that is owed so long that people must be told: pit, office, doctor, readiness and trail show it."""
    return Errand.objects.filter(owed_since__lt=now - F("alarm_after")).order_by("owed_since")
