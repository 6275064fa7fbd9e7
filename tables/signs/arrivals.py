"""Signs that arrive together are looked up together: after a restart a whole casino knocks at once."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from weakref import WeakKeyDictionary

from channels.db import database_sync_to_async
from django.db import Error

from tables.floor.models.device import Device
from tables.floor.models.sign import Sign
from tables.signs import access
from tables.signs.access import Asking, Watcher

AT_ONCE: Final = 100

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Arrival:
    """Whether there is such a sign, and who is asking if it is somebody who may watch it."""

    known: bool
    watcher: Watcher | None = None


class Arrivals:
    def __init__(self) -> None:
        self._waiting: list[tuple[str, Asking, asyncio.Future[Arrival]]] = []
        self._task: asyncio.Task[None] | None = None

    async def find(self, code: str, asking: Asking) -> Arrival:
        found: asyncio.Future[Arrival] = asyncio.get_running_loop().create_future()
        self._waiting.append((code, asking, found))
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._work())
        return await found

    async def _work(self) -> None:
        """Who comes while one group is looked up forms the next group."""
        while self._waiting:
            group, self._waiting = self._waiting[:AT_ONCE], self._waiting[AT_ONCE:]
            answers = await database_sync_to_async(_find_all)([(code, asking) for code, asking, _ in group])
            for (_, _, found), answer in zip(group, answers, strict=True):
                # A sign that hung up meanwhile has cancelled its wait.
                if not found.done():
                    found.set_result(answer)


_of_loop: WeakKeyDictionary[asyncio.AbstractEventLoop, Arrivals] = WeakKeyDictionary()


def arrivals() -> Arrivals:
    return _of_loop.setdefault(asyncio.get_running_loop(), Arrivals())


def _find_all(group: Sequence[tuple[str, Asking]]) -> list[Arrival]:
    """Without the database nobody can be known; a sign that is refused now comes again by itself."""
    try:
        codes = {code for code, _ in group}
        signs = {sign.code: sign for sign in Sign.objects.select_related("premises").filter(code__in=codes)}
        devices = access.devices_named(asking for _, asking in group)
        return [_find(signs.get(code), asking, devices) for code, asking in group]
    except Error as problem:
        log.warning("Signs that ask to be let in cannot be looked up: %s", problem)
        return [Arrival(known=False)] * len(group)


def _find(sign: Sign | None, asking: Asking, devices: Mapping[str, Device]) -> Arrival:
    return Arrival(known=False) if sign is None else Arrival(True, access.watcher_of(sign, asking, devices))
