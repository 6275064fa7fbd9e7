"""What the worker does for tables. Safe to run twice."""

from __future__ import annotations

from celery import shared_task

from jackpot.errands import actions as errands
from tables.floor.actions import unapproved
from tables.floor.actions.outside_limits import close_outside_limits


@shared_task(name="tables.floor.tasks.close_unapproved", time_limit=300)
def close_unapproved() -> None:
    """Every minute: where a house says so, a table without its approvals or outside its limits is closed."""
    errands.do_errand(code=unapproved.RHYTHM.code, work=_close)


def _close() -> None:
    # One errand for both: each closes tables by its own switch, and neither needs a rhythm of its own.
    unapproved.close_unapproved()
    close_outside_limits()


def approvals_are_due() -> bool:
    return errands.is_due(unapproved.RHYTHM.code)
