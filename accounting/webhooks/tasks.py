"""What the worker does for webhooks. Safe to run twice; keyword arguments only."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from accounting.webhooks.actions.delivering import deliver_due
from accounting.webhooks.queries import due_webhooks

__all__ = ["deliver_events", "webhooks_are_due"]


@shared_task(name="accounting.webhooks.tasks.deliver_events", time_limit=600)
def deliver_events() -> None:
    """Sends what the registered addresses have not heard yet."""
    deliver_due()


def webhooks_are_due() -> bool:
    return due_webhooks(timezone.now()).exists()
