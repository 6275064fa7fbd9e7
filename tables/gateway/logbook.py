"""Refusals go to the trail in batches: a flood of them must not cost a statement each, nor fill the disk of the books.

Each box has so many lines a minute of its own; all that has not shown to be a box shares one such measure, for a name
that is only said may be another in each message. What goes beyond is counted, and the count stands in the trail.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from concurrent.futures import Executor
from typing import Final

from django.db import DatabaseError, InterfaceError

from jackpot.trail.models import Trail
from jackpot.trail.rules.objects import ObjectKind
from tables.gateway.pool import in_own_connection

LONGEST: Final = 1_000
EVERY: Final = 0.5
AT_ONCE: Final = 60  # lines of one box, or of all strangers together
A_SECOND: Final = 1.0  # that come back; a refusal said again and again all day is a line a second
COUNTS_EVERY: Final = 60.0
STRANGER: Final = "unknown device"
MOST_SOURCES: Final = 5_000


class Logbook:
    """Collects refusals and writes them together; beyond its measure it counts what it could not keep."""

    def __init__(self, pool: Executor) -> None:
        self._pool = pool
        self._lines: list[Trail] = []
        self._missed: Counter[str] = Counter()
        self._left: dict[str, tuple[float, float]] = {}  # by source: lines that are left, and since when
        self._counts_due = 0.0
        self._task: asyncio.Task[None] | None = None

    def refused(self, actor: str, act: str, subject: str, code: str, why: str) -> None:
        """`actor`: the box, where it has shown to be one."""
        self._keep(actor, _line(actor, act, subject, code, why))

    def refused_stranger(self, called: str, act: str, subject: str, code: str, why: str) -> None:
        """Nobody has shown anything: the name that was said is told, and is nobody's who acts here."""
        line = _line(STRANGER, act, subject, code, why)
        if called:
            line.details["called"] = _shortened(called, 80)
        self._keep("", line)

    async def write(self) -> None:
        """All that is held, the counts too. What the database does not take now is kept for the next time."""
        self._counts_due = 0.0
        await self._write()

    def _keep(self, source: str, line: Trail) -> None:
        if len(self._lines) >= LONGEST or not self._has_room(source):
            self._missed[source] += 1
        else:
            self._lines.append(line)
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._write_soon())

    def _has_room(self, source: str) -> bool:
        now = asyncio.get_running_loop().time()
        # Sources are boxes with a proven secret; should there be more than any house has, all begin anew.
        if len(self._left) >= MOST_SOURCES:
            self._left.clear()
        left, since = self._left.get(source, (AT_ONCE, now))
        left = min(AT_ONCE, left + (now - since) * A_SECOND)
        self._left[source] = (left - 1 if left >= 1 else left, now)
        return left >= 1

    async def _write_soon(self) -> None:
        while self._lines or self._missed:
            await asyncio.sleep(EVERY)
            await self._write()

    async def _write(self) -> None:
        now = asyncio.get_running_loop().time()
        lines, self._lines = self._lines, []
        missed: Counter[str] = Counter()
        if self._missed and now >= self._counts_due:
            missed, self._missed, self._counts_due = self._missed, missed, now + COUNTS_EVERY
        if not lines and not missed:
            return
        told = lines + [_not_kept(source, count) for source, count in missed.items()]
        try:
            await asyncio.get_running_loop().run_in_executor(self._pool, in_own_connection(_write, lines=told))
        except (DatabaseError, InterfaceError):
            # The oldest are kept: they say how it began.
            self._lines = (lines + self._lines)[:LONGEST]
            self._missed += missed
            self._counts_due = min(self._counts_due, now + EVERY)


def _write(*, lines: list[Trail]) -> None:
    Trail.objects.bulk_create(lines)


def _line(actor: str, act: str, subject: str, code: str, why: str) -> Trail:
    line = Trail(
        actor=_shortened(actor, 80), act=_shortened(act, 40), subject=_shortened(subject, 80), outcome="refused"
    )
    line.object_kind, line.object_key = (ObjectKind.TABLE.value, line.subject) if line.subject else ("", "")
    line.why, line.details = _shortened(why, 500), {"code": code}
    return line


def _not_kept(source: str, count: int) -> Trail:
    """How many refusals have no line of their own, and whose they were."""
    line = Trail(actor="server", act="refusals_not_kept", outcome="refused", details={"count": count})
    if source:
        line.object_kind, line.object_key, line.subject = ObjectKind.DEVICE.value, source[:80], source[:80]
    else:
        line.details["called"] = STRANGER
    return line


def _shortened(text: str, longest: int) -> str:
    """What a stranger sent, made fit to stand in the trail: printable and short."""
    return "".join(each if each.isprintable() else "�" for each in text[:longest])
