"""What the worker does for alarms. Safe to run twice; keyword arguments only."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from accounting.alarms.actions.sending import send_due
from accounting.alarms.queries.lists import due_messages

__all__ = ["alarms_are_due", "tell_alarms"]


@shared_task(name="accounting.alarms.tasks.tell_alarms", time_limit=600)
def tell_alarms() -> None:
    """Sends what the addresses of alarms have not heard yet."""
    send_due()


def alarms_are_due() -> bool:
    return due_messages(timezone.now()).exists()
