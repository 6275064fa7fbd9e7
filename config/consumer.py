"""Celery's consumer, which a message that cannot be read does not end."""

from __future__ import annotations

import logging
from typing import Any, Final

from celery.worker.consumer import Consumer

# What a broker's own code raises over half a message or a lost line; of these Celery knows few, and ends over the rest.
UNREADABLE: Final = (ValueError, KeyError, TypeError, EOFError, OSError)


TURN: Final = 0.2  # seconds; whoever asks the worker to end waits for two of them
log = logging.getLogger(__name__)


class ShortTurns:
    """The connection for Celery's loop, which listens for two seconds before it looks whether it shall end."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    def drain_events(self, timeout: float) -> Any:
        return self._connection.drain_events(timeout=min(timeout, TURN))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)


class PatientConsumer(Consumer):  # type: ignore[misc,unused-ignore]
    """Opens its connection anew after what it could not read. The message is lost; what it rang for is not."""

    connection_errors: tuple[type[BaseException], ...]

    def __init__(self, *words: Any, **more: Any) -> None:
        super().__init__(*words, **more)
        self.connection_errors = (*self.connection_errors, *UNREADABLE)

    def loop_args(self) -> tuple[Any, ...]:
        consumer, connection, *rest = super().loop_args()
        return (consumer, ShortTurns(connection), *rest)

    def on_connection_error_after_connected(self, exc: Exception) -> None:
        """Kombu closes a dead line by giving back over it what was not begun, and fails; that would end the worker."""
        try:
            super().on_connection_error_after_connected(exc)
        except Exception as trouble:  # noqa: BLE001 - the line is gone either way, and the next one is opened
            log.warning("the lost line to the broker did not close cleanly: %s", trouble)
