"""A hit at a simulated table, from the hand key to the award: what a dealer, a supervisor and an executive would do.

What is refused because an earlier hit stands before it is asked for again; every answer is asked for until it comes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from tables.simulator.deal import SimulatedDeal
from tables.simulator.desk import ApiSession, Login
from tables.simulator.pace import Pace
from tables.simulator.wires import Answer, ServerRefusal

WRONG_KEY: Final = 0.15  # of the marks begin with a wrong one, which is taken back
NOT_CONFIRMED: Final = 0.05
JAMS: Final = 0.003
JAMS_IN_A_SHOW: Final = 0.03
LOOK_AT_THE_CARDS: Final = 0.3  # seconds in a show, in which another table may mark too
ASK_AGAIN: Final = 0.05
ASK_RARER: Final = 1.5
ASK_AGAIN_AT_MOST: Final = 1.0
LONGEST_QUEUE: Final = 30.0
QUEUED_BEFORE: Final = 10  # hits that may stand before ours, each of which takes its time
CARDS_ENTERED: Final = ("royal_", "straight_flush")  # what these win is worth the cards on the record
TRY_ANOTHER: Final = frozenset(
    {"card_unknown", "card_blocked", "locked", "pin_needed", "pin_wrong", "not_allowed", "same_person", "level"}
)
SETTLED: Final = frozenset({"approved", "signed", "no_hit"})  # somebody at the pit was faster
MAY_LATER: Final = frozenset({"same_person", "level"})  # said of this act, not of the card

Say = Callable[[Mapping[str, Any]], Awaitable[Answer]]
Rest = Callable[[float], Awaitable[None]]
Card = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Staff:
    """The cards, with their PINs, of the people who approve, and two sign-ins. Given from outside."""

    supervisors: Sequence[Card]
    executives: Sequence[Card]
    floor: Login | None = None
    cage: Login | None = None
    show: bool = False
    barred: set[str] = field(default_factory=set)

    def able(self, level: str, first: int) -> Iterator[Card]:
        """Who may approve, one after the other; executives serve where supervisors would do, but come last."""
        for group in ([] if level == "executive" else self.supervisors, self.executives):
            turned = [group[(first + place) % len(group)] for place in range(len(group))]
            yield from (card for card in turned if card[0] not in self.barred)


@dataclass(frozen=True, slots=True)
class TableAward:
    """An award as the table was told of it."""

    number: int
    jackpot: str
    amount: str
    slip: int


@dataclass(frozen=True, slots=True)
class Hits:
    """What was found in one round: the hand of each lucky seat, and the cards that prove it."""

    number: int
    hands: Mapping[int, str]
    deal: SimulatedDeal
    offered: Sequence[str]

    def cards(self) -> dict[str, Any]:
        """As a supervisor types them."""
        seats = [{"seat": seat, "cards": " ".join(self.deal.hands[seat])} for seat in self.hands]
        return {"board": " ".join(self.deal.board), "seats": seats}


@dataclass(slots=True)
class Happened:
    """What did not go straight from mark to award."""

    queued: int = 0
    rejected: int = 0
    unmarked: int = 0
    voided: int = 0


@dataclass(slots=True)
class HitTable:
    """One table's way with hits, in its own profile."""

    say: Say
    rest: Rest
    staff: Staff
    profile: str
    key: str
    dice: Random
    pace: Pace
    happened: Happened
    floor: ApiSession | None = None

    async def settle(self, hits: Hits) -> list[TableAward]:
        """Marks what was dealt, asks, and has it approved or not confirmed; returns what was won."""
        await self.mark(hits)
        if self.staff.show and not self.pace.speed:
            await self.rest(LOOK_AT_THE_CARDS * self.dice.random())
        await self.rest(self.pace.calling)
        return await (self._by_key(hits) if self.profile == "key" else self._by_card(hits))

    def jams(self) -> bool:
        """Whether the shuffler spoils this round."""
        return self.dice.random() < (JAMS_IN_A_SHOW if self.staff.show else JAMS)

    async def void(self, number: int) -> None:
        """The shuffler has jammed; a supervisor's card takes the round back, marks and all."""
        words = {"do": "void", "round": number, "reason": "shuffler malfunction"}
        await self._with_cards(words, "supervisor", approves=False)
        self.happened.voided += 1

    async def mark(self, hits: Hits) -> None:
        for seat, hand in hits.hands.items():
            others = [other for other in hits.offered if other != hand]
            if others and self.dice.random() < WRONG_KEY:
                wrong = {"round": hits.number, "seat": seat, "hand": self.dice.choice(others)}
                await self.say({"do": "mark", **wrong})
                await self.say({"do": "unmark", **wrong})
                self.happened.unmarked += 1
            await self.say({"do": "mark", "round": hits.number, "seat": seat, "hand": hand})

    async def _by_card(self, hits: Hits) -> list[TableAward]:
        asked = await self.say({"do": "confirm", "round": hits.number})
        await self.rest(self.pace.verifying)
        if self.dice.random() < NOT_CONFIRMED:
            await self.say({"do": "reject", "round": hits.number, "reason": "the cards were misread"})
            self.happened.rejected += 1
            return []
        await self._enter_cards(hits, asked)
        return await self._swiped(hits.number, asked["card"])

    async def _by_key(self, hits: Hits) -> list[TableAward]:
        """J-POT fixes the amounts, a card helps where the key is not enough, and only RUN moves the meter."""
        asked = await self.say({"do": "key", "key": self.key, "position": "JPH"})
        await self.rest(self.pace.verifying)
        if self.dice.random() < NOT_CONFIRMED:
            await self._turn_back(hits)
            return []
        await self._enter_cards(hits, asked)
        fixed = await self._in_turn({"do": "j_pot"})
        if fixed["missing"] is not None:
            await self._swiped(hits.number, fixed["card"])
        return _won((await self.say({"do": "key", "key": self.key, "position": "RUN"}))["wins"])

    async def _turn_back(self, hits: Hits) -> None:
        """Without J-POT the key changes nothing; the lit hands are put out one by one."""
        await self.say({"do": "key", "key": self.key, "position": "RUN"})
        for seat, hand in hits.hands.items():
            await self.say({"do": "unmark", "round": hits.number, "seat": seat, "hand": hand})
        self.happened.rejected += 1

    async def _enter_cards(self, hits: Hits, asked: Answer) -> None:
        """For the rare hands the supervisor types what lies on the felt; for the others to have seen it is enough."""
        hit = next((hit for hit in asked["hits"] if hit["hand"].startswith(CARDS_ENTERED)), None)
        if self.floor is None or hit is None:
            return
        try:
            await self.floor.acts(f"/api/v1/wins/{hit['id']}/verify/", hits.cards())
        except ServerRefusal as refusal:
            if refusal.code not in SETTLED:
                raise

    async def _swiped(self, number: int, level: str) -> list[TableAward]:
        return _won((await self._with_cards({"do": "card", "round": number}, level))["wins"])

    async def _with_cards(self, words: Mapping[str, Any], level: str, *, approves: bool = True) -> Answer:
        """One card after the other until nothing is missing; one that is refused itself gives way to the next."""
        why = "none of the demo's people has a card that may"
        for card, pin in self.staff.able(level, self.dice.randrange(2)):
            try:
                answer = await self._in_turn({**words, "card": card, **({"pin": pin} if approves else {})})
            except ServerRefusal as refusal:
                if refusal.code not in TRY_ANOTHER:
                    raise
                why = refusal.why
                if refusal.code not in MAY_LATER:
                    self.staff.barred.add(card)
                continue
            if answer.get("missing") is None:
                return answer
            why = f"{answer['missing']} is still needed"
        raise ServerRefusal("too_few_cards", f"Nobody is left to approve: {why}")

    async def _in_turn(self, words: Mapping[str, Any]) -> Answer:
        """Hits that came first are settled first; this one waits for them, and asks ever more rarely."""
        waited, pause = 0.0, ASK_AGAIN
        patience = LONGEST_QUEUE + QUEUED_BEFORE * (self.pace.calling + self.pace.verifying)
        while True:
            try:
                return await self.say(words)
            except ServerRefusal as refusal:
                if refusal.code == "approved":  # our own word, whose answer was lost, or somebody's at the pit
                    return {"missing": None, "wins": []}
                if refusal.code != "queue" or waited > patience:
                    raise
            self.happened.queued += pause == ASK_AGAIN
            waited, pause = waited + pause, min(pause * ASK_RARER, ASK_AGAIN_AT_MOST)
            await asyncio.sleep(pause)

    async def clear(self, open_round: Mapping[str, Any], key_at_jph: str) -> None:
        """What an earlier evening left half done: the key back to RUN, what is asked for not confirmed, marks off."""
        number = open_round["round"]
        if key_at_jph:
            await self.say({"do": "key", "key": key_at_jph, "position": "RUN"})
        elif any(hit["state"] == "asked" for hit in open_round.get("hits", ())):
            await self.say({"do": "reject", "round": number, "reason": "nobody confirmed it"})
            return
        for mark in open_round.get("marks", ()):
            await self.say({"do": "unmark", "round": number, "seat": mark["seat"], "hand": mark["hand"]})


def won_of(open_round: Mapping[str, Any]) -> list[TableAward]:
    """What the server says was won in a round; for a table whose own answer was lost."""
    return _won([hit for hit in open_round.get("hits", ()) if hit["state"] in ("owed", "paid")])


def _won(wins: Sequence[Mapping[str, Any]]) -> list[TableAward]:
    return [TableAward(win["win"], win["jackpot"], win["amount"], win["slip"]) for win in wins]
