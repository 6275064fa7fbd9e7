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

    def __init__(self) -> None:
        super().__init__()
        self.said: set[tuple[str, int, str]] = set()  # jackpot, round, hand of keys whose seats were said

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
            for code, oracle in self.paying(number, hand).items():
                oracle.mark((TABLE, number), LIT, hand)
                self.said.discard((code, number, hand))

    @rule(hand=HAND, seats=SEATS)
    def seats_are_said(self, hand: str, seats: str) -> None:
        """These seats and no others; a seat that is new to the key counts from when it was lit."""
        number = self.open_round(TABLE)
        told = {"hand": hand, "seats": [int(seat) for seat in seats]}
        answer = self.act(lit_keys.assign, TABLE, number, **told) if number else None
        if not answer:
            return
        assert {*told["seats"]} <= self.players(TABLE, number), f"{seats} hold a hand, and not all of them played"
        self.tally("seats said")
        for code in self.paying(number, hand):
            self.put_on_seats(code, number, hand, {*told["seats"]} & {*self.on(code, TABLE, number)})
        self.give_way(TABLE, number)

    def put_on_seats(self, code: str, number: int, hand: str, seats: set[int]) -> None:
        """On the wager that the seats played: from when the key was lit, or from now where it went out meanwhile."""
        place, marks = (TABLE, number), self.oracles[code].marks
        key = marks.get((place, LIT, hand))
        standing = {seat: mark for (at, seat, line), mark in marks.items() if (at, line) == (place, hand) and seat}
        fresh = (code, number, hand) not in self.said
        is_on = key is not None and (fresh or any(mark is key for mark in standing.values()))
        for seat in standing.keys() - seats:
            self.oracles[code].forget(place, seat, hand)
        for seat in seats - standing.keys():
            if is_on and key is not None:
                marks[place, seat, hand] = key
            else:
                self.tally("said late, of another wager")
                self.oracles[code].mark(place, seat, hand)
        self.said.add((code, number, hand))

    @rule(hand=HAND)
    def put_out(self, hand: str) -> None:
        """The same key again: off, with every seat it had."""
        number = self.open_round(TABLE)
        answer = self.act(lit_keys.put_out, TABLE, number, hand=hand) if number else None
        if answer and not answer["repeat"]:
            self.tally("put out")
            self.give_way(TABLE, number)

    def paying(self, number: int, hand: str) -> dict[str, Oracle]:
        return {code: oracle for code, oracle in self.oracles.items() if oracle.pays((TABLE, number), hand)}
