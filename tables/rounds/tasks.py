"""What the worker does for rounds. Safe to run twice."""

from __future__ import annotations

from celery import shared_task

from jackpot.errands import actions as errands
from tables.rounds.actions import play_hours


@shared_task(name="tables.rounds.tasks.write_play_hours", time_limit=300)
def write_play_hours() -> None:
    """Every five minutes: hours of play that are over, where a house asks for them."""
    errands.do_errand(code=play_hours.RHYTHM.code, work=play_hours.write_hours)


def play_hours_are_due() -> bool:
    return errands.is_due(play_hours.RHYTHM.code)
