"""Brokers that fail as brokers do, under names that CELERY_BROKER_URL can hold."""

from __future__ import annotations

import json
import os
from functools import partial
from queue import Empty
from typing import Any

from celery.signals import celeryd_init
from kombu.transport import TRANSPORT_ALIASES, memory, virtual


class LosingChannel(memory.Channel):
    """Says that it took the message, and keeps none."""

    def _put(self, queue: str, message: Any, **kwargs: Any) -> None:
        pass


class losing(memory.Transport):  # noqa: N801 - an address is written small
    Channel = LosingChannel
    global_state = virtual.BrokerState()


class GarblingChannel(memory.Channel):
    """Reads every message half-written, as a folder on a busy machine did."""

    def _get(self, queue: str, timeout: float | None = None) -> Any:
        message = json.dumps(super()._get(queue, timeout))
        return json.loads(message[: len(message) // 2])


class garbling(memory.Transport):  # noqa: N801
    Channel = GarblingChannel
    global_state = virtual.BrokerState()


class AwayChannel(memory.Channel):
    """Nothing ever comes out."""

    def _get(self, queue: str, timeout: float | None = None) -> Any:
        raise Empty


class away(memory.Transport):  # noqa: N801
    """Cannot be reached at all."""

    Channel = AwayChannel
    global_state = virtual.BrokerState()

    def establish_connection(self) -> Any:
        raise ConnectionRefusedError(111, "Connection refused")


TRANSPORT_ALIASES.update({each.__name__: f"{__name__}:{each.__name__}" for each in (losing, garbling, away)})


@celeryd_init.connect
def in_a_hurry(**_: Any) -> None:
    """A worker whose timekeeper looks and loses patience ten times sooner, where a test is not about how long."""
    if not os.environ.get("IN_A_HURRY"):
        return
    from config import timekeeper

    vars(timekeeper).update(
        LOOK_EVERY=timekeeper.LOOK_EVERY / 10,
        Timekeeper=partial(timekeeper.Timekeeper, patience=timekeeper.PATIENCE / 10),
    )
