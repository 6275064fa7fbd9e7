"""What the worker does for the program itself. Safe to run twice."""

from __future__ import annotations

from functools import partial

from celery import shared_task
from django.conf import settings

from jackpot.errands import actions as errands
from jackpot.software.actions import SELF_CHECK, check_program

__all__ = ["SELF_CHECK", "check_is_due", "check_the_program"]


@shared_task(name="jackpot.software.tasks.check_the_program", time_limit=600)
def check_the_program() -> None:
    """Once a day: the files that serve are the files that began to."""
    errands.do_errand(code=SELF_CHECK.code, work=partial(check_program, project=settings.BASE_DIR))


def check_is_due() -> bool:
    return errands.is_due(SELF_CHECK.code)
