"""Locks between starters. They lock folders themselves, so that no lock file is ever left behind."""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Callable, Iterator
from pathlib import Path


class Taken(Exception):
    """Someone else holds this lock."""


@contextlib.contextmanager
def alone_in(folder: Path, *, on_wait: Callable[[], None] | None = None, wait: bool = True) -> Iterator[int]:
    """Holds the folder's lock; the kernel frees it when the holder dies, however it dies."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        _take(descriptor, on_wait, wait)
        yield descriptor
    finally:
        os.close(descriptor)


def _take(descriptor: int, on_wait: Callable[[], None] | None, wait: bool) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        if not wait:
            raise Taken from None
        if on_wait:
            on_wait()
        fcntl.flock(descriptor, fcntl.LOCK_EX)
