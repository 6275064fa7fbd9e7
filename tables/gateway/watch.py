"""Once a second the gateway looks at the floor and pushes what is different; who may speak it asks twice as often."""

from __future__ import annotations

import asyncio
import itertools
from functools import partial
from typing import Any, Final

from django.db import DatabaseError, InterfaceError

from jackpot.books.actions.row_watch import watch_rows
from jackpot.errands import actions as errands
from jackpot.proof.actions import heads
from jackpot.proof.actions.high_water import guard
from jackpot.trail.actions.watching import watch_trail
from tables.floor.models.device import DeviceState
from tables.floor.queries.secrets import DeviceStanding, controllers_now
from tables.gateway.actions import device as device_acts
from tables.gateway.actions.device import FloorNow
from tables.gateway.actions.greeting import hands_at
from tables.gateway.messages import answer_bytes
from tables.gateway.pool import in_own_connection
from tables.gateway.sockets import BLOCKED, REPLACED, SECRET_REPLACED, Connection, SocketDoor
from tables.gateway.speakers import Speaker
from tables.gateway.verbs import GatewayServices
from tables.hits.queries.progress import NO_WIN, progress_of
from tables.hits.rules.lamps import lamps_of_table
from tables.requests.rules import PREVIEWS

EVERY: Final = 0.5  # so that a secret that was ended is silent within a second, also on a line that is open
FLOOR_EVERY: Final = 2  # looks
LOOKS_BETWEEN_ALARMS: Final = 20
LOOKS_BETWEEN_MARKS: Final = 10


