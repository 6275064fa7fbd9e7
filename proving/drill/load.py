"""The load of a drill, a process of its own.

python -m proving.drill.load TOLD.json: scene, ports, seed. It says ten times a second how far it is; SIGTERM makes
every table finish what it has begun, and the journals go to the file that was named.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import signal
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from websockets.exceptions import ConnectionClosed

from proving.drill.journal import AcknowledgedCoinIn, Journals, SignJournal, TableJournal
from proving.wires import HOST, CutHttp, CutSocket, CutWire, MessageSignature, controller_of
from tables.simulator.wires import Answer, AnswerLost, Controller, ServerRefusal, dial

AGAIN_AFTER: Final = 0.05
HELD: Final = "books_held"  # other work is at the jackpot: nothing was counted, and the same may be said again
SEATS: Final = "1234567"
TELL_EVERY: Final = 0.1
SIGNS_SETTLE: Final = 1.5


@dataclass(slots=True)
class TableLoad:
    """One controller: it plays as fast as the answers come, and never says something new before it was answered.

    With two wires it says every message to both servers in the same moment.
    """

    wires: Sequence[CutWire]
    dice: random.Random
    journal: TableJournal = field(default_factory=TableJournal)
    last_sent: float = 0.0
    stopping: bool = False
    id: int = 0

    async def play(self) -> None:
        due = await self._agreed()
        while not self.stopping:
            seats = "".join(sorted(self.dice.sample(SEATS, self.dice.randint(1, 7))))
            played = await self._round(due, seats)
            due = due + 1 if played else await self._agreed()
        for wire in self.wires:
            wire.cut()

    async def _round(self, number: int, seats: str) -> bool:
        listed = [int(seat) for seat in seats]
        self.journal.in_the_air.append((number, seats))
        counted = await self._answered({"do": "coin_in", "round": number, "seats": listed})
        if counted is None:
            return False
        answer, sent_at = counted
        self.journal.told.append(AcknowledgedCoinIn(number, seats, sent_at, time.monotonic(), answer["repeat"]))
        self.journal.in_the_air.pop()
        self.last_sent = sent_at
        return await self._end(number)

    async def _end(self, number: int) -> bool:
        if await self._answered({"do": "end", "round": number}) is None:
            return False
        self.journal.ended.append(number)
        return True

    async def _answered(self, words: dict[str, Any]) -> tuple[Answer, float] | None:
        """Says it until it is answered, always with the same bytes; None if the server refused."""
        self.id += 1
        message = {"id": self.id, **words}
        while True:
            sent_at = time.monotonic()
            try:
                answers = await self._by_all(message)
            except AnswerLost:
                await self._greeted()
            except ServerRefusal as refusal:
                if refusal.code == HELD:
                    await asyncio.sleep(AGAIN_AFTER)
                    continue
                self.journal.refused.append(f"{words['do']} {words['round']}: {refusal}")
                return None
            else:
                self._compare(answers)
                return answers[0], sent_at

    async def _by_all(self, message: dict[str, Any]) -> list[Answer]:
        """To every server in the same moment; all of them are heard before any trouble is raised."""
        heard = await asyncio.gather(*(wire.ask(message) for wire in self.wires), return_exceptions=True)
        for one in heard:
            if isinstance(one, BaseException):
                raise one
        return [one for one in heard if not isinstance(one, BaseException)]

    def _compare(self, answers: Sequence[Answer]) -> None:
        """Two servers tell the same, but for who was first."""
        told = {json.dumps({**answer, "repeat": None}, sort_keys=True) for answer in answers}
        if len(told) != 1 or sum(not answer["repeat"] for answer in answers) > 1:
            self.journal.unequal.append(json.dumps(answers))

    async def _greeted(self) -> Answer:
        """Says hello until every server answers; each must know every round that was acknowledged."""
        while True:
            try:
                greetings = [await wire.hello() for wire in self.wires]
            except (AnswerLost, ServerRefusal):
                await asyncio.sleep(AGAIN_AFTER)
                continue
            self.journal.connections += 1
            last = self.journal.told[-1].round if self.journal.told else 0
            for greeting in greetings:
                known = greeting["next_round"] - (0 if greeting["open_round"] else 1)
                if known < last:
                    self.journal.forgotten.append(f"round {last} was acknowledged, the server's last is {known}")
            return greetings[0]

    async def _agreed(self) -> int:
        """The round that is due at this table; one that the server has open is ended first."""
        greeting = await self._greeted()
        due = int(greeting["next_round"])
        if greeting["open_round"]:
            await self._end(due)
            return due + 1
        return due


class SignLoad:
    """Box signs that listen, come back when they are cut off, and note every figure."""

    def __init__(self, url: str, journals: Journals) -> None:
        self._url, self._journals = url.replace("http", "ws", 1), journals

    async def watch(self, sign: Controller) -> None:
        journal = self._journals.signs.setdefault(sign.table, SignJournal())
        while True:
            with contextlib.suppress(AnswerLost, ConnectionClosed, OSError):
                await self._listen(sign, journal)
            await asyncio.sleep(AGAIN_AFTER)

    async def _listen(self, sign: Controller, journal: SignJournal) -> None:
        socket, words = await dial(f"{self._url}/ws/signs/{sign.table}", sign)
        try:
            await socket.send(json.dumps({"id": 0, "do": "hello", **words}))
            journal.resumed += 1
            while True:
                for meter in json.loads(await socket.recv()).get("meters", ()):
                    journal.show(meter["code"], meter["version"], meter["amount"], meter["reason"])
                    self._journals.figures.setdefault(meter["code"], {})[str(meter["version"])] = meter["amount"]
        finally:
            socket.transport.abort()


def tables_of(controllers: Sequence[Controller], urls: Sequence[str], seed: int) -> dict[str, TableLoad]:
    """One server: WebSocket and HTTP in turn. Two servers: each table speaks HTTP to both."""
    tables = {}
    for number, each in enumerate(controllers):
        dice, signature = random.Random(f"{seed}/{each.table}"), MessageSignature(each)
        wires: list[CutWire] = [CutHttp(url, signature) for url in urls]
        if len(urls) == 1 and number % 2:
            wires = [CutSocket(urls[0], each)]
        tables[each.table] = TableLoad(wires, dice)
    return tables


async def tell(tables: Sequence[TableLoad]) -> None:
    """How much was acknowledged, and when the slowest table last said something that was."""
    while True:
        acknowledged = sum(len(table.journal.told) for table in tables)
        sys.stdout.write(f"{acknowledged} {min(table.last_sent for table in tables)}\n")
        sys.stdout.flush()
        await asyncio.sleep(TELL_EVERY)


async def play(told: dict[str, Any]) -> Journals:
    controllers = [controller_of(each) for each in told["scene"]["tables"]]
    urls = [f"{told['scheme']}://{HOST}:{port}" for port in told["ports"]]
    tables = tables_of(controllers, urls, told["seed"])
    journals = Journals({code: table.journal for code, table in tables.items()})
    signs = SignLoad(urls[0], journals)
    watching = [asyncio.create_task(signs.watch(controller_of(each))) for each in told["scene"]["signs"]]
    watching.append(asyncio.create_task(tell(list(tables.values()))))

    def stop() -> None:
        for table in tables.values():
            table.stopping = True

    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop)
    await asyncio.gather(*(table.play() for table in tables.values()))
    await asyncio.sleep(SIGNS_SETTLE)
    for task in watching:
        task.cancel()
    await asyncio.gather(*watching, return_exceptions=True)
    return journals


def main() -> None:
    import uvloop

    told = json.loads(Path(sys.argv[1]).read_text())
    journals = uvloop.run(play(told))
    Path(told["journals"]).write_text(json.dumps(journals.plain()))


if __name__ == "__main__":
    main()
