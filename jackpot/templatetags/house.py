"""What the top of every page says: which house, which gaming day, what time it is there, and who is looking."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django import template
from django.utils import timezone

from jackpot.models import Operator, Property
from jackpot.queries import house_of

register = template.Library()


@dataclass(frozen=True, slots=True)
class House:
    """A page's surroundings, read once per page."""

    premises: Property | None
    now: datetime
    gaming_day: date | None
    person: Operator | None
    roles: str
    verbs: frozenset[str]


@register.simple_tag(takes_context=True)
def surroundings(context: Any) -> House:
    """Without a request (a fault of ours) it asks the database nothing."""
    request = context.get("request")
    user = getattr(request, "user", None)
    person = user if isinstance(user, Operator) else None
    premises = house_of(person) if request is not None else None
    now = timezone.now()
    roles = list(person.roles.all()) if person else []
    return House(
        premises=premises,
        now=now,
        gaming_day=premises.gaming_day(now) if premises else None,
        person=person,
        roles=", ".join(role.name for role in roles),
        verbs=frozenset(verb for role in roles for verb in role.may),
    )


@register.filter
def any_of(verbs: frozenset[str], wanted: str) -> bool:
    """Whether somebody of these verbs may at least one of the wanted."""
    return not verbs.isdisjoint(wanted.split())
