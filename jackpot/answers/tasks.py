"""What the worker does for the stored answers. Safe to run twice; keyword arguments only."""

from __future__ import annotations

from celery import shared_task

from jackpot.answers.actions import FORGETTING, forget_answers
from jackpot.errands import actions as errands

__all__ = ["FORGETTING", "answers_are_due", "forget_old_answers"]


@shared_task(name="jackpot.answers.tasks.forget_old_answers", time_limit=600)
def forget_old_answers() -> None:
    """Every hour: answers that nobody will ask for any more."""
    errands.do_errand(code=FORGETTING.code, work=forget_answers)


def answers_are_due() -> bool:
    return errands.is_due(FORGETTING.code)
