"""What can be asked of the office: wins with their slips, pages with their copies, printers with their queues."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from jackpot.adjusting.models import Adjustment
from jackpot.property.queries import of_house


def adjustments(person: Any) -> QuerySet[Adjustment]:
    """What people of the house asked for and what became of it."""
    rows = Adjustment.objects.select_related(
        "premises", "jackpot__premises", "jackpot__version", "other", "win", "asked_by", "decided_by", "withdrawn_by",
        "card", "cause__win",
    ).prefetch_related("pages", "entries__jackpot")  # fmt: skip
    return of_house(rows, person)
