"""The worker and its timetable. Money work never lives in a broker: a task drains what the database already holds."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from celery import Celery
from celery.schedules import schedule

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

EVERY_TWO_SECONDS = schedule(2.0)
EVERY_MINUTE = schedule(60.0)
EVERY_FIVE_MINUTES = schedule(300.0)

# Name of the entry: task and rhythm. Static on purpose; every task closes what is due and may run twice.
TIMETABLE: dict[str, dict[str, Any]] = {
    "publish heads": {"task": "jackpot.proof.tasks.publish_heads", "schedule": EVERY_FIVE_MINUTES},
    "drain print queue": {"task": "accounting.paper.tasks.drain_print_queue", "schedule": EVERY_TWO_SECONDS},
}


def broker_settings(folder: Path) -> dict[str, Any]:
    """A real broker if one is named, else a folder that is looked into ten times a second."""
    url = os.environ.get("CELERY_BROKER_URL") or os.environ.get("REDIS_URL")
    if url:
        return {"broker_url": url}
    messages, control = folder / "messages", folder / "control"
    return {
        "broker_url": "filesystem://",
        "broker_transport_options": {
            "data_folder_in": str(messages),
            "data_folder_out": str(messages),
            "control_folder": str(control),
            "polling_interval": 0.1,
        },
    }


def make_app() -> Celery:
    from django.conf import settings

    made = Celery("fairmeter")
    made.conf.update(
        **broker_settings(settings.DATA_DIR / "broker"),
        beat_schedule=TIMETABLE,
        beat_scheduler="celery.beat:Scheduler",  # nothing to remember: what is due is in the database
        broker_connection_retry_on_startup=True,
        task_ignore_result=True,
        task_serializer="json",
        accept_content=["json"],
        task_time_limit=600,
        worker_concurrency=4,
        worker_hijack_root_logger=False,
        timezone="UTC",
    )
    made.autodiscover_tasks()
    return made


app = make_app()
