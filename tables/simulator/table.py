"""One simulated table: a controller that never repeats what was acknowledged and always repeats what was not."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from random import Random
from typing import Any, Final

from tables.simulator.banked import banked_hand
from tables.simulator.desk import ApiSession
from tables.simulator.hands import hits_of
from tables.simulator.hits import Happened, Hits, HitTable, Staff, TableAward, won_of
from tables.simulator.journal import BoxJournal
from tables.simulator.pace import Pace
from tables.simulator.script import PlannedRound
from tables.simulator.wires import Answer, AnswerLost, ControllerWire, ServerRefusal

SHORTEST_PAUSE: Final = 0.1
LONGEST_PAUSE: Final = 5.0
LOOK_AGAIN: Final = frozenset(  # hello tells where the table stands; somebody else may have settled our hit
    {"gap", "clash", "round_open", "no_round", "confirm_first", "no_hit", "asked", "awarded", "round_over", "not_now"}
)
WAIT_FOR_OTHERS: Final = frozenset(  # people, or work that holds the books for a moment
    {"closed", "held", "maintenance", "suspended", "retired", "hits_open", "books_held"}
)
PATIENCE: Final = 20.0
LAST_MOMENT: Final = 1.0
SECRET_SPREADS: Final = 5  # a server process may know the secret of the last evening for another second


@dataclass(slots=True)
class Tally:
    """What was acknowledged, and what it took. `counted` has the chips of each round, voided ones too."""

    rounds: int = 0
    counted: dict[int, int] = field(default_factory=dict)
    repeats: int = 0
    losses: int = 0
    refusals: int = 0
    ended: str = ""
    left: str = ""
    wins: dict[int, TableAward] = field(default_factory=dict)
    happened: Happened = field(default_factory=Happened)

    @property
    def chips(self) -> int:
        return sum(self.counted.values())


class GaveUp(Exception):
    """This table plays no further; the message says why."""


class TakenOver(Exception):
    """Somebody else speaks for this table now, as a dealer at its console does; it is theirs."""


@dataclass
class TablePlayer:
    """Plays the script at one table until it has had its rounds or is told to stop."""

    code: str
    new_wire: Callable[[], ControllerWire]
    script: Callable[[int], Iterator[PlannedRound]]
    pace: Pace
    stop: asyncio.Event
    badge: str = ""
    show: Callable[[str], None] = lambda _: None
    profile: str = "card"
    key: str = ""
    staff: Staff | None = None
    floor: ApiSession | None = None
    bring: Callable[[TableAward], None] = lambda _: None
    tell: Callable[[str], None] = lambda _: None
    tally: Tally = field(default_factory=Tally)
    facts: Answer = field(default_factory=dict)
    journal: BoxJournal = field(default_factory=BoxJournal)

    _wire: ControllerWire | None = None
    _pause: float = field(init=False)
    _waited: float = 0.0
    _message_id: int = 1
    _looked_again: int = 0
    _dealer: str = ""

    def __post_init__(self) -> None:
        self._pause = SHORTEST_PAUSE
        self._jitter = Random(self.code)  # spreads the tables when they all come back at once
        self.hits = (
            None if self.staff is None
            else HitTable(
                self._say, self._rest, self.staff, self.profile, self.key, Random(f"{self.code} hits"), self.pace,
                self.tally.happened, self.floor,
            )
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
                if await self._tell_journal(wire):
                    await self.hang_up()  # the table stands elsewhere now: hello tells where
                    continue
                self._check_still_ours()
            except AnswerLost as lost:
                await wire.close()
                await self._back_off(str(lost))
            except ServerRefusal as refusal:
                await wire.close()
                if refusal.code == "replaced":
                    raise TakenOver from refusal
                if refusal.code != "signature" or attempt >= SECRET_SPREADS:
                    raise GaveUp(f"{self.code}: {refusal.why}") from refusal
                await self._back_off(refusal.why)
        return self.facts

    async def _tell_journal(self, wire: ControllerWire) -> int:
        """After a restore the books may lack rounds that were acknowledged here. Says how many we posted."""
        wanted, posted = self.facts.get("restored"), 0
        while wanted is not None and not self.stop.is_set():
            told = {"id": 0, "do": "journal", **self.journal.words_from(int(wanted["from"]))}
            said = await self._while_wanted(wire.ask(told))
            posted += int(said["posted"])
            wanted = said if said["posted"] and said["restored"] == "missing" else None
            self.tell(f"After a restore: {said.get('why', 'another connection has told it.')}")
        return posted

    async def play(self, rounds: int | None) -> Tally:
        try:
            await self._play(rounds)
        except GaveUp as why:
            self.tally.ended = str(why)
            self.tell(f"Stopped: {why}")
        except TakenOver:
            self.tally.left = (
                f"{self.code} was taken over after {self.tally.rounds} rounds, by its console or another controller. "
                "It is left to whoever plays there."
            )
            self.tell(self.tally.left)
            await self.hang_up()
        return self.tally

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
            except ServerRefusal as refusal:
                await self._refused(refusal)
            except AnswerLost as lost:  # a person's desk does not answer; the table itself asks for as long as it takes
                await self.hang_up()
                await self._back_off(str(lost))
            if self.tally.rounds > played:
                plan = next(script)
        await self._badge(comes=False)

    async def _badge(self, *, comes: bool) -> None:
        """The dealer comes or goes. A table without a known dealer plays all the same."""
        if self.badge:
            try:
                told = await self._say({"do": "dealer", "badge": self.badge, "in": comes})
                self._dealer = told.get("dealer") or "" if comes else ""
            except ServerRefusal:
                self.tally.refusals += 1

    def _check_still_ours(self) -> None:
        """Whoever badged in at our table plays there; a box over HTTP learns of it no other way."""
        deals = self.facts.get("dealer")
        if self._dealer and deals and deals != self._dealer:
            raise TakenOver

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
        if self.facts.get("bank") is not None and not self.facts["meters"]:
            await self._banked_round(number, plan)
            return
        seats = int(self.facts["seats"])
        wagers = [each["wager"] for each in self.facts.get("further", [])]
        further = plan.further(self.code, number, wagers, seats)
        words = {"do": "coin_in", "round": number, "seats": list(plan.chips), "spots": plan.spots(seats), **further}
        answer = await self._say(words)
        self._counted(number, plan, repeat=bool(answer["repeat"]))
        self.journal.counted(number, list(plan.chips), further.get("further", {}))
        await self._rest(self.pace.playing)
        if self.hits is not None and plan.chips:
            await self._look_at_the_cards(self.hits, number, plan)
        await self._end(number)

    async def _banked_round(self, number: int, plan: PlannedRound) -> None:
        """A player banks: the action before the cards, what each wager is due after them, then the end."""
        hand = banked_hand(plan, self.facts["bank"].get("next_seat"))
        if hand is None:
            raise GaveUp(f"{self.code}: where a player banks, two sit at least. Write --seats 2-6.")
        answer = await self._say({"do": "action", "round": number, "bank": hand.bank, "bets": hand.bets})
        self._counted(number, PlannedRound((), plan.deal), repeat=bool(answer["repeat"]))
        self.facts["bank"] = answer["bank"]
        await self._rest(self.pace.playing)
        if not answer["bank"]["settled"]:
            await self._say({"do": "settle", "round": number, "results": hand.results})
        await self._end(number)

    async def _look_at_the_cards(self, table: HitTable, number: int, plan: PlannedRound) -> None:
        offered = [hand["code"] for hand in self.facts["hands"]]
        found = Hits(number, hits_of(plan.deal, plan.chips, offered), plan.deal, offered)
        if table.jams():
            await table.mark(found)
            await table.void(number)
            self.journal.voided(number)
        elif found.hands:
            self.show(f"{self.code} round {number}: {found.hands}")
            self._won(await table.settle(found) or await self._hear_of_wins())

    async def _hear_of_wins(self) -> list[TableAward]:
        """What the server knows of the open round; our own answer may have been lost."""
        await self.hang_up()
        won = won_of((await self.connect())["open_round"] or {})
        self._won(won)
        return won

    def _won(self, wins: Iterable[TableAward]) -> None:
        for win in wins:
            if win.number not in self.tally.wins:
                self.tally.wins[win.number] = win
                self.journal.last_slip = max(self.journal.last_slip, win.slip)
                self.bring(win)

    def _counted(self, number: int, plan: PlannedRound, *, repeat: bool) -> None:
        self.facts["open_round"] = {"round": number}
        self.tally.rounds += 1
        self.tally.counted[number] = len(plan.chips)
        self.tally.repeats += repeat
        self._calm_down()
        self.show(f"{self.code} round {number}: chips {list(plan.chips)}, {plan.deal}")

    async def _end(self, number: int) -> None:
        answer = await self._say({"do": "end", "round": number})
        self.facts["next_round"], self.facts["open_round"] = answer["next_round"], None
        self.journal.ended(number)
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
            except AnswerLost as lost:
                self.tally.losses += 1
                await self.hang_up()
                await self._back_off(str(lost))
            except ServerRefusal as refusal:
                if refusal.code == "replaced":
                    raise TakenOver from refusal
                raise

    async def _refused(self, refusal: ServerRefusal) -> None:
        self.tally.refusals += 1
        if refusal.code in WAIT_FOR_OTHERS:
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
            await Pace.rest(pause, self.stop)

    async def _rest(self, seconds: float) -> None:
        """A pause at the table, with a beat every second; a stop cuts it short."""
        while seconds > 0 and not self.stop.is_set():
            step = min(seconds, 1.0)
            seconds -= step
            await Pace.rest(step, self.stop)
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
            raise AnswerLost("No answer came in time.") from None
