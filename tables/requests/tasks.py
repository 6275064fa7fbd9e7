"""What the worker does for requests: a preview that nobody watches comes to its end. Safe to run twice."""

from __future__ import annotations

from celery import shared_task

from jackpot.errands import actions as errands
from jackpot.signing.actions import asking
from tables.requests.rules import PREVIEWS


@shared_task(name="tables.requests.tasks.finish_previews", time_limit=60)
def finish_previews() -> None:
    """Every few seconds: what the laboratory has answered by now is kept with its request."""
    errands.do_errand(code=PREVIEWS.code, work=asking.finish_previews)


def previews_are_due() -> bool:
    return errands.is_due(PREVIEWS.code)
