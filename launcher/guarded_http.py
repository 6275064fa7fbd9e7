"""What one caller may cost before anything of ours is asked: how large, how slow and how many at once.

The parser keeps a header until it ends, so its bytes are counted before they are fed. Each limit ends the connection
with a status that names it; nothing of such a request reaches the application.
"""

from __future__ import annotations

import asyncio
import os
import resource
from collections import Counter
from dataclasses import dataclass
from typing import Any, Final

from launcher.straight import StraightHttp

LEFT_FREE: Final = 0.8  # of the files that this process may open; the rest is for the database, logs and answers
REASONS: Final = {
    400: "Bad Request", 408: "Request Timeout", 413: "Content Too Large", 414: "URI Too Long",
    431: "Request Header Fields Too Large", 503: "Service Unavailable",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class CallerLimits:
    """Sizes in bytes, times in seconds."""

    header: int = 32 * 1024
    headers: int = 100
    address: int = 8 * 1024  # of a request line
    header_seconds: float = 10
    body: int = 16 * 1024 * 1024
    body_seconds: float = 60
    connections: int = 800
    connections_of_one: int = 200
    trusted: frozenset[str] = frozenset()  # proxies: behind one address they speak for everybody

    @classmethod
    def of_this_process(cls) -> CallerLimits:
        """As many connections as this process may open files; a quarter of them for one address, or as told."""
        most = int(open_files() * LEFT_FREE)
        told = os.environ.get("FAIRMETER_CONNECTIONS_PER_ADDRESS") or ""
        of_one = int(told) if told.isascii() and told.isdigit() and int(told) else max(1, most // 4)
        proxies = (os.environ.get("FORWARDED_ALLOW_IPS") or "").split(",")
        return cls(connections=most, connections_of_one=of_one, trusted=frozenset(filter(None, proxies)))


def open_files() -> int:
    """How many files this process may open, raised as far as the machine lets it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < hard:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        except (ValueError, OSError):  # some systems say no limit and mean one
            return soft
        return hard
    return soft


class Callers:
    """Connections that are open now, by address."""

    def __init__(self, limits: CallerLimits) -> None:
        self.limits = limits
        self._open: Counter[str] = Counter()
        self._all = 0

    def comes(self, address: str) -> bool:
        """Counts one more, or says that there is no room for it."""
        full = self._all >= self.limits.connections
        if full or (self._open[address] >= self.limits.connections_of_one and address not in self.limits.trusted):
            return False
        self._open[address] += 1
        self._all += 1
        return True

    def goes(self, address: str) -> None:
        self._all -= 1
        self._open[address] -= 1
        if not self._open[address]:
            del self._open[address]


def guarded(limits: CallerLimits) -> type[StraightHttp]:
    """The protocol of one server; its connections are counted together."""
    callers = Callers(limits)

    class OfThisServer(GuardedHttp):
        pass

    OfThisServer.callers = callers
    return OfThisServer


class GuardedHttp(StraightHttp):
    """uvicorn's protocol, which by itself waits for ever and keeps whatever comes."""

    callers: Callers

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._counted: str | None = None
        self._due: float | None = None  # when what is waited for must be there
        self._alarm: asyncio.TimerHandle | None = None
        self._rings_at = 0.0
        self._head = self._body = 0
        self._in_head = True
        address = self.client[0] if self.client else ""
        if not self.callers.comes(address):
            self.refuse(503)
            return
        self._counted = address
        self._wait(self.callers.limits.header_seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        self._wait(None)
        if self._alarm is not None:
            self._alarm.cancel()
        self.release()
        super().connection_lost(exc)

    def release(self) -> None:
        """Its place is free again; a WebSocket keeps it until it ends itself."""
        if self._counted is not None:
            self.callers.goes(self._counted)
            self._counted = None

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing() or (self._due is None and self.goes_straight(data)):
            return
        if self._in_head:
            self._head += len(data)
            if self._due is None:  # the next request of a connection that rested: from its first byte on
                self._wait(self.callers.limits.header_seconds)
        super().data_received(data)
        if self._in_head and self._head > self.callers.limits.header and not self.transport.is_closing():
            self.refuse(431)

    def handle_websocket_upgrade(self) -> None:
        self._wait(None)
        super().handle_websocket_upgrade()
        taken = self.transport.get_protocol()
        if isinstance(taken, asyncio.BaseProtocol) and hasattr(taken, "on_end"):
            taken.on_end = self.release
        if not getattr(taken, "handshake_initiated", True):
            self.refuse(400)  # with a body behind its head: the library answers nothing and would keep the line

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._in_head = True
        self._body = 0
        self._wait(self.callers.limits.header_seconds)

    def on_url(self, url: bytes) -> None:
        super().on_url(url)
        if len(self.url) > self.callers.limits.address:
            self.refuse(414)

    def on_header(self, name: bytes, value: bytes) -> None:
        limits = self.callers.limits
        if len(self.headers) >= limits.headers or len(name) + len(value) > limits.header:
            self.refuse(431)
            return
        super().on_header(name, value)
        # Twenty digits say enough: turning thousands of them into a number would cost the time that this saves.
        if name.lower() == b"content-length" and value.isdigit() and int(value[:20]) > limits.body:
            self.refuse(413)

    def on_headers_complete(self) -> None:
        self._in_head = False
        self._head = 0
        if self.transport.is_closing():
            return
        self._wait(self.callers.limits.body_seconds)
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._body += len(body)
        if self._body > self.callers.limits.body:
            self.refuse(413)
        if not self.transport.is_closing():
            super().on_body(body)

    def on_message_complete(self) -> None:
        self._wait(None)
        self._in_head, self._head = True, 0
        if not self.transport.is_closing():
            super().on_message_complete()

    def refuse(self, status: int) -> None:
        """Says which limit it was, and ends the connection; what still comes is not read."""
        if self.transport.is_closing():
            return
        self._wait(None)
        reason = REASONS[status]
        words = f"HTTP/1.1 {status} {reason}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
        self.transport.write(words.encode("ascii"))
        self.transport.close()

    def _wait(self, seconds: float | None) -> None:
        """Until when the next step may take. A message has four; an alarm made and cancelled for each cost more than
        reading them, so one that rings too early is set anew."""
        self._due = None if seconds is None else self.loop.time() + seconds
        if self._due is None or (self._alarm is not None and self._rings_at <= self._due):
            return
        if self._alarm is not None:
            self._alarm.cancel()
        self._rings_at = self._due
        self._alarm = self.loop.call_at(self._due, self._ring)

    def _ring(self) -> None:
        self._alarm = None
        if self._due is None:
            return
        left = self._due - self.loop.time()
        if left > 0:
            self._wait(left)
        else:
            self.refuse(408)
