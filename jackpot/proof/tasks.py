"""What the worker does for the progressive. Safe to run twice; keyword arguments only."""

from __future__ import annotations

from celery import shared_task

from jackpot.proof.actions import heads


@shared_task(name="jackpot.proof.tasks.publish_heads", time_limit=60)
def publish_heads() -> None:
    """Every five minutes: says outside the database where the books stand."""
    heads.publish_heads()
