"""So many pages at once: a crowd at the door takes neither the database's lines nor the machine from the tables.

Each page that is under way has a thread and a line to the database. Without a bound two hundred callers, signed in or
not, would hold two hundred lines, and PostgreSQL gives a hundred to everybody. Coin-ins and signs have doors of their
own and never wait here; neither does what a balancer asks.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final

AT_ONCE: Final = 24  # of one process
OF_ONE_ADDRESS: Final = 12  # so that nobody alone holds them all
MOST_WAITING: Final = 100  # of one address
LONGEST_WAIT: Final = 10.0
NEVER_WAIT: Final = ("/api/v1/health", "/api/v1/ready", "/static/")


WHY: Final = "Many ask at this moment. Nothing was done; try again in some seconds."
# Ready beforehand: whoever is turned away by the hundred must not cost what a page costs.
TO_PROGRAMS: Final = json.dumps({"ok": False, "code": "busy", "why": WHY}).encode()
TO_PEOPLE: Final = f"<!doctype html><meta charset=utf-8><title>One moment</title><p>{WHY}</p>".encode()


class Crowded(Exception):
    """Nothing was done; the same is welcome a moment later."""


@dataclass(slots=True)
class CallersLine:
    """What one address has under way, and who of it waits."""

    turns: asyncio.Semaphore
    callers: int = 0


class CallersInTurn:
    """One per server."""

    def __init__(self, at_once: int = AT_ONCE, of_one_address: int = OF_ONE_ADDRESS) -> None:
        self._turns, self._of_one = asyncio.Semaphore(at_once), of_one_address
        self._lines: dict[str, CallersLine] = {}

    @asynccontextmanager
    async def turn(self, address: str, path: str) -> AsyncIterator[None]:
        """Held until the work is over, also where its caller was answered before."""
        if path.startswith(NEVER_WAIT):
            yield
            return
        line = self._lines.setdefault(address, CallersLine(asyncio.Semaphore(self._of_one)))
        if line.callers >= self._of_one + MOST_WAITING:
            raise Crowded
        line.callers += 1
        try:
            await self._waited(line)
            try:
                yield
            finally:
                self._turns.release()
                line.turns.release()
        finally:
            line.callers -= 1
            if not line.callers:
                self._lines.pop(address, None)

    async def _waited(self, line: CallersLine) -> None:
        try:
            async with asyncio.timeout(LONGEST_WAIT):
                await line.turns.acquire()
                try:
                    await self._turns.acquire()
                except BaseException:
                    line.turns.release()
                    raise
        except TimeoutError:
            raise Crowded from None


async def say_crowded(path: str, method: str, send: Callable[[dict[str, Any]], Awaitable[None]]) -> None:
    program = path.startswith("/api/")
    body = TO_PROGRAMS if program else TO_PEOPLE
    headers = [
        (b"content-type", b"application/json" if program else b"text/html; charset=utf-8"), (b"retry-after", b"2"),
        (b"cache-control", b"no-store"), (b"content-security-policy", b"default-src 'none'"),
        (b"content-length", str(len(body)).encode()),
    ]  # fmt: skip
    if method == "GET" and not program:
        headers.append((b"refresh", b"3"))  # the browser asks again by itself
    await send({"type": "http.response.start", "status": 503, "headers": headers})
    await send({"type": "http.response.body", "body": b"" if method == "HEAD" else body})
