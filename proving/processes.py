"""Processes as the system tells of them: whose child, which program; and a signal to one that may be gone already."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterator
from pathlib import Path


def processes() -> Iterator[int]:
    return (int(place.name) for place in Path("/proc").glob("[0-9]*"))


def parent_of(pid: int) -> int:
    with contextlib.suppress(OSError, IndexError):
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    return 0


def children_of(parent: int) -> list[int]:
    return [pid for pid in processes() if parent_of(pid) == parent]


def signal_one(pid: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)
