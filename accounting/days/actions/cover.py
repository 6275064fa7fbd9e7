"""The worker looks whether the bank covers the jackpots; by switch those that it does not cover stand still."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.db import transaction
from django.utils import timezone

from accounting.days.queries.cover import bank_cover, lock_statements
from jackpot.adjusting.actions.cover import CoverShort, suspend_for_cover
from jackpot.books.models.jackpot import Jackpot
from jackpot.errands.rules import Rhythm
from jackpot.property.models.property import Property

RHYTHM: Final = Rhythm("watch bank cover", every=timedelta(minutes=1), alarm_after=timedelta(minutes=30))


def watch_cover() -> int:
    """Returns how many jackpots suspended themselves. Where the switch is off, the alarm alone says it."""
    suspended = 0
    for house in Property.objects.filter(short_cover_suspends=True).order_by("id"):
        # Looked at first without the lock: while the money suffices, no turn of the worker holds up who types a
        # statement.
        if bank_cover(house, timezone.now()).missing:
            suspended += len(_suspended(house))
    return suspended


@transaction.atomic
def _suspended(house: Property) -> list[str]:
    """A statement that was typed meanwhile is judged, and none comes in between."""
    lock_statements(house)
    cover = bank_cover(house, timezone.now())
    if not cover.missing or cover.statement is None or cover.balance is None:
        return []
    return suspend_for_cover(premises=house, short=CoverShort(cover.required, cover.balance, cover.statement.as_of))


def why_it_stands(jackpot: Jackpot) -> str:
    """Where money has to be in the bank, nothing plays again before it is."""
    # Asked only where the switch is on: elsewhere a short account is an alarm, and nobody's resumption is refused.
    house = jackpot.premises
    missing = bank_cover(house, timezone.now()).missing if house.short_cover_suspends else None
    if not missing:
        return ""
    why = f"{jackpot.code} stays suspended: {missing} is missing in the bank."
    return f"{why} Deposit it, and type the new balance at the close of the day."
