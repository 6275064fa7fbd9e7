"""The gaming days of a house: which have rolled, what was written of them, where each stands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import Any, Final

from django.db.models import Max, QuerySet

from accounting.days.models import DaySignature, DaySnapshot, Explanation
from accounting.days.rules.day_life import LEADS_TO, DayAct, DayState
from jackpot.books.models.entry import Entry
from jackpot.books.models.jackpot import Jackpot
from jackpot.property.models.property import Property
from jackpot.requests.models import Request
from jackpot.requests.rules.life import ENDED, OPEN

REOPENING: Final = "reopen_day"  # the kind of the request
MOST_AT_ONCE: Final = 40  # days of one jackpot that one turn of the worker catches up with


def snapshots_on(premises: Property, day: date) -> list[DaySnapshot]:
    rows = DaySnapshot.objects.filter(premises=premises, day=day).select_related("jackpot__premises")
    return list(rows.order_by("jackpot__code"))


def snapshot_before(jackpot: Jackpot, day: date) -> DaySnapshot | None:
    return DaySnapshot.objects.filter(jackpot=jackpot, day__lt=day).order_by("day").last()


def due_snapshots(premises: Property, today: date) -> Iterator[tuple[Jackpot, date]]:
    """Every day that has rolled and of which a jackpot has no snapshot yet, the oldest first."""
    # A jackpot that was never opened has no entry to end a day with, and no day either.
    rows = Jackpot.objects.filter(premises=premises, last_seq__gt=0).annotate(done=Max("days__day")).order_by("id")
    for jackpot in rows:
        done: date | None = jackpot.done
        if done is None:
            first = Entry.objects.filter(jackpot=jackpot).order_by("seq").first()
            # A jackpot's first day is that of its first entry, however long the house has been open.
            done = None if first is None else first.gaming_day - timedelta(days=1)
        for step in range(1, MOST_AT_ONCE + 1):
            if done is None or done + timedelta(days=step) >= today:
                break
            yield jackpot, done + timedelta(days=step)


def signatures_on(premises: Property, day: date) -> list[DaySignature]:
    rows = DaySignature.objects.filter(premises=premises, day=day).select_related("person")
    return list(rows.order_by("id"))


def state_of(signatures: Sequence[DaySignature], reopening: Request | None) -> DayState:
    """Where the last signature led; a closed day may wait for a second person who opens it again."""
    state = LEADS_TO[DayAct(signatures[-1].act)] if signatures else DayState.OPEN
    return DayState.REOPENING if state == DayState.CLOSED and reopening is not None else state


def state_on(premises: Property, day: date) -> DayState:
    return state_of(signatures_on(premises, day), reopening_of(premises, day))


def reopenings_of(premises: Property, day: date) -> list[Request]:
    """Every request to open this day again, the first on top."""
    rows = Request.objects.filter(kind=REOPENING, premises=premises, payload__day=day.isoformat())
    return list(rows.select_related("asked_by", "decided_by", "withdrawn_by").order_by("id"))


def reopening_of(premises: Property, day: date) -> Request | None:
    """The one that waits for a second person."""
    return next((row for row in reopenings_of(premises, day) if row.is_open), None)


def days_of(premises: Property, limit: int = 60) -> list[tuple[date, DayState, bool]]:
    """The days that have rolled, newest first, each with its state and whether the books agree."""
    rows: QuerySet[Any] = DaySnapshot.objects.filter(premises=premises).order_by("-day")
    found = list(rows.values_list("day", flat=True).distinct()[:limit])
    # One jackpot that differs makes the whole day differ: the list warns before anybody opens it.
    bad = set(rows.filter(day__in=found, agrees=False).values_list("day", flat=True))
    acts = DaySignature.objects.filter(premises=premises, day__in=found).order_by("id").values_list("day", "act")
    # In the order of signing, so the last signature of a day is the one that stays.
    states = {day: LEADS_TO[DayAct(act)] for day, act in acts}
    waiting = Request.objects.filter(kind=REOPENING, premises=premises, state__in=OPEN)
    for day in waiting.values_list("payload__day", flat=True):
        if states.get(date.fromisoformat(day)) == DayState.CLOSED:
            states[date.fromisoformat(day)] = DayState.REOPENING
    return [(day, states.get(day, DayState.OPEN), day not in bad) for day in found]


def explanations_on(premises: Property, day: date) -> list[Explanation]:
    """Those that count, and those that wait for a second person."""
    rows = Explanation.objects.filter(premises=premises, day=day).exclude(state__in=ENDED)
    return list(rows.select_related("premises", "asked_by", "decided_by").order_by("number"))


def explained(rows: Sequence[Explanation]) -> frozenset[tuple[str, ...]]:
    """What two people have explained: of each line the very figures that they saw."""
    return frozenset((row.subject, *row.seen.values()) for row in rows if row.is_signed)
