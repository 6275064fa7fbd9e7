"""What people of a house asked for, of every kind."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Min, Model, Q, QuerySet

from jackpot.property.queries import of_house
from jackpot.requests.models import Request
from jackpot.requests.rules.life import OPEN


def requests(person: Any) -> QuerySet[Request]:
    """Everything that was asked for in the house of whoever looks."""
    rows = Request.objects.select_related("premises", "jackpot", "win")
    return of_house(rows, person)


def touched_by(person: Model) -> Q:
    """Requests that somebody asked, decided or took back; each part has an index of its own."""
    return Q(asked_by=person) | Q(decided_by=person) | Q(withdrawn_by=person)


@dataclass(frozen=True, slots=True)
class RequestsWaiting:
    """How many requests nobody has decided yet, and since when the oldest waits."""

    count: int
    since: datetime | None


def requests_waiting(person: Any, kinds: Collection[str]) -> RequestsWaiting:
    """Of these kinds, in the house of whoever looks."""
    found = (
        waiting_requests(person).filter(kind__in=kinds).order_by().aggregate(count=Count("id"), since=Min("asked_at"))
    )
    return RequestsWaiting(found["count"], found["since"])


def waiting_requests(person: Any) -> QuerySet[Request]:
    """What nobody has decided yet, oldest first."""
    return requests(person).filter(state__in=OPEN).order_by("asked_at", "id")
