"""Acts run in a small pool of threads, each with its own database connection."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from django.db import InterfaceError, OperationalError, connection

T = TypeVar("T")


def in_own_connection(work: Callable[..., T], **arguments: Any) -> Callable[[], T]:
    """An act for the pool; a broken connection is dropped, so that the next act gets a new one."""

    def run() -> T:
        try:
            return work(**arguments)
        except (OperationalError, InterfaceError):
            connection.close()
            raise

    return run
