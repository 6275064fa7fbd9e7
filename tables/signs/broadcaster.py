"""One per process: looks at the meters and tells the signs connected here.

A commit of this process wakes it at once; looking ten times a second finds what other processes, a fail-over or a
restore changed. A sign joins first and is looked up second, so no change falls between the two.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import deque
from datetime import UTC, datetime
from typing import Final
from weakref import WeakKeyDictionary

from channels.db import database_sync_to_async
from django.db import DatabaseError

from jackpot.books import events
from jackpot.money import Money
from tables.signs import feed
from tables.signs.audience import Audience, Listener, Words, spread
from tables.signs.queries import ShownMeter, SignLayout
from tables.signs.tally import WRITTEN_EVERY, ReportTally, write
from tables.signs.wire import MeterWatch, Sight

LOOK_EVERY: Final = 0.1
# Commits that come closer together than this share a look.
SOONEST_LOOK: Final = 0.01
LAYOUTS_EVERY: Final = 10.0
PATIENCE = 2.0
REMEMBERED_FOR: Final = 15.0
UNREACHABLE: Final = "The books cannot be reached"
GONE: Final = 4404
BLOCKED: Final = 4401
FAILED: Final = 1011

log = logging.getLogger(__name__)
_running: WeakKeyDictionary[asyncio.AbstractEventLoop, Broadcaster] = WeakKeyDictionary()


def broadcaster() -> Broadcaster:
    """The one of this event loop; it starts with its first listener and ends with its last."""
    loop = asyncio.get_running_loop()
    if loop not in _running:
        _running[loop] = Broadcaster(loop)
    return _running[loop]


class Broadcaster:
    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._wire = MeterWatch()
        self._awake = asyncio.Event()
        self._noted = False
        self._audiences: dict[str, Audience] = {}
        self._past: dict[int, deque[tuple[float, ShownMeter]]] = {}
        self._looking: asyncio.Task[Sight] | None = None
        self._seen_at = self._looked_at = self._layouts_at = loop.time()
        self._failing = False
        self._devices_checked: object = None
        self._states: dict[object, object] = {}
        self._states_of: tuple[object, ...] = (None, None, None)
        self.fault: str | None = None
        self.tally = ReportTally()
        self._tallied_at = loop.time()
        self._tallying: asyncio.Task[None] | None = None
        # Before the first look: a commit between the two would wake nobody.
        events.listen(self._note)
        self._task = loop.create_task(self._run())
        self._task.add_done_callback(self._ended)

    def join(self, code: str, listener: Listener) -> None:
        """From here on the listener hears every change; its first words are looked up after this."""
        self._audiences.setdefault(code, Audience(code)).join(listener)
        seen = self._wire.last
        # Hung or enrolled a moment ago, it would be sent away as unknown without a fresh look.
        if code not in seen.layouts or (listener.device and listener.device not in seen.devices):
            self._wire.forget_layouts()
        self._awake.set()

    async def leave(self, code: str, listener: Listener) -> None:
        audience = self._audiences.get(code)
        if audience is None:
            return
        audience.leave(listener)
        if not audience.listeners:
            del self._audiences[code]
        if not self._audiences:
            await self.stop()

    async def stop(self) -> None:
        if _running.get(self._loop) is self:
            del _running[self._loop]
        events.forget(self._note)
        tasks = [task for task in (self._task, self._looking) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._write_tally()
        await self._wire.close()

    def layout(self, code: str) -> SignLayout | None:
        return self._wire.last.layouts.get(code)

    def vouches(self, jackpot_id: int, version: int, shown: Money) -> bool:
        """Whether a sign may be showing this: a state of the last seconds, and not more than was promised then."""
        # While something is verified promise and meter differ, and a sign may have been told of either.
        return any(
            past.seq == version and shown <= max(past.meter, past.promised)
            for _, past in self._past.get(jackpot_id, ())
        )

    async def _write_tally(self) -> None:
        """Books that cannot be reached cost the tally of a minute, not a sign."""
        counted = self.tally.take()
        if counted:
            try:
                await database_sync_to_async(write)(counted)
            except DatabaseError as problem:
                log.warning("What the signs said of themselves was not counted: %s", problem)

    def _note(self, jackpot_ids: frozenset[int]) -> None:
        """Called after a commit, in whatever thread made it; one wake-up between two looks is enough."""
        if not self._noted:
            self._noted = True
            with contextlib.suppress(RuntimeError):  # the loop has just been closed: nobody listens any more
                self._loop.call_soon_threadsafe(self._wake, jackpot_ids)

    def _wake(self, jackpot_ids: frozenset[int]) -> None:
        now = self._loop.time()
        if any(audience.is_free(now) and self._shows(audience.code, jackpot_ids) for audience in self._all()):
            self._awake.set()

    def _shows(self, code: str, jackpot_ids: frozenset[int]) -> bool:
        layout = self.layout(code)
        return layout is not None and any(meter.jackpot_id in jackpot_ids for meter in layout.meters)

    def _all(self) -> list[Audience]:
        return list(self._audiences.values())

    async def _run(self) -> None:
        while True:
            await self._look()
            await self._tell()
            if self.tally and self._loop.time() >= self._tallied_at + WRITTEN_EVERY:
                self._tallied_at = self._loop.time()
                self._tallying = self._loop.create_task(self._write_tally())
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout_at(self._next_turn()):
                    await self._awake.wait()
            await asyncio.sleep(max(0.0, self._looked_at + SOONEST_LOOK - self._loop.time()))

    def _next_turn(self) -> float:
        due = [audience.due_at(self._state(audience.code)) for audience in self._all()]
        return min([self._looked_at + LOOK_EVERY, *due])

    async def _look(self) -> None:
        """A look that hangs is waited for, not cancelled; meanwhile the signs hear that the books are out of reach."""
        self._noted = False
        self._awake.clear()
        self._refresh_layouts()
        self._looked_at = self._loop.time()
        if self._looking is None:
            self._looking = self._loop.create_task(self._wire.look())
        await asyncio.wait({self._looking}, timeout=PATIENCE / 4)
        if self._looking.done():
            looked, self._looking = self._looking, None
            self._judge(looked.exception())
        silent_for = self._loop.time() - self._seen_at
        self.fault = UNREACHABLE if silent_for > PATIENCE else None

    def _judge(self, problem: BaseException | None) -> None:
        if problem is None:
            self._seen_at = self._loop.time()
            self._remember(self._seen_at)
        if (problem is None) == self._failing:
            self._failing = problem is not None
            log.warning("The signs %s the books%s", *(("lost", f": {problem}") if problem else ("read", " again")))

    def _refresh_layouts(self) -> None:
        if self._loop.time() >= self._layouts_at + LAYOUTS_EVERY:
            self._layouts_at = self._loop.time()
            self._wire.forget_layouts()

    def _remember(self, now: float) -> None:
        """Keeps each meter's states until they have been superseded for longer than a sign may lag."""
        for jackpot_id, standing in self._wire.last.standings.items():
            past = self._past.setdefault(jackpot_id, deque())
            if not past or past[-1][1] is not standing:
                past.append((now, standing))
            while len(past) > 1 and past[1][0] < now - REMEMBERED_FOR:
                past.popleft()

    async def _tell(self) -> None:
        self._dismiss_blocked()
        said: dict[object, Words] = {}
        for audience in self._all():
            layout = self.layout(audience.code)
            if layout is None and not self.fault:
                self._dismiss_unknown(audience)
                continue
            await self._tell_one(audience, layout or _blank(audience.code), said)

    async def _tell_one(self, audience: Audience, layout: SignLayout, said: dict[object, Words]) -> None:
        now = self._loop.time()
        listeners = audience.listeners_due(self._state(audience.code), now)
        if listeners:
            shows = _shows_what(layout)
            if shows not in said:
                words = feed.words(layout, self._wire.last.standings, datetime.now(UTC), self.fault)
                said[shows] = Words(words.decode())
            await spread(listeners, said[shows])
        if audience.wants_beat(now):
            beat = Words(feed.beat(datetime.now(UTC)).decode())
            await spread(list(audience.listeners), beat, beat=True)

    def _state(self, code: str) -> object:
        """What decides whether a sign has something new to hear; one for all signs that show the same."""
        sight = self._wire.last
        made_of = (sight.layouts, sight.standings, self.fault)
        if any(now is not then for now, then in zip(made_of, self._states_of, strict=True)):
            self._states_of, self._states = made_of, {}
        layout = sight.layouts.get(code)
        shows = _shows_what(layout) if layout else None
        if shows not in self._states:
            meters = layout.meters if layout else ()
            standings = tuple(sight.standings.get(meter.jackpot_id) for meter in meters)
            self._states[shows] = (meters, shows, standings, self.fault)
        return self._states[shows]

    @property
    def _knows_layouts(self) -> bool:
        """Not while a look is under way: a sign that waits for the first one is not a sign that is gone."""
        return self._looking is None and not self._wire.layouts_stale

    def _dismiss_unknown(self, audience: Audience) -> None:
        if self._knows_layouts:
            for listener in audience.listeners:
                listener.dismiss(GONE)

    def _dismiss_blocked(self) -> None:
        devices = self._wire.last.devices
        if not self._knows_layouts or devices is self._devices_checked:
            return
        self._devices_checked = devices
        for listener in (one for audience in self._all() for one in audience.listeners):
            if listener.device and listener.device not in devices:
                listener.dismiss(BLOCKED)

    def _ended(self, task: asyncio.Task[None]) -> None:
        """A broadcaster that broke sends its signs away: they come back to a new one."""
        if task.cancelled():
            return
        log.error("The signs' broadcaster stopped", exc_info=task.exception())
        _running.pop(self._loop, None)
        events.forget(self._note)
        for audience in self._all():
            for listener in audience.listeners:
                listener.dismiss(FAILED)


def _shows_what(layout: SignLayout) -> object:
    """Signs that show the same meters under the same notice hear the same words."""
    return layout.notice, tuple(meter.jackpot_id for meter in layout.meters)


def _blank(code: str) -> SignLayout:
    """A sign of which nothing has been read yet can still hear that the books are out of reach."""
    return SignLayout(code, "", "picture", 12, "", "", False, "USD", "en_US", ())
