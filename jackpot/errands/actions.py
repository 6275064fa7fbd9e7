"""Errands: put up once, taken by whoever comes by first, tried again after a failure, told when nobody did them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from django.db import transaction
from django.utils import timezone

from jackpot.errands.models import Errand
from jackpot.errands.queries import due_errands, overdue_errands
from jackpot.errands.rules import Rhythm, pause_after
from jackpot.trail.actions.trail import record
from jackpot.trail.rules.objects import ObjectKind, ObjectRef

SERVER: Final = "Server"
log = logging.getLogger(__name__)


def put_up(rhythms: Iterable[Rhythm]) -> None:
    """Makes a row for every errand that has none, due at once; of a known one only the rhythm is brought up to date."""
    now = timezone.now()
    rows = [
        Errand(code=each.code, every=each.every, alarm_after=each.alarm_after, owed_since=now, due_at=now)
        for each in rhythms
    ]
    Errand.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["code"], update_fields=["every", "alarm_after"]
    )


def look_out(rhythms: Sequence[Rhythm]) -> int:
    """What web and worker both do now and then: every errand has its row, and whoever is overdue is told of."""
    if Errand.objects.filter(code__in=[each.code for each in rhythms]).count() < len(rhythms):
        put_up(rhythms)
    return raise_alarms()


def is_due(code: str) -> bool:
    return due_errands(timezone.now()).filter(code=code).exists()


def do_errand(*, code: str, work: Callable[[], object]) -> bool:
    """Does it if it is due and nobody else is at it; a failure is noted and tried again, ever more rarely.

    Should we stop between the work and the note, it is done twice: whatever is an errand bears that.
    """
    with transaction.atomic():
        # Who comes second goes on: whoever holds the row is at it.
        errand = due_errands(timezone.now()).select_for_update(skip_locked=True).filter(code=code).first()
        if errand is None:
            return False
        try:
            # Within a transaction of its own: what a failed errand wrote falls, and the note of its failure stays.
            with transaction.atomic():
                work()
        except Exception as trouble:  # noqa: BLE001 - whatever it was: it is told, and the next try comes
            _note_failure(errand, trouble)
            return False
        _note_done(errand)
        return True


def _note_failure(errand: Errand, trouble: Exception) -> None:
    log.warning("%s failed: %s", errand.code, trouble)
    errand.tries += 1
    errand.last_error = f"{type(trouble).__name__}: {trouble}"[:300]
    errand.due_at = timezone.now() + pause_after(errand.tries, errand.every)
    errand.save(update_fields=["tries", "last_error", "due_at"])


def _note_done(errand: Errand) -> None:
    now = timezone.now()
    if errand.is_overdue(now):
        minutes = int((now - errand.owed_since).total_seconds() // 60)
        record(
            actor=SERVER,
            act="errand done late",
            about=ObjectRef(ObjectKind.ERRAND, errand.code),
            why=f"Owed for {minutes} minutes.",
        )
    errand.done_at, errand.tries, errand.last_error, errand.alarmed_at = now, 0, "", None
    errand.owed_since = errand.due_at = now + errand.every
    errand.save()


def raise_alarms() -> int:
    """Tells the trail of every errand that has become overdue, once each; returns how many."""
    with transaction.atomic():
        found = overdue_errands(timezone.now()).filter(alarmed_at=None).select_for_update(skip_locked=True)
        for errand in found:
            record(
                actor=SERVER,
                act="errand overdue",
                about=ObjectRef(ObjectKind.ERRAND, errand.code),
                outcome="alarm",
                why=errand.why,
            )
            errand.alarmed_at = timezone.now()
            errand.save(update_fields=["alarmed_at"])
        return len(found)
