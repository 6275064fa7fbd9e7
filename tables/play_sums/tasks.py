"""What the worker adds up. Safe to run twice."""

from __future__ import annotations

from celery import shared_task

from jackpot.errands import actions as errands
from tables.play_sums import actions


@shared_task(name="tables.play_sums.tasks.sum_play", time_limit=300)
def sum_play() -> None:
    """Every minute: rounds that are over, beside the rounds."""
    errands.do_errand(code=actions.RHYTHM.code, work=actions.sum_play)


def sums_are_due() -> bool:
    return errands.is_due(actions.RHYTHM.code)
