"""Alarms and their addresses as a page lists them, and what still has to be told."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import OuterRef, QuerySet

from accounting.alarms.models import AlarmAddress, AlarmMessage, HouseAlarm
from accounting.mail.outbox import due, with_last
from jackpot.property.queries import of_house

LOOKED_BACK: Final = timedelta(days=7)
AT_MOST: Final = 200


def ringing(person: Any) -> QuerySet[HouseAlarm]:
    """What rings in this person's house, the oldest first."""
    return of_house(HouseAlarm.objects.filter(ended_at=None).order_by("since", "id"), person)


def ended_lately(person: Any, now: datetime) -> list[HouseAlarm]:
    rows = of_house(HouseAlarm.objects.filter(ended_at__gt=now - LOOKED_BACK).order_by("-ended_at", "-id"), person)
    return list(rows[:AT_MOST])


def addresses(person: Any) -> QuerySet[AlarmAddress]:
    """Every address that is in use, with what came of the last message."""
    rows = AlarmAddress.objects.filter(ended_at=None).select_related("added_by", "premises")
    return of_house(with_last(rows, AlarmMessage.objects.filter(address=OuterRef("pk"))), person)


def due_messages(now: datetime) -> QuerySet[AlarmMessage]:
    return due(AlarmMessage.objects.all(), now)
