"""Group commit: what arrives while a commit is under way forms the next batch. No timer, bounded queues."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final, Protocol

from django.db import InterfaceError, OperationalError, connection

from jackpot.database.raw import refresh_query_plans
from tables.gateway.right_of_way import RightOfWay
from tables.rounds.actions.round import OutcomeUnknown, post_messages
from tables.rounds.rules.round import DeviceRequest, EndRequest, Outcome

LARGEST_BATCH: Final = 256
BATCH_BESIDE_ACTS: Final = 24
LONGEST_QUEUE: Final = 5_000
ANSWER_WITHIN: Final = 10.0  # seconds; a box gives up after fifteen
SWEEP_EVERY: Final = 1.0

Post = Callable[[Sequence[DeviceRequest]], list[Outcome]]
log = logging.getLogger(__name__)


class TooBusy(Exception):
    """The queue is full; the device says it again in a moment."""


class Waiting:
    """One message and who hears what became of it: once, and later words nobody."""

    __slots__ = ("_tell", "request")

    def __init__(self, request: DeviceRequest, tell: Callable[[Outcome | Exception], None]) -> None:
        self.request = request
        self._tell: Callable[[Outcome | Exception], None] | None = tell

    def hears(self, outcome: Outcome | Exception) -> None:
        tell, self._tell = self._tell, None
        if tell is None:
            return
        try:
            tell(outcome)
        except Exception:  # the others of the batch hear their answer all the same
            log.exception("an answer of %s could not be said", self.request.table_code)


class PostsBeside(Protocol):
    """Another process to which the batches of a lane go, for as long as it lives."""

    @property
    def is_open(self) -> bool: ...

    async def post(self, batch: Sequence[DeviceRequest], /) -> list[Outcome]: ...


class Lane:
    """A queue, one batch at a time: posted beside, or by a thread of its own with a connection of its own."""

    def __init__(self, name: str, post: Post, beside: PostsBeside | None, busy: set[str], way: RightOfWay) -> None:
        self._post = post
        self._beside = beside
        self._busy = busy
        self._way = way
        self.waiting: deque[Waiting] = deque()
        self.arrived = asyncio.Event()
        self.thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)
        self._task: asyncio.Task[None] | None = None
        self._under_way: asyncio.Future[list[Outcome]] | None = None
        self._limit: asyncio.TimerHandle | None = None

    def put(self, waiting: Waiting, freed: Callable[[], None]) -> None:
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._run(freed))
        self.waiting.append(waiting)
        self.arrived.set()

    async def close(self) -> None:
        """Lets the batch under way finish; what still waits is told to say it again."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        if self._under_way is not None:
            await asyncio.wait([self._under_way])
        for waiting in self.waiting:
            waiting.hears(OutcomeUnknown("The server is stopping. Say it again."))
        self.waiting.clear()
        self.thread.submit(_hang_up)
        self.thread.shutdown(wait=True)

    async def _run(self, freed: Callable[[], None]) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await self.arrived.wait()
            self.arrived.clear()
            while batch := await self._next_batch():
                work = self._under_way = self._begin([waiting.request for waiting in batch])
                # A commit is never cancelled half-way: if we are, whoever posts it still finishes and answers.
                work.add_done_callback(lambda done, batch=batch: _answer(done, batch))  # type: ignore[misc]
                self._limit = loop.call_later(ANSWER_WITHIN, self._give_up, batch)
                await asyncio.wait([work])  # and not itself: what it raises is said to each by `_answer`
                self._limit.cancel()
                self._busy.difference_update(waiting.request.table_code for waiting in batch)
                freed()

    def _begin(self, batch: Sequence[DeviceRequest]) -> asyncio.Future[list[Outcome]]:
        loop = asyncio.get_running_loop()
        if self._beside is not None and self._beside.is_open:
            return loop.create_task(self._beside.post(batch))
        return loop.run_in_executor(self.thread, self._post, batch)

    def _give_up(self, batch: Sequence[Waiting]) -> None:
        """A commit that hangs is left alone; who waits for it, and who waits behind it, says it again."""
        stuck = [*batch, *self.waiting]
        self.waiting.clear()
        for waiting in stuck:
            waiting.hears(OutcomeUnknown("The database has not confirmed. Say it again."))
        self._limit = asyncio.get_running_loop().call_later(SWEEP_EVERY, self._give_up, batch)

    async def _next_batch(self) -> list[Waiting]:
        """At most one message a table is under way, so that each sees the round before it; the rest wait in order."""
        await self._way.give()
        batch: list[Waiting] = []
        later: list[Waiting] = []
        largest = BATCH_BESIDE_ACTS if self._way.near() else LARGEST_BATCH
        while self.waiting and len(batch) < largest:
            waiting = self.waiting.popleft()
            if waiting.request.table_code in self._busy:
                later.append(waiting)
            else:
                self._busy.add(waiting.request.table_code)
                batch.append(waiting)
        self.waiting.extendleft(reversed(later))  # back to where they stood: a table's messages keep their order
        return batch


class Batcher:
    """One per process. Coin-ins and ends go in lanes of their own: an end needs no jackpot's lock, so neither waits."""

    def __init__(
        self, post: Post | None = None, coin_ins_beside: PostsBeside | None = None,
        ends_beside: PostsBeside | None = None,
    ) -> None:  # fmt: skip
        busy: set[str] = set()
        self.way = RightOfWay()
        self._coin_ins = Lane("coin-ins", post or post_planned, coin_ins_beside, busy, self.way)
        self._ends = Lane("ends", post or post_planned, ends_beside, busy, self.way)

    def submit(self, request: DeviceRequest, tell: Callable[[Outcome | Exception], None]) -> None:
        """Queues one message; `tell` hears what became of it after the commit that holds it, on this loop."""
        if len(self._coin_ins.waiting) + len(self._ends.waiting) >= LONGEST_QUEUE:
            raise TooBusy
        lane = self._ends if isinstance(request.act, EndRequest) else self._coin_ins
        lane.put(Waiting(request, tell), self._freed)

    async def close(self) -> None:
        await self._coin_ins.close()
        await self._ends.close()

    def _freed(self) -> None:
        """Tables whose message is answered may have another one waiting in the other lane."""
        for lane in (self._coin_ins, self._ends):
            if lane.waiting:
                lane.arrived.set()


def post_planned(batch: Sequence[DeviceRequest]) -> list[Outcome]:
    """After a quiet second a lost connection is noticed here first; the next batch opens a new one."""
    try:
        refresh_query_plans()
    except (OperationalError, InterfaceError) as problem:
        connection.close()
        raise OutcomeUnknown(str(problem)) from problem
    return post_messages(batch)


def _hang_up() -> None:
    connection.close()  # this thread's own; Django keeps one for each


def _answer(done: asyncio.Future[list[Outcome]], batch: Sequence[Waiting]) -> None:
    problem = OutcomeUnknown("The server is stopping. Say it again.") if done.cancelled() else done.exception()
    if isinstance(problem, Exception):
        for waiting in batch:
            waiting.hears(problem)
    else:
        for waiting, outcome in zip(batch, done.result(), strict=True):
            waiting.hears(outcome)
