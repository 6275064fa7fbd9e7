"""What the worker does for the progressive. Safe to run twice; keyword arguments only."""

from __future__ import annotations

from typing import Final

from celery import shared_task

from jackpot.errands import actions as errands
from jackpot.proof.actions import heads, heads_away, rolling

HEADS: Final = heads.RHYTHM
AWAY: Final = heads_away.AWAY
NEW: Final = rolling.NEW


@shared_task(name="jackpot.proof.tasks.publish_heads", time_limit=60)
def publish_heads() -> None:
    """Every five minutes: says outside the database where the books stand."""
    errands.do_errand(code=HEADS.code, work=heads.publish_heads)


def heads_are_due() -> bool:
    return errands.is_due(HEADS.code)


@shared_task(name="jackpot.proof.tasks.send_heads_away", time_limit=120)
def send_heads_away() -> None:
    """Every five minutes: the same to where this machine's owner cannot change it."""
    errands.do_errand(code=AWAY.code, work=heads_away.send_heads_away)


def heads_leave_now() -> bool:
    return errands.is_due(AWAY.code)


@shared_task(name="jackpot.proof.tasks.prove_what_is_new", time_limit=600)
def prove_what_is_new() -> None:
    """Every minute: adds and seals again what was posted since."""
    errands.do_errand(code=NEW.code, work=rolling.prove_what_is_new)


def new_entries_are_due() -> bool:
    return errands.is_due(NEW.code)
