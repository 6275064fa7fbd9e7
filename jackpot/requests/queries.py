"""What people of a house asked for, of every kind."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from jackpot.property.queries import of_house
from jackpot.requests.models import Request
from jackpot.requests.rules.life import OPEN


def requests(person: Any) -> QuerySet[Request]:
    """Everything that was asked for in the house of whoever looks."""
    rows = Request.objects.select_related("premises", "jackpot", "win")
    return of_house(rows, person)


def waiting_requests(person: Any) -> QuerySet[Request]:
    """What nobody has decided yet, oldest first."""
    return requests(person).filter(state__in=OPEN).order_by("asked_at", "id")
