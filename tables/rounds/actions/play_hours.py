"""Hours of play are written down beside what was expected; one beyond reason is an event with its alarm."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.utils import timezone

from jackpot.errands.rules import Rhythm
from jackpot.property.models.property import Property
from jackpot.trail.actions.trail import record
from jackpot.trail.rules import objects
from tables.floor.models.table import Table
from tables.rounds.models.play_hour import PlayHour
from tables.rounds.queries.expected import HOUR, HourOfPlay, RunningHour, expectations, hours_of_play

RHYTHM: Final = Rhythm("write down play", every=timedelta(minutes=5), alarm_after=timedelta(hours=1))
TOLD_LATER: Final = timedelta(minutes=2)  # a batch under way is in, and a clock may differ by so much


def write_hours() -> int:
    """Where a house asks for it: every hour of play that is over, once. Returns how many were written."""
    now = timezone.now()
    return sum(_write(house, now) for house in Property.objects.filter(unreasonable_share__gt=0).order_by("id"))


def _write(house: Property, now: datetime) -> int:
    """Hour by hour, the oldest first: each is a part of what is expected of the next."""
    over = [each for each in hours_of_play(house) if each.began + HOUR + TOLD_LATER <= now]
    tables = Table.objects.in_bulk({each.table_id for each in over})
    written = 0
    for began in sorted({each.began for each in over}):
        hours = [each for each in over if each.began == began]
        held = expectations([tables[each.table_id] for each in hours], house, began)
        for each in hours:
            written += _written(RunningHour(tables[each.table_id], each.coin_in, held[each.table_id]), each)
    return written


def _written(seen: RunningHour, hour: HourOfPlay) -> bool:
    """What a box tells later of an hour that stands already is not added to it: plausible play looks at that."""
    held = seen.held
    row, new = PlayHour.objects.get_or_create(
        table=seen.table, begins_at=hour.began,
        defaults={
            "last_round": hour.last_round, "rounds": hour.rounds, "coin_in": hour.coin_in.decimal(),
            "expected": None if held.expected is None else held.expected.decimal(), "bound": held.bound.decimal(),
            "above": seen.above,
        },
    )  # fmt: skip
    if new and row.above:
        told = {"from": hour.began.isoformat(), "coin_in": str(hour.coin_in), "bound": str(held.bound)}
        record(
            actor="server", act="beyond_reason", about=objects.table(seen.table.code), outcome="alarm",
            why=seen.words, details=told,
        )  # fmt: skip
    return new
