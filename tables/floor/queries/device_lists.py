"""Devices and signs as lists show them, of the houses that a person may see."""

from __future__ import annotations

from typing import Any

from django.db.models import Prefetch, Q, QuerySet

from jackpot.property.queries import of_house
from tables.floor.models.device import Device
from tables.floor.models.sign import Sign, SignMeter


def devices_of(person: Any) -> QuerySet[Device]:
    """Devices by the house of the table or the sign they belong to."""
    rows = Device.objects.select_related("table", "sign")
    house = getattr(person, "premises_id", None)
    return rows if house is None else rows.filter(Q(table__premises_id=house) | Q(sign__premises_id=house))


def signs_of(person: Any) -> QuerySet[Sign]:
    meters = Prefetch("meters", SignMeter.objects.select_related("jackpot__version").order_by("place", "id"))
    return of_house(Sign.objects.select_related("premises").prefetch_related(meters), person)
