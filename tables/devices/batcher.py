"""Group commit: what arrives while a commit is under way forms the next batch. No timer, a bounded queue."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from django.db import connection

from jackpot.actions.raw import settle_plans
from tables.actions.round import Outcome, OutcomeUnknown, Said, post_messages

LARGEST_BATCH: Final = 256
LONGEST_QUEUE: Final = 5_000

Waiting = tuple[Said, "asyncio.Future[Outcome]"]


class TooBusy(Exception):
    """The queue is full; the device says it again in a moment."""


class Batcher:
    """One per process: a queue, one thread with its own connection, one batch at a time."""

    def __init__(self, post: Callable[[Sequence[Said]], list[Outcome]] | None = None) -> None:
        self._post = post or _post_settled
        self._waiting: deque[Waiting] = deque()
        self._arrived = asyncio.Event()
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="books")
        self._task: asyncio.Task[None] | None = None

    def submit(self, said: Said) -> asyncio.Future[Outcome]:
        """Queues one message; its future resolves after the commit that holds it."""
        if len(self._waiting) >= LONGEST_QUEUE:
            raise TooBusy
        loop = asyncio.get_running_loop()
        if self._task is None or self._task.done():
            self._task = loop.create_task(self._run())
        future: asyncio.Future[Outcome] = loop.create_future()
        self._waiting.append((said, future))
        self._arrived.set()
        return future

    async def close(self) -> None:
        """Lets the batch under way finish; what still waits is told to say it again."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        for _, future in self._waiting:
            if not future.done():
                future.set_exception(OutcomeUnknown("The server is stopping. Say it again."))
        self._waiting.clear()
        self._thread.submit(_hang_up)
        self._thread.shutdown(wait=True)

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await self._arrived.wait()
            self._arrived.clear()
            while self._waiting:
                batch = self._next_batch()
                work = loop.run_in_executor(self._thread, self._post, [said for said, _ in batch])
                # A commit is never cancelled half-way: if we are, the thread still finishes and answers.
                work.add_done_callback(lambda done, batch=batch: _answer(done, batch))  # type: ignore[misc]
                await asyncio.wait([work])

    def _next_batch(self) -> list[Waiting]:
        """At most one message a table, so that every message sees the round before it; the rest keep their order."""
        batch: list[Waiting] = []
        later: list[Waiting] = []
        tables: set[str] = set()
        while self._waiting and len(batch) < LARGEST_BATCH:
            waiting = self._waiting.popleft()
            if waiting[0].table_code in tables:
                later.append(waiting)
            else:
                tables.add(waiting[0].table_code)
                batch.append(waiting)
        self._waiting.extendleft(reversed(later))
        return batch


def _post_settled(batch: Sequence[Said]) -> list[Outcome]:
    settle_plans()
    return post_messages(batch)


def _hang_up() -> None:
    connection.close()  # this thread's own; Django keeps one for each


def _answer(done: asyncio.Future[list[Outcome]], batch: Sequence[Waiting]) -> None:
    problem = None if done.cancelled() else done.exception()
    outcomes = [] if done.cancelled() or problem else done.result()
    for place, (_, future) in enumerate(batch):
        if future.done():
            continue
        if outcomes:
            future.set_result(outcomes[place])
        else:
            future.set_exception(problem or OutcomeUnknown("The server is stopping. Say it again."))
