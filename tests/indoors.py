"""The device's door without a server: the same gateway, working on the test's own connection.

A message is signed, checked, read, judged, written and answered by the product's own code; only the socket, uvicorn's
parsing and the commit are not there. So many refusals cost a savepoint each instead of a server and a database, and
the transaction around the test takes everything back. What the socket and the commit promise is proven over `live`.
"""

from __future__ import annotations

import asyncio
import json
import queue
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from typing import Any, TypeVar

from tables.gateway.asgi import Event
from tables.gateway.batcher import Batcher
from tables.gateway.http import HttpDoor
from tables.gateway.logbook import Logbook
from tables.gateway.verbs import GatewayServices

T = TypeVar("T")


class TestsOwnThread(Executor):
    """A pool of one: the thread of the test, whose connection holds what the test wrote and did not commit."""

    __test__ = False

    def __init__(self) -> None:
        self._waiting: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        done: Future[T] = Future()

        def work() -> None:
            try:
                done.set_result(fn(*args, **kwargs))
            except Exception as problem:  # noqa: BLE001 - carried to whoever waits, as a pool would
                done.set_exception(problem)

        self._waiting.put(work)
        return done

    def until(self, answered: Future[T]) -> T:
        """Does what is submitted, in its order, until the answer is there."""
        answered.add_done_callback(lambda _: self._waiting.put(lambda: None))
        while not answered.done():
            self._waiting.get()()
        return answered.result()


class Indoors:
    """Stands where `Live` stands: takes what a controller posts, and gives the answer."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="door without a server", daemon=True)
        self._thread.start()
        self._pool, batcher = TestsOwnThread(), Batcher()
        for lane in (batcher._coin_ins, batcher._ends):
            lane.thread.shutdown()
            lane.thread = self._pool  # type: ignore[assignment]
        self._logbook = Logbook(self._pool)
        self.services = GatewayServices(batcher, self._pool, self._logbook)
        self._door = HttpDoor(self.services)

    def post(self, path: str, body: bytes, headers: dict[str, str], patience: float) -> tuple[int, dict[str, Any]]:
        posted = asyncio.wait_for(self._posted(path, body, headers), patience)
        return self._pool.until(asyncio.run_coroutine_threadsafe(posted, self._loop))

    async def _posted(self, path: str, body: bytes, headers: dict[str, str]) -> tuple[int, dict[str, Any]]:
        sent: list[Event] = []
        named = [(name.lower().encode(), value.encode("latin-1")) for name, value in headers.items()]

        async def receive() -> Event:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(event: Event) -> None:
            sent.append(event)

        await self._door({"type": "http", "method": "POST", "path": path, "headers": named}, receive, send)
        start, *parts = sent
        return start["status"], json.loads(b"".join(part["body"] for part in parts))

    def close(self) -> None:
        """The logbook writes what it holds; the connection stays open, for it is the test's."""
        self._pool.until(asyncio.run_coroutine_threadsafe(self._logbook.write(), self._loop))
        asyncio.run_coroutine_threadsafe(_nothing_left(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


async def _nothing_left() -> None:
    """Lanes that wait for messages, and the logbook's timer, which would write what is written already."""
    left = asyncio.all_tasks() - {asyncio.current_task()}
    for task in left:
        task.cancel()
    await asyncio.gather(*left, return_exceptions=True)


@contextmanager
def indoors_open() -> Iterator[Indoors]:
    opened = Indoors()
    try:
        yield opened
    finally:
        opened.close()
