"""The whole life: cards are locked, unlocked, blocked and issued anew, keys go back and forth, the app starts again."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from jackpot.people.actions.people import block_card, issue_card
from jackpot.people.actions.unlock import unlock_card
from tests.races.life_kept_back import KeptRounds
from tests.races.life_machine import HAND, PEOPLE, PERSON, SEAT, TABLES, TRIES, WRONG_PIN, PowerCut
from tests.races.life_scene import CARDS, FEEDS, attempt, restart
from tests.undoing import as_a_test

REMEMBERED = ("oracles", "counted", "kept", "said", "fixed", "moved", "requests", "states", "wrong_pins", "blocked",
              "cards", "authority", "awarded", "rests", "gifts")  # fmt: skip
LEVELS = {"supervisor": "supervisor", "dealer": "dealer"}
KEY_STEPS = st.sampled_from(
    ["JPH", "JPH", "RUN", "wrong key", "mark", "unmark", "J-POT", "J-POT", "executive", "restart", "back out", "void",
     "END", "park", "lit", "lit", "seats", "seats", "put out"]
)  # fmt: skip


class WholeLife(KeptRounds):
    """Everything of an evening."""

    # The power

    @rule(table=TABLES, which=st.integers(0, 6), seat=SEAT, hand=HAND)
    def the_power_fails_within(self, table: str, which: int, seat: int, hand: str) -> None:
        """Whatever was under way is as if nobody had begun it; the evening goes on from there."""
        acts: Sequence[Callable[[], Any]] = (
            lambda: self.a_hit_is_parked(table, [seat], hand, True),
            lambda: self.a_hand_was_forgotten(table, "1234567", seat - 1, hand),
            lambda: self.cards_disagree("T-3", seat, "full_house", "2c 3d", seat > 3),
            lambda: self.both_stand_there("transfer", "TWIN", ""),
            lambda: self.both_stand_there("adjust", "MIDI", "15.00"),
            lambda: self.a_win_by_the_key(hand, str(seat), seat > 3),
            lambda: self.back_out(seat, True, "executive"),
        )
        known = copy.deepcopy({name: getattr(self, name) for name in REMEMBERED})
        with suppress(PowerCut), as_a_test():
            acts[which]()
            raise PowerCut
        vars(self).update(known)
        restart()

    # Cards

    @rule(person=st.sampled_from(["marker", "second"]))
    def three_wrong_pins(self, person: str) -> None:
        """Somebody guesses until the card is locked."""
        self.coin_in("T-1", "1234567")
        self.mark("T-1", 1, "five")
        for _ in range(TRIES):
            self.a_cloned_card("T-1", person, WRONG_PIN)

    @rule(person=st.sampled_from(["marker", "second", "executive"]), people=PEOPLE, why=st.sampled_from(["seen", " "]))
    def unlock(self, person: str, people: list[str], why: str) -> None:
        """An executive and a second person, none of them the owner, give a locked card back."""
        good = self.two_decide(people) and person not in people and "dealer" not in people if why.strip() else False
        locked = self.wrong_pins[person] >= TRIES
        cards = [self.cards[each] for each in people]
        attempt(unlock_card, card=self.card_of(person), why=why, by=self.house.people["other"], cards=cards)
        still = self.card_of(person).locked_at is not None
        assert still == (locked and not good), f"{people} unlock the card of {person}"
        if locked and not still:
            self.tally("unlocked")
            self.wrong_pins[person] = 0

    @rule(person=st.sampled_from(["marker", "second"]), people=st.sampled_from(
        [["executive", "supervisor"], ["supervisor", "second"], ["executive", "dealer"], ["marker", "second"]]
    ))  # fmt: skip
    def locked_and_unlocked(self, person: str, people: list[str]) -> None:
        self.three_wrong_pins(person)
        self.unlock(person, people, "seen")

    @rule(person=PERSON, anew=st.sampled_from([True, True, False]))
    def block(self, person: str, anew: bool) -> None:
        """One touch; whatever the card signed before stays signed."""
        block_card(card=self.card_of(person), why="lost", by="tests")
        self.blocked.add(person)
        self.tally("card blocked")
        if anew:
            self.issue_anew(sorted(self.blocked).index(person))

    @precondition(lambda self: self.blocked)
    @rule(which=st.integers(0, 4))
    def issue_anew(self, which: int) -> None:
        person = sorted(self.blocked)[which % len(self.blocked)]
        old, pin = self.cards[person]
        number, level = str(int(old) + 10), LEVELS.get(person, "executive")
        assert attempt(issue_card, operator=self.house.people[person], number=number, level=level, pin=pin, by="tests")
        self.cards[person] = number, CARDS[person][1]
        self.blocked.discard(person)
        self.wrong_pins[person] = 0

    # The key

    @rule(steps=st.lists(KEY_STEPS, min_size=2, max_size=8), hand=HAND, lit=st.booleans(), alone=st.booleans())
    def the_key_goes_back_and_forth(self, steps: list[str], hand: str, lit: bool, alone: bool) -> None:
        """Every half-way state between a lit hand and the meter's move, with whatever can come between."""
        if alone:
            self.nothing_is_open()
        self.coin_in("T-4", "1234567")
        if lit:
            self.mark("T-4", 4, hand)
            self.turn("18", "JPH")
        for step in steps:
            self.step(step, hand)
            self.stands_as_told()

    def nothing_is_open(self) -> None:
        """Every key at RUN, every hit rejected or moved."""
        self.turn("17", "RUN")
        self.turn("18", "RUN")
        for table in FEEDS:
            for _ in self.house.in_question(table):
                self.confirm(table, "dealer")
                self.reject(table)

    def step(self, step: str, hand: str) -> None:
        steps: dict[str, Callable[[], Any]] = {
            "JPH": lambda: self.turn("18", "JPH"),
            "RUN": lambda: self.turn("18", "RUN"),
            "wrong key": lambda: self.turn("17", "RUN"),
            "mark": lambda: self.mark("T-4", 5, hand),
            "unmark": lambda: self.unmark("T-4", 5, hand),
            "J-POT": self.j_pot,
            "lit": lambda: self.light(hand),
            "seats": lambda: self.seats_are_said(hand, "35"),
            "put out": lambda: self.put_out(hand),
            "executive": lambda: [self.card("T-4", person) for person in ("executive", "second")],
            "restart": restart,
            "back out": lambda: self.back_out(0, True, "executive"),
            "void": lambda: self.void("T-4", 0),
            "END": lambda: self.ended("T-4"),
            "park": lambda: self.park("T-4", "executive"),
        }
        steps[step]()
