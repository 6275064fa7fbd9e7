"""What the worker does for notices. Safe to run twice."""

from __future__ import annotations

from celery import shared_task

from jackpot.errands import actions as errands
from jackpot.notices.actions import raising


@shared_task(name="jackpot.notices.tasks.raise_notices", time_limit=300)
def raise_notices() -> None:
    """Every ten minutes: slips that came to the age at which their owner has to be told."""
    errands.do_errand(code=raising.RHYTHM.code, work=raising.raise_slip_notices)


def notices_are_due() -> bool:
    return errands.is_due(raising.RHYTHM.code)
