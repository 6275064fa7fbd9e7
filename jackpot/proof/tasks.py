"""What the worker does for the progressive. Safe to run twice; keyword arguments only."""

from __future__ import annotations

from typing import Final

from celery import shared_task

from jackpot.errands import actions as errands
from jackpot.proof.actions import heads

HEADS: Final = heads.RHYTHM


@shared_task(name="jackpot.proof.tasks.publish_heads", time_limit=60)
def publish_heads() -> None:
    """Every five minutes: says outside the database where the books stand."""
    errands.do_errand(code=HEADS.code, work=heads.publish_heads)


def heads_are_due() -> bool:
    return errands.is_due(HEADS.code)
