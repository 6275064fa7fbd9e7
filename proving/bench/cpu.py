"""Who used the processors: trees of our own programs, ourselves, and everybody else, all from /proc."""

from __future__ import annotations

import os
import resource
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Program:
    """One line of /proc/<pid>/stat: its parent, and its seconds with those of its buried children."""

    parent: int
    seconds: float


def programs() -> dict[int, Program]:
    seen = {}
    for folder in os.scandir("/proc"):
        if folder.name.isdigit():
            with suppress(OSError, ValueError):  # it may end while we look
                seen[int(folder.name)] = program_of(Path(folder.path, "stat").read_text())
    return seen


def program_of(stat: str) -> Program:
    fields = stat.rpartition(")")[2].split()  # the name before it may hold blanks and brackets
    return Program(int(fields[1]), sum(map(int, fields[11:15])) / TICKS)


def tree_seconds(roots: Iterable[int], seen: Mapping[int, Program]) -> float:
    """CPU of these programs and all below them; what a dead child used stays with its parent."""
    children: dict[int, list[int]] = {}
    for pid, program in seen.items():
        children.setdefault(program.parent, []).append(pid)
    waiting, total = list(roots), 0.0
    while waiting:
        pid = waiting.pop()
        if pid in seen:
            total += seen[pid].seconds
            waiting.extend(children.get(pid, ()))
    return total


def busy_seconds(stat: str) -> float:
    """Seconds that programs used on all processors: user, nice, system and what a host took away (stolen).

    Interrupt time is left out: it is the wire's own work here, and no program's.
    """
    user, nice, system, _idle, _wait, _irq, _softirq, stolen = map(int, stat.split("\n", 1)[0].split()[1:9])
    return (user + nice + system + stolen) / TICKS


@dataclass(frozen=True, slots=True)
class Usage:
    """The processors' state at one moment."""

    at: float
    busy: float
    ourselves: float
    servers: Mapping[str, float]

    @classmethod
    def now(cls, servers: Mapping[str, Iterable[int]]) -> Usage:
        """`servers` names trees by the pids of their roots."""
        busy = busy_seconds(Path("/proc/stat").read_text())
        at, seen = time.monotonic(), programs()
        return cls(at, busy, _own_seconds(), {name: tree_seconds(roots, seen) for name, roots in servers.items()})


def _own_seconds() -> float:
    used = (resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in used)


@dataclass(frozen=True, slots=True)
class Used:
    """What was used between two moments."""

    seconds: float
    busy: float
    ourselves: float
    servers: Mapping[str, float]

    @classmethod
    def between(cls, first: Usage, second: Usage) -> Used:
        servers = {name: second.servers[name] - first.servers[name] for name in first.servers}
        return cls(
            second.at - first.at, second.busy - first.busy, second.ourselves - first.ourselves, servers
        )  # fmt: skip

    def foreign_cores(self, client_cpu: float = 0.0) -> float:
        """Cores used by programs that are neither our servers nor our client nor ourselves."""
        ours = sum(self.servers.values()) + self.ourselves + client_cpu
        return max(0.0, self.busy - ours) / self.seconds
