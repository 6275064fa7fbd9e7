"""The roll: what every jackpot stood at when a gaming day was over, kept for good, whether or not anybody is there."""

from __future__ import annotations

import logging
from dataclasses import asdict
from datetime import date, timedelta
from typing import Any, Final

from django.db import transaction
from django.utils import timezone

from accounting.days.models import DaySnapshot
from accounting.days.queries.days import due_snapshots, snapshot_before
from accounting.days.queries.equation import equation_between
from accounting.days.queries.stretch import BooksStretch, stretch_of
from accounting.days.rules.equation import DayEquation
from jackpot.books.actions.post import lock
from jackpot.books.models.entry import Entry
from jackpot.books.models.jackpot import Jackpot, Version
from jackpot.errands.rules import Rhythm
from jackpot.money import Money, text_of_units
from jackpot.property.models.property import Property
from jackpot.trail.actions.trail import record
from jackpot.trail.rules import objects

RHYTHM: Final = Rhythm("snapshot days", every=timedelta(minutes=1), alarm_after=timedelta(minutes=30))
SERVER: Final = "Server"
log = logging.getLogger(__name__)


def snapshot_due_days() -> int:
    """Takes every snapshot that is due, the oldest first; a day nobody was there for is taken when somebody is."""
    taken = 0
    for premises in Property.objects.order_by("id"):
        # Each in a transaction of its own: a jackpot whose day cannot be taken loses no snapshot that was taken before
        # it.
        for jackpot, day in due_snapshots(premises, premises.gaming_day(timezone.now())):
            take_snapshot(jackpot=jackpot, day=day)
            taken += 1
    return taken


def take_snapshot(*, jackpot: Jackpot, day: date) -> DaySnapshot:
    """One jackpot, one day that has rolled. A second one finds the first."""
    standing = DaySnapshot.objects.filter(jackpot=jackpot, day=day).first()
    if standing is not None:
        return standing
    stretch = _stretch_at_the_roll(jackpot, day)
    # Reckoned without a lock: the stretch lies behind the roll, and nothing is posted on it any more.
    equation = equation_between(jackpot, stretch)
    with transaction.atomic():
        row, made = DaySnapshot.objects.get_or_create(
            jackpot=jackpot, day=day, defaults=_columns(jackpot, stretch, equation)
        )
        # Two workers may reckon the same day; only the one whose row stands tells of it.
        if made:
            outcome = "done" if row.agrees else "alarm"
            variance = {word: text_of_units(units) for word, units in asdict(equation.variance).items()}
            about = objects.gaming_day(day, jackpot.premises_id)
            record(actor=SERVER, act="day_snapshot", about=about, subject=f"{jackpot.code} {day}", outcome=outcome,
                   details={"entries": [stretch.after + 1, stretch.upto], "variance": variance})  # fmt: skip
    return row


def _stretch_at_the_roll(jackpot: Jackpot, day: date) -> BooksStretch:
    """Whoever posts when the day rolls is waited for: behind the lock nobody posts on the day any more."""
    with transaction.atomic():
        lock([jackpot.pk])
    # Its last number was read before the wait; whoever was waited for has posted behind it.
    jackpot.refresh_from_db()
    found, before = stretch_of(jackpot, day), snapshot_before(jackpot, day)
    if before is not None and before.last_seq != found.after:
        log.error("%s: the snapshot of %s ends at entry %s, %s begins behind entry %s",
                  jackpot.code, before.day, before.last_seq, day, found.after)  # fmt: skip
    return found


def _columns(jackpot: Jackpot, stretch: BooksStretch, equation: DayEquation) -> dict[str, Any]:
    last = Entry.objects.filter(jackpot=jackpot, seq=stretch.upto).first()
    assert last is not None, "a jackpot has entries from its first day on"
    terms = Version.objects.get(pk=last.version_id).value
    return {
        "premises_id": jackpot.premises_id, "after_seq": stretch.after, "last_seq": stretch.upto,
        "seal": bytes(last.seal).hex(), "meter": last.meter_after, "reserve": last.reserve_after,
        "overflow": last.overflow_after, "winners": last.winners_after, "house": last.house_after,
        "owed": Money(equation.books.owed).decimal(), "seed": terms.seed.decimal(), "agrees": equation.agrees,
        "equation": plain_equation(equation),
    }  # fmt: skip


def plain_equation(equation: DayEquation) -> dict[str, Any]:
    """As it is kept and told: exact amounts as text, line by line."""
    # Lines that moved nothing are left out; who reads it back (`kept_equations`) takes them for zero.
    lines = {part.value: _as_texts(moved) for part, moved in equation.lines.items() if moved}
    return {
        "jackpot": equation.jackpot, "chips": equation.chips, "opened": _as_texts(equation.opened), "lines": lines,
        "reckoned": _as_texts(equation.reckoned), "books": _as_texts(equation.books),
        "variance": _as_texts(equation.variance),
        "missing": list(equation.missing),
    }  # fmt: skip


def _as_texts(held: Any) -> dict[str, str]:
    return {word: text_of_units(units) for word, units in asdict(held).items()}
