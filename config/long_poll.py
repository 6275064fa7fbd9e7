"""Whoever asks the feed may wait for its answer, in the event loop: no thread and no connection stands still for it.

Django judges and answers every question as ever. Where it has nothing new, it says how long the asker would wait; then
the question is held here, and asked anew once a number came. One look a second tells all who wait.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Final

from django.db import DatabaseError, close_old_connections, connection

from accounting.feed.queries import WAITS_HEADER, FeedWait, last_numbers
from tables.gateway.asgi import Event, Receive, Scope, Send

FEED: Final = "/api/v1/feed/"
MOST_WAITERS: Final = 200  # whoever comes beside them is answered at once
LOOKS_EVERY: Final = 1.0  # seconds
_HEADER: Final = WAITS_HEADER.lower().encode()
_log = logging.getLogger("fairmeter.feed")
Answering = Callable[[Scope, Receive, Send], Awaitable[None]]


@dataclass(slots=True)
class FeedAnswer:
    """What Django said, held back until it is known whether it goes out."""

    events: list[Event] = field(default_factory=list)
    wait: FeedWait | None = None

    async def take(self, event: Event) -> None:
        if event["type"] == "http.response.start":
            # Django writes names as they were given, in capitals too.
            told = next((value for name, value in event["headers"] if name.lower() == _HEADER), None)
            self.wait = None if told is None else FeedWait.read(told.decode())
            event = {**event, "headers": [pair for pair in event["headers"] if pair[0].lower() != _HEADER]}
        self.events.append(event)


class LongPoll:
    """Everybody who waits for the feed in this process."""

    def __init__(self, most: int = MOST_WAITERS) -> None:
        self.most = most
        self._waiting: dict[asyncio.Event, FeedWait] = {}
        self._watch: asyncio.Task[None] | None = None

    @staticmethod
    def takes(scope: Scope) -> bool:
        return scope["type"] == "http" and scope["path"] == FEED and b"wait=" in scope["query_string"]

    async def __call__(self, ask: Answering, scope: Scope, receive: Receive, send: Send) -> None:
        """Asks, waits if there is nothing and the asker would, and asks once more when something came."""
        await receive()  # a question has no body; what comes next is that the asker is gone
        answer = await _asked(ask, scope)
        ends = asyncio.get_running_loop().time() + (answer.wait.seconds if answer.wait else 0)
        gone = asyncio.ensure_future(receive())
        try:
            while answer.wait is not None and await self._something_came(answer.wait, ends, gone):
                answer = await _asked(ask, scope)
        finally:
            gone.cancel()
        for event in answer.events:
            await send(event)

    async def _something_came(self, wait: FeedWait, ends: float, gone: asyncio.Future[Event]) -> bool:
        """Whether a number came before the time was over; a full house and an asker who left wait for nothing."""
        left = ends - asyncio.get_running_loop().time()
        if left <= 0 or gone.done() or len(self._waiting) >= self.most:
            return False
        rings = asyncio.Event()
        self._waiting[rings] = wait
        if self._watch is None or self._watch.done():
            self._watch = asyncio.ensure_future(self._look())
        rung = asyncio.ensure_future(rings.wait())
        either: list[asyncio.Future[Any]] = [rung, gone]
        try:
            await asyncio.wait(either, timeout=left, return_when=asyncio.FIRST_COMPLETED)
            return rings.is_set() and not gone.done()
        finally:
            rung.cancel()
            del self._waiting[rings]

    async def _look(self) -> None:
        """One look a second for all, from one thread, for as long as somebody waits."""
        loop = asyncio.get_running_loop()
        with ThreadPoolExecutor(1, "feed") as thread:
            try:
                while self._waiting:
                    await asyncio.sleep(LOOKS_EVERY)
                    heads = await loop.run_in_executor(thread, _heads)
                    for rings, wait in self._waiting.items():
                        if heads.get(wait.house, 0) > wait.last:
                            rings.set()
            finally:
                thread.submit(_leave)  # also where the server stops meanwhile: its line is that thread's
        self._watch = None
        if self._waiting:  # somebody came while the thread went
            self._watch = asyncio.ensure_future(self._look())


def _heads() -> dict[int, int]:
    close_old_connections()
    try:
        return last_numbers()
    except DatabaseError as problem:  # whoever waits is answered when their time is over
        _log.warning("The feed was not looked at: %s", problem)
        return {}


def _leave() -> None:
    connection.close()


async def _asked(ask: Answering, scope: Scope) -> FeedAnswer:
    answer, heard = FeedAnswer(), False

    async def nothing_more() -> Event:
        nonlocal heard
        if heard:
            await asyncio.Event().wait()  # the application hears no more of the asker; we do
        heard = True
        return {"type": "http.request", "body": b"", "more_body": False}

    await ask(scope, nothing_more, answer.take)
    return answer
