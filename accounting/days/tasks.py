"""What the worker does for the gaming day. Safe to run twice; keyword arguments only."""

from __future__ import annotations

from celery import shared_task

from accounting.days.actions import cover, snapshots
from jackpot.errands import actions as errands


@shared_task(name="accounting.days.tasks.snapshot_days", time_limit=600)
def snapshot_days() -> None:
    """Every minute: what has rolled is kept, also of days on which nobody was there.

    Each snapshot is a transaction of its own, outside that of the errand: it waits for whoever posts at the roll, and
    holds nobody up while it reckons. The errand only notes how it went.
    """
    trouble: Exception | None = None
    try:
        snapshots.snapshot_due_days()
    except Exception as found:  # noqa: BLE001 - whatever it was: the errand notes it and tries again
        trouble = found
    errands.do_errand(code=snapshots.RHYTHM.code, work=lambda: _noted(trouble))


def _noted(trouble: Exception | None) -> None:
    if trouble is not None:
        raise trouble


def days_are_due() -> bool:
    return errands.is_due(snapshots.RHYTHM.code)


@shared_task(name="accounting.days.tasks.watch_cover", time_limit=300)
def watch_cover() -> None:
    """Every minute: where a house says so, jackpots that the bank does not cover stand still."""
    errands.do_errand(code=cover.RHYTHM.code, work=cover.watch_cover)


def cover_is_due() -> bool:
    return errands.is_due(cover.RHYTHM.code)
