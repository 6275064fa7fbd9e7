"""Celery's consumer, which a message that cannot be read does not end."""

from __future__ import annotations

from typing import Any, Final

from celery.worker.consumer import Consumer

# What a broker's own code raises over half a message or a lost line; of these Celery knows few, and ends over the rest.
UNREADABLE: Final = (ValueError, KeyError, TypeError, EOFError, OSError)


class PatientConsumer(Consumer):  # type: ignore[misc,unused-ignore]
    """Opens its connection anew after what it could not read. The message is lost; what it rang for is not."""

    connection_errors: tuple[type[BaseException], ...]

    def __init__(self, *words: Any, **more: Any) -> None:
        super().__init__(*words, **more)
        self.connection_errors = (*self.connection_errors, *UNREADABLE)
