"""Hits that outlive their round, and hands whose cards say otherwise: parked, claimed late, overridden, corrected."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from jackpot.wins.models import Win
from jackpot.wins.rules.win_life import LIT
from tables.floor.models.table import Table
from tables.hits.actions import hand_override
from tables.hits.actions.hand_entry import EnteredCards, enter_cards
from tables.hits.actions.late_claim import claim
from tables.hits.actions.park import park
from tables.setup.actions.floor import TableDescription, alter_table
from tests.races.life_machine import EXECUTIVES, HAND, HIT, PEOPLE, PERSON, PLAYING, SEAT, SEATS, TABLES, WHICH
from tests.races.life_scene import JUDGED, attempt
from tests.races.life_underpaid import Underpaid

# A full house for whoever holds an ace, four of a kind for a pair of kings; other hands win nothing on it.
BOARD = "Ah Kh 4d As Kd"
HOLES = st.sampled_from(["Ac 7c", "Kc Ks", "2c 3d", "Ad 6c", "8s 9d"])
JUDGED_TABLES = st.sampled_from(["T-3", "T-4", "T-5"])


class Claims(Underpaid):
    """What an executive and a second person answer for beside the round."""

    @precondition(lambda self: self.open_at)
    @rule(table=PLAYING, person=PERSON)
    def park(self, table: str, person: str) -> None:
        """The table plays on; its hits stay open and frozen."""
        number = self.open_round(table)
        if not number:
            return
        at_jph, hits = Table.objects.get(code=table).key_at_jph, self.house.in_question(table)
        good = self.counts_as_a_word([person]) and person in EXECUTIVES
        good = good and not any(win.seat == LIT for win in self.house.hits(table, number, "marked"))
        card, pin = self.cards[person]
        answer = attempt(park, **self.place(table, number), card=card, pin=pin, reason="looked at later")
        assert bool(answer) == (good and not at_jph and number in hits), f"{person} parks at {table}: {answer}"
        if answer:
            self.tally("parked")
            self.give_way(table, number)

    @rule(table=TABLES, seats=st.lists(SEAT, min_size=1, max_size=2), hand=HAND, asked=st.booleans())
    def a_hit_is_parked(self, table: str, seats: list[int], hand: str, asked: bool) -> None:
        self.coin_in(table, "1234567")
        for seat in seats:
            self.mark(table, seat, hand)
        if asked:
            self.confirm(table, "dealer")
        self.park(table, "executive")

    @rule(table=TABLES, seats=SEATS, which=st.integers(0, 6), hand=HAND)
    def a_hand_was_forgotten(self, table: str, seats: str, which: int, hand: str) -> None:
        """A round ends without a word of its hand; two people hear of it afterwards."""
        self.coin_in(table, seats)
        self.ended(table)
        self.claim_late(table, 0, int(seats[which % len(seats)]), hand, ["executive", "supervisor"])

    @rule(table=TABLES, back=st.integers(0, 3), seat=SEAT, hand=HAND, people=PEOPLE)
    def claim_late(self, table: str, back: int, seat: int, hand: str, people: list[str]) -> None:
        """A hand of a round that is over counts from the claim on."""
        number = self.ended(table) - back
        round_ = self.house.round(table, number)
        cards = [self.cards[person] for person in people]
        good = self.two_decide(people) and "dealer" not in people
        told = {"seat": seat, "hand": hand, "reason": "the key was forgotten", "evidence": "camera 7", "cards": cards}
        answer = attempt(claim, **self.place(table, number), **told, by="Test Marker")
        free = round_ is not None and round_.state == "ended" and number not in self.house.in_question(table)
        assert answer or not (good and free and self.is_claimable(table, number, seat, hand)), "a right claim is heard"
        if answer:
            assert good, f"{people} opened a claim"
            assert seat in self.players(table, number), "on a seat without coin-in"
            self.tally("claimed late")
            self.stands_marked(table, number)
            self.give_way(table, number)

    @rule(table=JUDGED_TABLES, hands=st.dictionaries(SEAT, st.sampled_from(JUDGED), min_size=1, max_size=2))
    def hands_are_judged(self, table: str, hands: dict[int, str]) -> None:
        """Hits of which the game knows what their cards must be."""
        self.coin_in(table, "1234567")
        for seat, hand in hands.items():
            self.mark(table, seat, hand)
        self.confirm(table, "dealer")

    @rule(table=JUDGED_TABLES, seat=SEAT, hand=st.sampled_from(JUDGED), hole=HOLES, follows=st.booleans())
    def cards_disagree(self, table: str, seat: int, hand: str, hole: str, follows: bool) -> None:
        """Mark and cards say two things; the mark follows the cards, or two people answer for it."""
        self.hands_are_judged(table, {seat: hand})
        self.cards_are_entered(table, seat, hole, seat, 0)
        self.card(table, "supervisor", shown=False)
        if follows:
            self.follow_cards(table, 0)
        else:
            self.override_cards(table, ["supervisor", "second"], 0)
        for person in ("supervisor", "executive", "second"):
            self.card(table, person, shown=False)

    @precondition(lambda self: self.hits_at)
    @rule(table=HIT, seat=SEAT, hole=HOLES, other=SEAT, which=WHICH)
    def cards_are_entered(self, table: str, seat: int, hole: str, other: int, which: int) -> None:
        if number := self.in_question(table, which):
            said = EnteredCards(BOARD, {seat: hole, **({other: "Qs Qc"} if other != seat else {})})
            if attempt(enter_cards, **self.place(table, number), entered=said, by="Test Supervisor"):
                self.tally("cards entered")

    @precondition(lambda self: self.hits_at)
    @rule(table=HIT, people=PEOPLE, which=WHICH)
    def override_cards(self, table: str, people: list[str], which: int) -> None:
        """What the cards speak against is paid on two people's word."""
        number = self.in_question(table, which)
        if not number:
            return
        cards, good = [self.cards[person] for person in people], self.two_decide(people)
        told = {**self.place(table, number), "cards": cards, "reason": "mucked; camera 7"}
        if attempt(hand_override.override_cards, **told):
            assert good, f"{people} overrode the cards"
            self.tally("cards overridden")

    @precondition(lambda self: self.hits_at)
    @rule(table=HIT, which=WHICH)
    def follow_cards(self, table: str, which: int) -> None:
        """Marks become what their cards prove; a changed mark is its own mark."""
        number = self.in_question(table, which)
        if number and attempt(hand_override.follow_cards, **self.place(table, number), by="Test Marker"):
            self.tally("cards followed")
            self.forget_all_but(table, number, "marked", "asked")
            self.stands_marked(table, number)
            self.give_way(table, number)

    @rule(levels=st.sampled_from([["TWIN", "LAST"], ["TWIN"], ["LAST", "TWIN"], ["TWIN", "MINI"]]))
    def other_jackpots_are_linked(self, levels: list[str]) -> None:
        """At the next round the table feeds other jackpots; what was played before stays where it was counted."""
        self.ended("T-5")
        table = Table.objects.get(code="T-5")
        facts = TableDescription(wager=table.wager_money, game=table.game, seats=table.seats, profile=table.profile)
        jackpots = [self.house.jackpot(code) for code in levels]
        attempt(alter_table, table=table, facts=facts, jackpots=jackpots, by="tests")
        if self.house.jackpots_of("T-5") == levels:
            self.tally("linked anew")

    # How it is done

    def stands_marked(self, table: str, number: int) -> None:
        """Marks that were made beside the table count from now."""
        for win in self.house.hits(table, number, "marked", "asked"):
            oracle = self.oracles[win.jackpot.code]
            if ((table, number), win.seat, win.line) not in oracle.marks:
                oracle.mark((table, number), win.seat, win.line)

    def is_claimable(self, table: str, number: int, seat: int, hand: str) -> bool:
        """The seat played a wager whose jackpots pay the hand, not all are retired, and it has nothing of it yet."""
        place = table, number
        paying = [code for code, oracle in self.oracles.items() if oracle.may_win(place, seat, hand)]
        won = Win.objects.filter(table_code=table, round_number=number, seat=seat, jackpot__code__in=paying)
        plays = any(self.states[code] != "retired" for code in paying)
        return plays and not won.filter(state__in=["logged", "owed", "paid"], envy_of=None).exists()
