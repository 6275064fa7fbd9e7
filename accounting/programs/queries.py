"""Which programs have a token of a house."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet

from accounting.programs.models import ProgramToken
from jackpot.property.models.property import Property
from jackpot.property.queries import of_house


def tokens(person: Any) -> QuerySet[ProgramToken]:
    """Every token of the house of whoever looks, newest first; revoked and ended ones stay on the list."""
    return of_house(
        ProgramToken.objects.select_related("premises", "given_by", "shown_to", "ended_with", "revoked_by"), person
    )


def answered_for() -> QuerySet[ProgramToken]:
    """Those whose people work here: whatever way a person left by, with it a token opens nothing."""
    return ProgramToken.objects.filter(Q(shown_to=None) | Q(shown_to__is_active=True), given_by__is_active=True)


def working_tokens(house: Property, now: datetime) -> QuerySet[ProgramToken]:
    """What still opens a door, for the review of rights."""
    rows = answered_for().filter(premises=house, revoked_at=None, ends_at__gt=now)
    return rows.select_related("given_by", "premises").order_by("prefix")
