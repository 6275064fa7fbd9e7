"""Two wagers at one table: each raises the jackpots that it feeds, and wins on those alone."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.stateful import rule

from tests.races.life_lit_keys import TABLE, LitKeys
from tests.races.life_machine import HAND, SEATS
from tests.races.life_scene import BESIDE, SECOND_WAGER

SECOND_TABLES = st.sampled_from(sorted(SECOND_WAGER))
OF_BOTH = st.sampled_from(["royal", "royal", "five", "full_house", "four"])  # what a first wager's jackpot pays as well


class SecondWagers(LitKeys):
    """Seats play one wager, the other, or both; a hand counts wherever its seat has a chip."""

    @rule(table=SECOND_TABLES, seats=st.one_of(st.just(""), SEATS), further=SEATS, hands=st.tuples(OF_BOTH, HAND),
          paid=st.booleans())  # fmt: skip
    def both_wagers_are_hit(self, table: str, seats: str, further: str, hands: tuple[str, str], paid: bool) -> None:
        """One seat of the second wager, and one of the first."""
        self.coin_in(table, seats, further)
        self.mark(table, int(further[-1]), hands[0])
        if seats:
            self.mark(table, int(seats[0]), hands[1])
        if paid:
            self.everybody_approves(table)

    @rule(table=SECOND_TABLES, hand=OF_BOTH, more=SEATS, voided=st.booleans())
    def chips_are_counted_again(self, table: str, hand: str, more: str, voided: bool) -> None:
        """A round of one wager becomes one of two, of the other, and of one again; then it is played or void."""
        self.coin_in(table, "135", "")
        for seats, further in (("135", more), ("", more), ("35", BESIDE)):
            self.recount(table, seats, further)
        self.mark(table, 2, hand)
        if voided:
            self.void(table, 0)

    @rule(hand=OF_BOTH, first=SEATS, between=SEATS, asks=st.booleans())
    def a_key_is_said_of_another_wager(self, hand: str, first: str, between: str, asks: bool) -> None:
        """Said of a seat of the first wager, then of one of the second, which ranks there from then."""
        self.coin_in(TABLE, "123", "345")
        self.light(hand)
        self.seats_are_said(hand, first[:2])
        self.coin_in("T-2", between, between)
        self.seats_are_said(hand, "4")
        self.seats_are_said(hand, "34")
        if asks:
            self.turn("18", "JPH")
            self.j_pot()
            self.turn("18", "RUN")
