"""Hand keys pressed alone, in the key profile: lit at once, their seats said by the pit, said otherwise, put out."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.stateful import rule

from jackpot.wins.rules.win_life import LIT
from tables.hits.actions import lit_keys
from tests.races.life_claims import Claims
from tests.races.life_machine import HAND, SEATS
from tests.races.life_oracle import Oracle

TABLE = "T-4"


class LitKeys(Claims):
    """A lit key ranks and freezes for whatever seats are said later."""

    @rule(hands=st.lists(HAND, min_size=1, max_size=2, unique=True), seats=SEATS, other=SEATS, asks=st.booleans())
    def keys_are_lit(self, hands: list[str], seats: str, other: str, asks: bool) -> None:
        """Between the key and its seats others play; then the pit says the seats, and others instead."""
        if not self.open_round(TABLE):
            self.coin_in(TABLE, "1234567")
        for hand in hands:
            self.light(hand)
        self.coin_in("T-1", other)
        if asks:
            self.turn("18", "JPH")
        for hand in hands:
            self.seats_are_said(hand, seats[:3])
        self.seats_are_said(hands[0], other[:2])

    @rule(hand=HAND)
    def light(self, hand: str) -> None:
        number = self.open_round(TABLE)
        answer = self.act(lit_keys.light, TABLE, number, hand=hand) if number else None
        if answer and not answer["repeat"]:
            self.tally("lit")
            for oracle in self.paying(number, hand):
                oracle.mark((TABLE, number), LIT, hand)

    @rule(hand=HAND, seats=SEATS)
    def seats_are_said(self, hand: str, seats: str) -> None:
        """These seats and no others; a seat that is new to the key counts from when it was lit."""
        number = self.open_round(TABLE)
        told = {"hand": hand, "seats": [int(seat) for seat in seats]}
        answer = self.act(lit_keys.assign, TABLE, number, **told) if number else None
        if not answer:
            return
        assert set(seats) <= set(self.seats(TABLE, number)), f"{seats} hold a hand, and not all of them played"
        self.tally("seats said")
        place = TABLE, number
        for oracle in self.paying(number, hand):
            key = oracle.marks[place, LIT, hand]
            standing = {seat for at, seat, line in oracle.marks if (at, line) == (place, hand) and seat != LIT}
            for seat in standing - {*told["seats"]}:
                oracle.forget(place, seat, hand)
            for seat in {*told["seats"]} - standing:
                oracle.marks[place, seat, hand] = key
        self.give_way(TABLE, number)

    @rule(hand=HAND)
    def put_out(self, hand: str) -> None:
        """The same key again: off, with every seat it had."""
        number = self.open_round(TABLE)
        answer = self.act(lit_keys.put_out, TABLE, number, hand=hand) if number else None
        if answer and not answer["repeat"]:
            self.tally("put out")
            self.give_way(TABLE, number)

    def paying(self, number: int, hand: str) -> list[Oracle]:
        return [oracle for oracle in self.oracles.values() if oracle.pays((TABLE, number), hand)]
