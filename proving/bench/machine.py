"""The machine a figure was measured on. No names, no paths: what somebody needs in order to compare."""

from __future__ import annotations

import os
import platform
import time
from pathlib import Path
from statistics import median
from typing import Any

FLUSHES = 100


def facts(database: str, folder: Path) -> dict[str, Any]:
    return {
        "cores": len(os.sched_getaffinity(0)),
        "processor": _processor(),
        "memory_gib": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1),
        "system": f"{platform.system()} {platform.release().split('-')[0]}",
        "python": platform.python_version(),
        "postgresql": database,
        "flush_us": round(flush_us(folder)),
    }


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def flush_us(folder: Path) -> float:
    """The median time of writing 8 KiB and having the disk confirm it."""
    path, page, taken = folder / "flush", bytes(8192), []
    with path.open("wb", buffering=0) as file:
        for _ in range(FLUSHES):
            began = time.perf_counter()
            file.seek(0)
            file.write(page)
            os.fdatasync(file.fileno())
            taken.append(time.perf_counter() - began)
    path.unlink()
    return median(taken) * 1e6
