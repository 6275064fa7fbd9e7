"""What many ask at the same time is looked up together: after a restart a whole floor says hello at once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from typing import Final, Generic, TypeVar

from django.db import InterfaceError, OperationalError

from jackpot.web.rules.doubt import sqlstate_of
from tables.gateway.pool import in_own_connection

Asked = TypeVar("Asked")
Told = TypeVar("Told")
AT_ONCE: Final = 64
GROUPS: Final = 3  # one thread of the pool is left for acts
LATE: Final = 0.25  # seconds; who comes while a group waits longer for the database does not wait for it
OF_ONE_ANOTHER: Final = ("40P01", "40001")  # a deadlock: the same work, one by one, has none


class Together(Generic[Asked, Told]):
    """Who comes while one group is looked up forms the next one; who comes alone waits for nobody."""

    def __init__(self, pool: Executor, look_up: Callable[..., Sequence[Told | Exception]], word: str) -> None:
        self._pool, self._look_up, self._word = pool, look_up, word
        self._waiting: list[tuple[Asked, asyncio.Future[Told]]] = []
        self._groups: set[asyncio.Task[None]] = set()
        self._newest: asyncio.Task[None] | None = None  # while it is not late

    async def ask(self, asked: Asked) -> Told:
        told: asyncio.Future[Told] = asyncio.get_running_loop().create_future()
        self._waiting.append((asked, told))
        self._begin()
        return await told

    def _begin(self) -> None:
        if not self._waiting or self._newest is not None or len(self._groups) >= GROUPS:
            return
        group, self._waiting = self._waiting[:AT_ONCE], self._waiting[AT_ONCE:]
        loop = asyncio.get_running_loop()
        self._newest = task = loop.create_task(self._look(group))
        self._groups.add(task)
        loop.call_later(LATE, self._gives_way, task)
        task.add_done_callback(self._ends)

    def _ends(self, group: asyncio.Task[None]) -> None:
        self._groups.discard(group)
        self._gives_way(group)

    def _gives_way(self, group: asyncio.Task[None]) -> None:
        """It is over, or it is late: the next group begins."""
        if self._newest is group:
            self._newest = None
        self._begin()

    async def _look(self, group: Sequence[tuple[Asked, asyncio.Future[Told]]]) -> None:
        answers = await self._answers([asked for asked, _ in group])
        for (_, told), answer in zip(group, answers, strict=True):
            # Whoever asked has hung up meanwhile.
            if told.done():
                continue
            if isinstance(answer, Exception):
                told.set_exception(answer)
            else:
                told.set_result(answer)

    async def _answers(self, asked: Sequence[Asked]) -> Sequence[Told | Exception]:
        """What one of a group breaks is its own; a database that is away is away for all."""
        look = in_own_connection(self._look_up, **{self._word: asked})
        try:
            work = asyncio.get_running_loop().run_in_executor(self._pool, look)
        except RuntimeError as closing:
            return [closing] * len(asked)
        await asyncio.wait([work])
        problem = work.exception()
        if problem is None:
            return work.result()
        if len(asked) == 1 or _is_of_all(problem):
            return [problem if isinstance(problem, Exception) else RuntimeError(str(problem))] * len(asked)
        return [answer for each in asked for answer in await self._answers([each])]


def _is_of_all(problem: BaseException) -> bool:
    away = isinstance(problem, OperationalError | InterfaceError)
    return away and sqlstate_of(problem) not in OF_ONE_ANOTHER
