"""The worker. What is due stands in the database; a message only says "look there", and losing one harms nothing."""

from __future__ import annotations

import os
import sys
from typing import Any

from celery import Celery
from celery.signals import task_postrun, task_prerun

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
if "celery" in sys.argv[0] and "worker" in sys.argv:
    os.environ["FAIRMETER_USE"] = "worker"  # its connections have the deadlines of a worker


def broker_settings() -> dict[str, Any]:
    """A broker if one is named; else the worker's own memory, where no message can be read half-written."""
    url = os.environ.get("CELERY_BROKER_URL") or os.environ.get("REDIS_URL")
    if not url:
        return {"broker_url": "memory://", "broker_transport_options": {"polling_interval": 0.2}}
    # A broker that swallows connections must not hold up who rings; only Redis knows these words.
    patience = {"socket_connect_timeout": 4} if url.startswith(("redis", "sentinel")) else {}
    return {"broker_url": url, "broker_transport_options": {"max_retries": 1, **patience}}


def make_app() -> Celery:
    made = Celery("fairmeter")
    made.conf.update(
        **broker_settings(),
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
        task_ignore_result=True,
        task_serializer="json",
        accept_content=["json"],
        task_time_limit=600,
        worker_concurrency=4,
        worker_hijack_root_logger=False,
        worker_consumer="config.consumer:PatientConsumer",
        timezone="UTC",
    )
    made.steps["worker"].add("config.timekeeper:TimekeeperStep")
    made.autodiscover_tasks()
    return made


app = make_app()
_names: dict[str, Any] = {}


@task_prerun.connect
def _begin_name(task_id: str, task: Any, **_: Any) -> None:
    """A task bears its own number in the log and in its statements, as a request does."""
    from jackpot.web.request_id import named_request

    _names[task_id] = named_request(task_id, task.name)
    _names[task_id].__enter__()


@task_postrun.connect
def _end_name(task_id: str, **_: Any) -> None:
    if (named := _names.pop(task_id, None)) is not None:
        named.__exit__(None, None, None)
