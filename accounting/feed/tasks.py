"""What the worker does for the feed. Safe to run twice; keyword arguments only."""

from __future__ import annotations

from celery import shared_task

from accounting.feed.actions.numbering import RHYTHM, number_events
from jackpot.errands import actions as errands

__all__ = ["events_are_due", "number_what_happened"]


@shared_task(name="accounting.feed.tasks.number_what_happened", time_limit=600)
def number_what_happened() -> None:
    """Every few seconds; a failure is tried again, and a long silence is an alarm as of every errand."""
    errands.do_errand(code=RHYTHM.code, work=number_events)


def events_are_due() -> bool:
    return errands.is_due(RHYTHM.code)
