"""What the worker does for tables. Safe to run twice."""

from __future__ import annotations

from celery import shared_task

from jackpot.errands import actions as errands
from tables.floor.actions import unapproved


@shared_task(name="tables.floor.tasks.close_unapproved", time_limit=300)
def close_unapproved() -> None:
    """Every minute: where a house says so, a table without its approvals is closed."""
    errands.do_errand(code=unapproved.RHYTHM.code, work=unapproved.close_unapproved)


def approvals_are_due() -> bool:
    return errands.is_due(unapproved.RHYTHM.code)
