"""One simulated table: a controller that never repeats what was acknowledged and always repeats what was not."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from random import Random
from typing import Any, Final

from tables.simulator.hands import hits_of
from tables.simulator.hits import HitTable, Staff, Won, won_of
from tables.simulator.pace import Pace
from tables.simulator.script import PlannedRound
from tables.simulator.wires import Answer, Lost, SaidNo, Wire

SHORTEST_PAUSE: Final = 0.1
LONGEST_PAUSE: Final = 5.0
LOOK_AGAIN: Final = frozenset({"gap", "clash", "round_open", "no_round"})  # hello tells where the table stands
WAIT_FOR_PEOPLE: Final = frozenset({"closed", "held", "maintenance", "suspended", "retired", "hits_open"})
PATIENCE: Final = 20.0
LAST_MOMENT: Final = 1.0
SECRET_SPREADS: Final = 5  # a server process may know the secret of the last evening for another second


@dataclass(slots=True)
class Tally:
    """What was acknowledged, and what it took."""

    rounds: int = 0
    chips: int = 0
    repeats: int = 0
    losses: int = 0
    refusals: int = 0
    ended: str = ""
    wins: dict[int, Won] = field(default_factory=dict)


class GaveUp(Exception):
    """This table plays no further; the message says why."""


@dataclass
class TablePlayer:
    """Plays the script at one table until it has had its rounds or is told to stop."""

    code: str
    new_wire: Callable[[], Wire]
    script: Callable[[int], Iterator[PlannedRound]]
    pace: Pace
    stop: asyncio.Event
    badge: str = ""
    show: Callable[[str], None] = lambda _: None
    profile: str = "card"
    key: str = ""
    staff: Staff | None = None
    tally: Tally = field(default_factory=Tally)
    facts: Answer = field(default_factory=dict)

    _wire: Wire | None = None
    _pause: float = field(init=False)
    _waited: float = 0.0
    _message_id: int = 1
    _looked_again: int = 0

    def __post_init__(self) -> None:
        self._pause = SHORTEST_PAUSE
        self._jitter = Random(self.code)  # spreads the tables when they all come back at once
        self.hits = (
            None if self.staff is None
            else HitTable(self._say, self.staff, self.profile, self.key, Random(f"{self.code} hits"))
        )  # fmt: skip

    async def connect(self) -> Answer:
        """Says hello until it is answered; the answer tells where the table stands."""
        for attempt in count():
            if self._wire is not None:
                break
            wire = self.new_wire()
            try:
                self.facts = await self._while_wanted(wire.hello())
                self._wire = wire
            except Lost as lost:
                await wire.close()
                await self._back_off(str(lost))
            except SaidNo as refusal:
                await wire.close()
                if refusal.code != "signature" or attempt >= SECRET_SPREADS:
                    raise GaveUp(f"{self.code}: {refusal.why}") from refusal
                await self._back_off(refusal.why)
        return self.facts

    async def play(self, rounds: int | None) -> Tally:
        try:
            await self._play(rounds)
        except GaveUp as why:
            self.tally.ended = str(why)
        return self.tally

    async def meters(self) -> Mapping[str, str]:
        """The meters of this table's jackpots as a new hello tells them."""
        await self.hang_up()
        told: Mapping[str, str] = (await self.connect())["meters"]
        return told

    async def hang_up(self) -> None:
        if self._wire is not None:
            with suppress(Exception):  # it is gone already, which is what was wanted
                await self._wire.close()
            self._wire = None

    async def _play(self, rounds: int | None) -> None:
        await self.connect()
        await self._badge(comes=True)
        script = self.script(int(self.facts["seats"]))
        plan = next(script)
        while self._goes_on(rounds):
            played = self.tally.rounds
            try:
                await self._finish_open_round()
                if self._goes_on(rounds):
                    await self._round(int(self.facts["next_round"]), plan)
            except SaidNo as refusal:
                await self._refused(refusal)
            if self.tally.rounds > played:
                plan = next(script)
        await self._badge(comes=False)

    async def _badge(self, *, comes: bool) -> None:
        """The dealer comes or goes. A table without a known dealer plays all the same."""
        if self.badge:
            try:
                await self._say({"do": "dealer", "badge": self.badge, "in": comes})
            except SaidNo:
                self.tally.refusals += 1

    def _goes_on(self, rounds: int | None) -> bool:
        """A round that was counted is always ended."""
        if self.facts["open_round"] is not None:
            return True
        return not self.stop.is_set() and (rounds is None or self.tally.rounds < rounds)

    async def _finish_open_round(self) -> None:
        still_open = (await self.connect())["open_round"]
        if still_open is not None:
            if self.hits is not None:
                await self.hits.clear(still_open, self.facts.get("key_at_jph", ""))
                await self._hear_of_wins()
            await self._end(int(still_open["round"]))

    async def _round(self, number: int, plan: PlannedRound) -> None:
        await self._rest(self.pace.betting)
        spots = plan.spots(int(self.facts["seats"]))
        answer = await self._say({"do": "coin_in", "round": number, "seats": list(plan.chips), "spots": spots})
        self._counted(number, plan, repeat=bool(answer["repeat"]))
        await self._rest(self.pace.playing)
        if self.hits is not None and plan.chips:
            await self._look_at_the_cards(self.hits, number, plan)
        await self._end(number)

    async def _look_at_the_cards(self, table: HitTable, number: int, plan: PlannedRound) -> None:
        if table.jams():
            await table.void(number)
            self.tally.chips -= len(plan.chips)
            return
        found = hits_of(plan.deal, plan.chips, [hand["code"] for hand in self.facts["hands"]])
        if found:
            self.show(f"{self.code} round {number}: {found}")
            self._won(await table.settle(number, found) or await self._hear_of_wins())

    async def _hear_of_wins(self) -> list[Won]:
        """What the server knows of the open round; our own answer may have been lost."""
        await self.hang_up()
        won = won_of((await self.connect())["open_round"] or {})
        self._won(won)
        return won

    def _won(self, won: Iterable[Won]) -> None:
        self.tally.wins.update({win.number: win for win in won})

    def _counted(self, number: int, plan: PlannedRound, *, repeat: bool) -> None:
        self.facts["open_round"] = {"round": number}
        self.tally.rounds += 1
        self.tally.chips += len(plan.chips)
        self.tally.repeats += repeat
        self._calm_down()
        self.show(f"{self.code} round {number}: chips {list(plan.chips)}, {plan.deal}")

    async def _end(self, number: int) -> None:
        answer = await self._say({"do": "end", "round": number})
        self.facts["next_round"], self.facts["open_round"] = answer["next_round"], None
        self._calm_down()

    def _calm_down(self) -> None:
        self._pause, self._waited, self._looked_again = SHORTEST_PAUSE, 0.0, 0

    async def _say(self, words: Mapping[str, Any]) -> Answer:
        """Until it is answered: after every loss the same message again, on a new connection."""
        self._message_id += 1
        message = {"id": self._message_id, **words}
        while True:
            await self.connect()
            assert self._wire is not None
            try:
                return await self._while_wanted(self._wire.ask(message))
            except Lost as lost:
                self.tally.losses += 1
                await self.hang_up()
                await self._back_off(str(lost))

    async def _refused(self, refusal: SaidNo) -> None:
        self.tally.refusals += 1
        if refusal.code in WAIT_FOR_PEOPLE:
            await self._back_off(refusal.why)
        elif refusal.code in LOOK_AGAIN and self._looked_again < 3:
            self._looked_again += 1
        else:
            raise GaveUp(f"{self.code}: {refusal.why}") from refusal
        await self.hang_up()

    async def _back_off(self, why: str) -> None:
        """Longer each time. Endless play waits for as long as it takes, any other for a while."""
        if self._waited > PATIENCE and (not self.pace.endless or self.stop.is_set()):
            raise GaveUp(f"{self.code}: {why}")
        pause = self._pause * (0.5 + self._jitter.random())
        self._waited += pause
        self._pause = min(self._pause * 2, LONGEST_PAUSE)
        if self.stop.is_set():
            self._waited += PATIENCE / 2  # somebody waits for us to come to an end
            await asyncio.sleep(min(pause, LONGEST_PAUSE / 20))
        else:
            await self._unless_stopped(pause)

    async def _rest(self, seconds: float) -> None:
        """A pause at the table, with a beat every second; a stop cuts it short."""
        while seconds > 0 and not self.stop.is_set():
            step = min(seconds, 1.0)
            seconds -= step
            await self._unless_stopped(step)
            if seconds > 0:
                await self._say({"do": "beat"})

    async def _while_wanted(self, answer: Coroutine[Any, Any, Answer]) -> Answer:
        """A stop leaves an answer a moment more: a server that is going down may never give it."""
        asked, stopped = asyncio.ensure_future(answer), asyncio.ensure_future(self.stop.wait())
        await asyncio.wait({asked, stopped}, return_when=asyncio.FIRST_COMPLETED)
        stopped.cancel()
        try:
            return await asyncio.wait_for(asked, LAST_MOMENT)
        except TimeoutError:
            raise Lost("No answer came in time.") from None

    async def _unless_stopped(self, seconds: float) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self.stop.wait(), seconds)
