from __future__ import annotations

from datetime import datetime

from django.db.models import QuerySet

from jackpot.pacing.models import PacedTries
from jackpot.pacing.rules import TryPace


def beyond_the_free(pace: TryPace, now: datetime) -> QuerySet[PacedTries]:
    """Who tried more often than anybody who mistypes, and not long ago; the newest first."""
    rows = PacedTries.objects.filter(kind=pace.kind, tries__gte=pace.free, last_at__gt=now - pace.quiet)
    return rows.order_by("-last_at")
