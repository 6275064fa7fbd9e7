"""Books that moved to another machine while the old one says nothing.

A machine that is halted, or a disk that answers nobody, still holds its lines: its kernel acknowledges what no program
reads, so neither TCP nor a limit that the database itself would keep ends the wait. Where an address names several
hosts, a line that has asked for some seconds without an answer makes us ask the others; when one of them takes writes,
the old one has lost its place, and every line to it is cut. What was under way is *unknown* and is said again.

Nothing is cut on suspicion: as long as nobody else takes writes, a wait is a wait.
"""

from __future__ import annotations

import contextlib
import logging
import os
import socket
import threading
import time
import weakref
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import psycopg

LOOK_EVERY: Final = 1.0
SUSPICIOUS_AFTER: Final = 3  # looks in a row at which a line was asking and had no answer
SECONDS_TO_CONNECT: Final = 2
log = logging.getLogger(__name__)

# What of an address says who speaks, and how it is believed; limits of a line are of no interest to one that only asks.
WHO_AND_HOW: Final = (
    "dbname", "user", "password", "passfile", "sslmode", "sslrootcert", "sslcert", "sslkey", "sslpassword", "sslcrl",
    "channel_binding", "gssencmode",
)  # fmt: skip
Host = tuple[str, str]
TakesWrites = Callable[[Mapping[str, Any], Host], bool]


def takes_writes(words: Mapping[str, Any], host: Host) -> bool:
    """Asked with a connection of our own: `words` are those of the lines that it is asked for."""
    alone = {**words, "host": host[0], "port": host[1], "target_session_attrs": "read-write"}
    with contextlib.suppress(psycopg.Error, OSError):
        psycopg.connect(**{**alone, "connect_timeout": SECONDS_TO_CONNECT}).close()
        return True
    return False


@dataclass(slots=True)
class WatchedLine:
    """One connection to one of several hosts."""

    raw: weakref.ref[Any]
    host: Host
    others: tuple[Host, ...]
    words: Mapping[str, Any]
    moved: Callable[[Host], None]
    asking: int = 0  # looks in a row

    def is_asking(self) -> bool:
        raw = self.raw()
        if raw is None or raw.closed:
            return False
        return bool(raw.pgconn.transaction_status == psycopg.pq.TransactionStatus.ACTIVE)

    @property
    def is_there(self) -> bool:
        raw = self.raw()
        return raw is not None and not raw.closed

    def cut(self) -> None:
        """Through a handle of our own: whoever waits on the line wakes up and finds it ended."""
        raw = self.raw()
        with contextlib.suppress(psycopg.Error, OSError, ValueError):
            if raw is not None:
                with socket.socket(fileno=os.dup(raw.pgconn.socket)) as handle:
                    handle.shutdown(socket.SHUT_RDWR)


@dataclass(slots=True)
class MovedBooks:
    """One per process. Its thread begins with the first line to several hosts."""

    asks: TakesWrites = takes_writes
    every: float = LOOK_EVERY
    _lines: list[WatchedLine] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _thread: threading.Thread | None = None

    def watch(self, raw: Any, words: Mapping[str, Any], moved: Callable[[Host], None] = lambda _: None) -> None:
        """A line that was just opened with these words of libpq; `moved` hears who takes writes instead."""
        hosts = hosts_of(str(words.get("host") or ""), str(words.get("port") or ""))
        if len(hosts) < 2:
            return
        mine = (raw.info.host, str(raw.info.port))
        said = {name: words[name] for name in WHO_AND_HOW if words.get(name)}
        line = WatchedLine(weakref.ref(raw), mine, tuple(each for each in hosts if each != mine), said, moved)
        with self._lock:
            self._lines.append(line)
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name="moved books", daemon=True)
                self._thread.start()

    def look(self) -> Host | None:
        """Returns who took the place of a host that says nothing, if somebody did."""
        with self._lock:
            self._lines = [line for line in self._lines if line.is_there]
            lines = list(self._lines)
        for line in lines:
            line.asking = line.asking + 1 if line.is_asking() else 0
        # One line a host: if it says nothing, one is enough to ask for.
        silent = {line.host: line for line in lines if line.asking >= SUSPICIOUS_AFTER}
        for host, line in silent.items():
            taken_by = next((other for other in line.others if self.asks(line.words, other)), None)
            if taken_by is not None:
                _cut(lines, host, taken_by)
                return taken_by
        return None

    def _run(self) -> None:
        while True:
            time.sleep(self.every)
            try:
                self.look()
            except Exception:
                log.exception("the look for moved books goes on after this")


def _cut(lines: Iterable[WatchedLine], host: Host, taken_by: Host) -> None:
    mine = [line for line in lines if line.host == host]
    log.warning("%s says nothing and %s takes writes now; %s lines are cut", host[0], taken_by[0], len(mine))
    for line in mine:
        line.moved(taken_by)
        line.cut()


def hosts_of(hosts: str, ports: str) -> list[Host]:
    names = [name for name in hosts.split(",") if name]
    numbers = ports.split(",") if "," in ports else [ports or "5432"] * len(names)
    return list(zip(names, numbers, strict=False))


moved_books: Final = MovedBooks()
