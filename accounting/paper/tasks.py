"""What the worker does for the office. Safe to run twice; keyword arguments only."""

from __future__ import annotations

from celery import shared_task

from accounting.paper.actions import queue


@shared_task(name="accounting.paper.tasks.drain_print_queue", time_limit=120)
def drain_print_queue() -> None:
    """Sends the pages that wait for their printers."""
    queue.drain_print_queue()


def pages_are_due() -> bool:
    return queue.due_jobs().exists()
