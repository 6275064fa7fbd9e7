"""The pit's lists: the register of keys."""

from __future__ import annotations

from typing import Any

from django.db.models import F, QuerySet

from jackpot.people.models import KeyRegister
from jackpot.property.queries import of_house


def keys_of(person: Any) -> QuerySet[KeyRegister]:
    """The register, keys that are out first."""
    rows = of_house(KeyRegister.objects.select_related("operator__premises"), person)
    return rows.order_by(F("back_at").desc(nulls_first=True), "-id")
