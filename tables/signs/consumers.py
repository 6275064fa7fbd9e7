"""WS /ws/signs/<code>: a sign listens, and says every ten seconds what it shows."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterable
from typing import Any, Final

import orjson
from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer

from jackpot.proof.actions.high_water import heard_from
from tables.floor.models.sign import Sign
from tables.signs import access, reports
from tables.signs.access import Asking, Watcher
from tables.signs.arrivals import arrivals
from tables.signs.audience import Listener
from tables.signs.broadcaster import Broadcaster, broadcaster
from tables.signs.queries import MeterLayout

NOT_UNDERSTOOD: Final = 4400
NOT_ALLOWED: Final = 4401
STAFF_RECHECKED_EVERY: Final = 15
SECONDS_TO_PROVE: Final = 5
SECONDS_BETWEEN_REPORTS: Final = 2.0


class SignConsumer(AsyncWebsocketConsumer):
    channel_layer_alias = "signs use none"  # no layer has this name, so Channels opens none: the broadcaster tells

    async def connect(self) -> None:
        self.code: str = self.scope["url_route"]["kwargs"]["code"]
        self.tasks: list[asyncio.Task[None]] = []
        self.listener: Listener | None = None
        self.home: Broadcaster | None = None
        self.watcher: Watcher | None = None
        self.nonce = ""
        self.disagreeing: set[str] = set()
        self.reported_at: dict[str, float] = {}
        self.marks: dict[str, str] = {}
        asking = Asking.by_handshake(self.scope)
        if asking.is_foreign:
            await database_sync_to_async(access.note_foreign)(self.code, asking)
            await self.close()
            return
        arrival = await arrivals().find(self.code, asking)
        self.watcher = arrival.watcher
        await self._receive_guest(arrival.known, asking)

    async def _receive_guest(self, known: bool, asking: Asking) -> None:
        # A browser always names its page in a handshake: a session that comes without one was sent by something else.
        if self.watcher is not None and not (self.watcher.session and asking.origin is None):
            await self.accept()
            self._listen(self.watcher)
        elif known and asking.origin is None:
            await self._challenge()
        else:
            await self.close(code=NOT_ALLOWED)

    async def _challenge(self) -> None:
        """A box without a browser proves its secret as a table controller does."""
        await self.accept()
        self.nonce = secrets.token_hex(16)
        await self.send(text_data=orjson.dumps({"do": "challenge", "nonce": self.nonce}).decode())
        self.tasks.append(asyncio.create_task(self._close_unproved()))

    def _listen(self, watcher: Watcher) -> None:
        extensions: Any = self.scope.get("extensions") or {}
        write = extensions.get("ready_frames", {}).get("write")
        self.listener = Listener(self._say, self._dismiss, watcher.device, write)
        self.tasks.append(asyncio.create_task(self.listener.pump()))
        if watcher.session:
            self.tasks.append(asyncio.create_task(self._recheck_staff(watcher.session)))
        self.home = broadcaster()
        self.home.join(self.code, self.listener)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:  # noqa: ARG002
        if self.listener is None or self.watcher is None or self.home is None:
            await self._hello(text_data or "")
            return
        try:
            report = reports.SignReport.of(text_data or "")
        except reports.NotAReport:
            self.listener.dismiss(NOT_UNDERSTOOD)
        else:
            await self._compare(report, self.watcher, self.home)

    async def _hello(self, text: str) -> None:
        self.watcher = await database_sync_to_async(_proved)(self.code, self.scope["path"], self.nonce, text)
        if self.watcher is None:
            await self.close(code=NOT_ALLOWED)
        else:
            self._listen(self.watcher)

    async def _compare(self, report: reports.SignReport, watcher: Watcher, home: Broadcaster) -> None:
        """What this process has itself just told needs no look into the books."""
        layout = home.layout(self.code)
        meter = _meter(layout.meters if layout else (), report.code)
        if meter is None or not self._in_time(meter.code):
            return
        await self._hear_mark(meter.code, report.mark)
        disagrees = False
        if home.vouches(meter.jackpot_id, report.version, report.shown):
            self.disagreeing.discard(meter.code)
        else:
            already = meter.code in self.disagreeing
            disagrees = await database_sync_to_async(reports.check)(
                self.code, watcher.name, meter.jackpot_id, meter.code, report, already
            )
            if disagrees:
                self.disagreeing.add(meter.code)
        home.tally.count(self.code, meter.jackpot_id, report, disagrees=disagrees)

    async def _hear_mark(self, code: str, mark: str) -> None:
        """Books that went back behind what this sign has seen stop; the same mark again costs nothing."""
        if mark and self.marks.get(code) != mark:
            self.marks[code] = mark
            await database_sync_to_async(heard_from)(by=f"sign {self.code}", marks={code: mark})

    def _in_time(self, code: str) -> bool:
        """A sign that talks without pause costs no more than one that reports as agreed."""
        now = asyncio.get_running_loop().time()
        if now < self.reported_at.get(code, float("-inf")) + SECONDS_BETWEEN_REPORTS:
            return False
        self.reported_at[code] = now
        return True

    async def _recheck_staff(self, session: str) -> None:
        """A session that ends elsewhere ends here too."""
        staff_of = database_sync_to_async(access.staff_of)
        while await staff_of(session) is not None:  # noqa: ASYNC110 - nothing in this process says that it ended
            await asyncio.sleep(STAFF_RECHECKED_EVERY)
        if self.listener is not None:
            self.listener.dismiss(NOT_ALLOWED)

    async def _close_unproved(self) -> None:
        await asyncio.sleep(SECONDS_TO_PROVE)
        if self.watcher is None:
            await self.close(code=NOT_ALLOWED)

    async def _say(self, words: str) -> None:
        await self.send(text_data=words)

    async def _dismiss(self, code: int) -> None:
        await self.close(code=code)

    async def disconnect(self, code: int) -> None:  # noqa: ARG002
        for task in self.tasks:
            task.cancel()
        if self.listener is not None and self.home is not None:
            await self.home.leave(self.code, self.listener)


def _meter(meters: Iterable[MeterLayout], code: str) -> MeterLayout | None:
    return next((meter for meter in meters if code in {"", meter.code}), None)


def _proved(code: str, path: str, nonce: str, text: str) -> Watcher | None:
    """Who answered the challenge; the message has a table controller's form."""
    said = _object(text)
    sign = Sign.objects.get(code=code)
    device = access.device_at(sign, str(said.get("device", "")))
    if device is None or said.get("do") != "hello":
        return None
    proof, version = str(said.get("proof", "")), str(said.get("version", ""))
    # Digests are compared as ASCII; whatever else was sent is no proof.
    proved = access.proved(device, nonce, path, version, proof) if proof.isascii() else None
    return None if proved is None else Watcher(device.code, proved)


def _object(text: str) -> dict[str, Any]:
    try:
        said = orjson.loads(text) if len(text) <= reports.LONGEST else None
    except orjson.JSONDecodeError:
        return {}
    return said if isinstance(said, dict) else {}
