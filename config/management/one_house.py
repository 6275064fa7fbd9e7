"""The house that a command is about: the only one, or the one that was named."""

from __future__ import annotations

from django.core.management.base import CommandError

from jackpot.property.models.property import Property


def house_named(code: str | None) -> Property:
    """The house of that code; without one the only house. Among several nobody guesses."""
    # Two are enough to know that one has to be named.
    houses = list(Property.objects.filter(code=code)) if code else list(Property.objects.order_by("code")[:2])
    if len(houses) != 1:
        known = ", ".join(Property.objects.order_by("code").values_list("code", flat=True)) or "none yet"
        raise CommandError(f"Say which property with --property CODE. There are: {known}.")
    return houses[0]
