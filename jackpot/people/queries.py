"""What can be asked of the progressive. Most questions start from a person: another house is not there for them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from jackpot.people.models import Card, Operator
from jackpot.property.queries import of_house


def card_level(person: Operator, now: datetime) -> str:
    """The level of the best card that this person could use now; nothing without one."""
    usable = person.cards.filter(blocked_at=None, locked_at=None).exclude(expires_on__lt=now.date())
    day = person.premises.gaming_day(now) if person.premises else now.date()
    best = max((card.level_on(day) for card in usable), default=None)
    return Card.Level(best).label if best else ""


def people(person: Any) -> QuerySet[Operator]:
    return of_house(Operator.objects.select_related("premises").prefetch_related("roles"), person)


def cards(person: Any) -> QuerySet[Card]:
    rows = Card.objects.select_related("operator__premises")
    return of_house(rows, person, "operator__premises")
