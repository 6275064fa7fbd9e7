"""Refusals go to the trail in batches: a flood of them must not cost a statement each."""

from __future__ import annotations

import asyncio
from concurrent.futures import Executor
from typing import Final

from django.db import DatabaseError, InterfaceError

from jackpot.trail.models import Trail
from jackpot.trail.rules.objects import ObjectKind
from tables.gateway.pool import in_own_connection

LONGEST: Final = 1_000
EVERY: Final = 0.5


class Logbook:
    """Collects refusals and writes them together; beyond its size it counts what it could not keep."""

    def __init__(self, pool: Executor) -> None:
        self._pool = pool
        self._lines: list[Trail] = []
        self._missed = 0
        self._task: asyncio.Task[None] | None = None

    def refused(self, actor: str, act: str, subject: str, code: str, why: str) -> None:
        if len(self._lines) >= LONGEST:
            self._missed += 1
            return
        line = Trail(
            actor=_shortened(actor, 80), act=_shortened(act, 40), subject=_shortened(subject, 80), outcome="refused"
        )
        line.object_kind, line.object_key = (ObjectKind.TABLE.value, line.subject) if line.subject else ("", "")
        line.why = _shortened(why, 500)
        line.details = {"code": code}
        self._lines.append(line)
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._write_soon())

    async def _write_soon(self) -> None:
        await asyncio.sleep(EVERY)
        await self.write()

    async def write(self) -> None:
        """Lines that the database does not take now are kept for the next time."""
        lines, self._lines = self._lines, []
        missed, self._missed = self._missed, 0
        if missed:
            lines.append(Trail(actor="server", act="refusals_not_kept", outcome="refused", details={"count": missed}))
        if not lines:
            return
        try:
            await asyncio.get_running_loop().run_in_executor(self._pool, in_own_connection(_write, lines=lines))
        except (DatabaseError, InterfaceError):
            self._lines = (lines + self._lines)[:LONGEST]


def _write(*, lines: list[Trail]) -> None:
    Trail.objects.bulk_create(lines)


def _shortened(text: str, longest: int) -> str:
    """What a stranger sent, made fit to stand in the trail: printable and short."""
    return "".join(each if each.isprintable() else "�" for each in text[:longest])
