"""A hit at a simulated table, from the hand key to the award: what a dealer and a supervisor would do.

What is refused because an earlier hit stands before it is asked for again; every answer is asked for until it comes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from tables.simulator.wires import Answer, SaidNo

HESITATES: Final = 0.15
NOT_CONFIRMED: Final = 0.05
JAMS: Final = 0.02
LOOK_AT_THE_CARDS: Final = 0.3  # seconds in a show, in which another table may mark too
ASK_AGAIN: Final = 0.05
LONGEST_QUEUE: Final = 30.0

Say = Callable[[Mapping[str, Any]], Awaitable[Answer]]
Card = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Staff:
    """The cards, with their PINs, of the people who approve. Given from outside; the client knows none."""

    supervisors: Sequence[Card]
    executives: Sequence[Card]
    show: bool = False

    def cards(self, level: str, people: int) -> list[Card]:
        """Those who may approve, as many as it takes; an executive serves where a supervisor would do."""
        able = self.executives if level == "executive" else (*self.supervisors, *self.executives)
        return list(able[:people])


@dataclass(frozen=True, slots=True)
class Won:
    """An award as the table was told of it."""

    number: int
    jackpot: str
    amount: str


@dataclass(slots=True)
class HitTable:
    """One table's way with hits, in its own profile."""

    say: Say
    staff: Staff
    profile: str
    key: str
    dice: Random
    queued: int = 0
    rejected: int = 0
    unmarked: int = 0
    voided: int = 0

    async def settle(self, number: int, hits: Mapping[int, str]) -> list[Won]:
        """Marks what was dealt, asks, and has it approved or not confirmed; returns what was won."""
        for seat, hand in hits.items():
            await self._mark({"round": number, "seat": seat, "hand": hand})
        if self.staff.show:
            await asyncio.sleep(LOOK_AT_THE_CARDS * self.dice.random())
        return await (self._by_key(number) if self.profile == "key" else self._by_card(number))

    def jams(self) -> bool:
        """Whether the shuffler spoils this round."""
        return bool(self.staff.supervisors) and self.dice.random() < JAMS

    async def void(self, number: int) -> None:
        """The shuffler has jammed; a supervisor's card takes the round back."""
        card, _ = self.staff.supervisors[0]
        await self.say({"do": "void", "round": number, "reason": "shuffler malfunction", "card": card})
        self.voided += 1

    async def _mark(self, hit: Mapping[str, Any]) -> None:
        await self.say({"do": "mark", **hit})
        if self.dice.random() < HESITATES:
            await self.say({"do": "unmark", **hit})
            await self.say({"do": "mark", **hit})
            self.unmarked += 1

    async def _by_card(self, number: int) -> list[Won]:
        asked = await self.say({"do": "confirm", "round": number})
        if self.dice.random() < NOT_CONFIRMED:
            await self.say({"do": "reject", "round": number, "reason": "the cards were misread"})
            self.rejected += 1
            return []
        return await self._swiped(number, self.staff.cards(asked["card"], asked["people"]))

    async def _by_key(self, number: int) -> list[Won]:
        """J-POT fixes the amounts, a card helps where the key is not enough, and only RUN moves the meter."""
        await self.say({"do": "key", "key": self.key, "position": "JPH"})
        fixed = await self._in_turn({"do": "j_pot"})
        if fixed["missing"] is not None:
            await self._swiped(number, self.staff.cards(fixed["card"], fixed["people"]))
        return _won((await self.say({"do": "key", "key": self.key, "position": "RUN"}))["wins"])

    async def _swiped(self, number: int, cards: Sequence[Card]) -> list[Won]:
        for card, pin in cards:
            answer = await self._in_turn({"do": "card", "round": number, "card": card, "pin": pin})
            if answer["missing"] is None:
                return _won(answer["wins"])
        raise SaidNo("too_few_cards", f"{len(cards)} cards do not approve round {number}.")

    async def _in_turn(self, words: Mapping[str, Any]) -> Answer:
        """Hits that came first are settled first; this one waits for them."""
        waited = 0.0
        while True:
            try:
                return await self.say(words)
            except SaidNo as refusal:
                if refusal.code == "approved":  # our own word, whose answer was lost
                    return {"missing": None, "wins": []}
                if refusal.code != "queue" or waited > LONGEST_QUEUE:
                    raise
            self.queued += not waited
            waited += ASK_AGAIN
            await asyncio.sleep(ASK_AGAIN)

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


def won_of(open_round: Mapping[str, Any]) -> list[Won]:
    """What the server says was won in a round; for a table whose own answer was lost."""
    return _won([hit for hit in open_round.get("hits", ()) if hit["state"] in ("owed", "paid")])


def _won(wins: Sequence[Mapping[str, Any]]) -> list[Won]:
    return [Won(win["win"], win["jackpot"], win["amount"]) for win in wins]
