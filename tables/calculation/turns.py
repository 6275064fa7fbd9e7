"""Only one process calculates a thing at a time; the others read over its shoulder how far it is."""

from __future__ import annotations

import fcntl
import hashlib
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

LOOKS_EVERY: Final = 0.3  # seconds

Progress = Callable[[float], None]


@contextmanager
def turn(folder: Path, name: str, progress: Progress) -> Iterator[Progress]:
    """Waits while another process calculates the same. The lock falls with its process, so nothing stays stuck."""
    folder.mkdir(parents=True, exist_ok=True)
    digest = hashlib.sha256(name.encode()).hexdigest()[:24]
    # Not for appending: Linux would then write behind the end, wherever it is told to write.
    opened = os.open(folder / f"{digest}.turn", os.O_RDWR | os.O_CREAT, 0o600)
    with os.fdopen(opened, "r+b", buffering=0) as file:
        while not _taken(file.fileno()):
            progress(_written(file.fileno()))
            time.sleep(LOOKS_EVERY)

        def show_progress(part: float) -> None:
            os.pwrite(file.fileno(), f"{part:.4f}".encode(), 0)
            progress(part)

        show_progress(0.0)
        yield show_progress


def _taken(file: int) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _written(file: int) -> float:
    try:
        return float(os.pread(file, 6, 0) or 0)
    except ValueError:
        return 0.0