class FloorWatch:
    """Runs while the process serves; looks at the floor only while somebody is connected."""

    def __init__(self, services: GatewayServices, sockets: SocketDoor) -> None:
        self._services = services
        self._sockets = sockets
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.get_running_loop().create_task(self._run())

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        for look in itertools.count(1):
            await asyncio.sleep(EVERY)
            try:
                await self._check_devices()
                if look % FLOOR_EVERY == 0:
                    await self._watch_trail()
                    await self._watch_rows()
                if look % FLOOR_EVERY == 0 and (self._sockets.connections or self._services.seen):
                    await self._look()
                if look % LOOKS_BETWEEN_MARKS == 0:
                    await self._tell_marks()
                if look % LOOKS_BETWEEN_ALARMS == 0:
                    await self._look_for_alarms()
            except (DatabaseError, InterfaceError):
                continue  # the devices hear 503 themselves; the next look finds the database again

    async def _look_for_alarms(self) -> None:
        """The worker may be the one that is missing, so who serves asks too whether its errands are done."""
        work = in_own_connection(errands.look_out, rhythms=[heads.RHYTHM, PREVIEWS])
        await asyncio.get_running_loop().run_in_executor(self._services.pool, work)

    async def _watch_rows(self) -> None:
        """The worker watches too; whichever of them is missing, a row that nobody posted is told within a second."""
        for look in (watch_rows, guard.look):
            await asyncio.get_running_loop().run_in_executor(self._services.pool, in_own_connection(look))

    async def _watch_trail(self) -> None:
        """First of all: while no line can be written, this process posts nothing."""
        await asyncio.get_running_loop().run_in_executor(self._services.pool, in_own_connection(watch_trail))

    async def _check_devices(self) -> None:
        """Lines of blocked and replaced devices are cut, and of secrets that are heard no more; the rest go on."""
        connections = list(self._sockets.connections.values())  # before the look: it is older than a newer line
        if not connections and not self._services.speakers:
            return
        work = in_own_connection(controllers_now)
        standings = await asyncio.get_running_loop().run_in_executor(self._services.pool, work)
        self._services.speakers.compare(standings)
        for connection in connections:
            assert connection.speaker is not None, "a line is kept from its hello on"
            standing = standings.get(connection.speaker.code)
            await _cut_off(connection, standing)
            await self._judge_software(connection.speaker, standing)

    async def _judge_software(self, speaker: Speaker, standing: DeviceStanding | None) -> None:
        """Another rule of software counts within a second, also on open lines; a page is of the server's own."""
        if standing is None or speaker.person is not None or standing.rules_at == speaker.rules_at:
            return
        work = in_own_connection(device_acts.judged_software, code=speaker.code)
        speaker.below_version = await asyncio.get_running_loop().run_in_executor(self._services.pool, work)
        speaker.rules_at = standing.rules_at

    async def _tell_marks(self) -> None:
        """What the boxes remember for us, renewed now and then; a page remembers nothing."""
        boxes = [(code, line) for code, line in list(self._sockets.connections.items()) if line.told["seats"]]
        if not boxes:
            return
        work = in_own_connection(device_acts.marks_at, table_codes=[code for code, _ in boxes])
        marks = await asyncio.get_running_loop().run_in_executor(self._services.pool, work)
        for code, line in boxes:
            if not self._sockets.consoles.attends(line):
                await _push(line, "marks", {"marks": marks.get(code, {})})

    async def _look(self) -> None:
        loop = asyncio.get_running_loop()
        # Taken away before it is written: what is heard meanwhile belongs to the next look.
        seen, self._services.seen = self._services.seen, {}
        if seen:
            await loop.run_in_executor(self._services.pool, in_own_connection(device_acts.seen, devices=seen))
        connections = list(
            self._sockets.connections.items()
        )  # before the look: a newer one is not judged by an older look
        before = {line: line.session.answers for _, line in connections}
        now = await loop.run_in_executor(self._services.pool, in_own_connection(device_acts.floor_now))
        for table_code, connection in connections:
            await self._tell(table_code, connection, now, connection.session.answers == before[connection])
        await self._tell_progress([each for each in connections if not self._sockets.consoles.attends(each[1])])

    async def _tell_progress(self, boxes: list[tuple[str, Connection]]) -> None:
        """Of its own hits a box hears whatever people decide elsewhere; a page is told the whole table instead."""
        if not boxes:
            return
        shown = [code for code, box in boxes if box.told["win"] != NO_WIN]
        asked: dict[str, Any] = {"table_codes": [code for code, _ in boxes], "shown": shown}
        work = in_own_connection(progress_of, **asked)
        before = {box: box.session.answers for _, box in boxes}
        found = await asyncio.get_running_loop().run_in_executor(self._services.pool, work)
        for code, box in boxes:
            if box.session.answers != before[box]:
                continue  # the answer is newer than this look
            progress = found[code]
            lit = lamps_of_table(
                box.told["seats"], progress, box.told["wagers"].get("further", []), partial(self._live, code)
            )
            await _push(box, "lamps", lit)
            await _push(box, "win", progress.win)
            await _push(box, "notice", {"notice": progress.notice})

    def _live(self, table_code: str, wager: str) -> str:
        """The sensor map of one wager, as its box told it last."""
        services = self._services
        further = services.further_histories.get(table_code, {})
        history = further.get(wager) if wager else services.histories.get(table_code)
        return history.live if history else ""

    async def _tell(self, table_code: str, connection: Connection, now: FloorNow, newer: bool) -> None:
        """Meters only where they are newer than what the line was answered: an answer tells them too."""
        if newer:
            await _push(connection, "meters", {"meters": dict(now.meters.get(table_code, {}))})
        table_state, why = now.tables.get(table_code, ("closed", ""))
        await _push(connection, "state", {"state": table_state, "why": why})
        wagers = now.wagers_at(table_code)
        if wagers is not None:
            await _push(connection, "wagers", wagers)
        await self._tell_hands(table_code, connection, now)

    async def _tell_hands(self, table_code: str, connection: Connection, now: FloorNow) -> None:
        """Other terms are in force: other hands may be offered, once the open round is over."""
        # Compared before it is asked: hands change with terms, and the look at the open round costs a trip.
        if {"hands": now.hands.get(table_code, [])} == connection.told["config"]:
            return
        work = in_own_connection(hands_at, table_code=table_code)
        hands = await asyncio.get_running_loop().run_in_executor(self._services.pool, work)
        await _push(connection, "config", {"hands": hands})


async def _cut_off(connection: Connection, standing: DeviceStanding | None) -> None:
    """Closes a line whose device may not speak on it any more, with the reason."""
    if standing is None or standing.state == DeviceState.BLOCKED:
        await connection.close(BLOCKED, "This device is blocked.")
    elif connection.spoken.generation is None or not standing.hears(connection.spoken.generation):
        await connection.close(SECRET_REPLACED, "This secret was ended. Use the newer one, or enrol the device again.")
    elif standing.connection != connection.told["connection"]:
        await connection.close(REPLACED, "A newer connection speaks for this table.")


async def _push(connection: Connection, do: str, what: dict[str, Any]) -> None:
    if connection.told.get(do) != what:
        connection.told[do] = what
        await connection.say(answer_bytes(None, {"do": do, **what}))
