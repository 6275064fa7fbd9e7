"""The whole life of wins, in any order that people and boxes can bring about; after every act the books are asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import AbstractContextManager, suppress
from datetime import datetime, timedelta
from typing import Any, ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import invariant, precondition, rule

from jackpot.adjusting.actions.back_out import back_out, differences
from jackpot.pacing.rules import TryPace
from jackpot.people.actions import presence
from jackpot.people.models import Card
from jackpot.wins.actions.pay import redeem
from jackpot.wins.models import Win
from tables.floor.actions.state import set_table_state
from tables.floor.models.table import Table, TableState
from tables.hits.actions import hit, key
from tables.hits.actions.undo import recount_round, void_round
from tables.rounds.rules.round import CoinInRequest, EndRequest
from tests.races.life_checks import Needs, check_everything
from tests.races.life_scene import CARDS, FEEDS, HANDS, Evenings, attempt, restart
from tests.races.life_story import Chips, Story
from tests.stranger import found_by_all
from tests.undoing import as_a_test

TABLES = st.sampled_from(sorted(FEEDS))
PLAYING = st.runner().flatmap(lambda evening: st.sampled_from(evening.open_at))
HIT = st.runner().flatmap(lambda evening: st.sampled_from(evening.hits_at))
PAIRS = st.permutations(sorted(FEEDS))
SEATS = st.lists(st.integers(1, 7), min_size=1, max_size=7, unique=True).map(
    lambda seats: "".join(map(str, sorted(seats)))
)
FURTHER = st.one_of(st.none(), st.just(""), SEATS)  # who plays a second wager; none: whoever usually does
WHICH = st.sampled_from([0, 0, 0, 1, 2])  # of the rounds with open hits, the newest first
SEAT, HAND, PERSON = st.integers(1, 7), st.sampled_from(HANDS), st.sampled_from(sorted(CARDS))
PEOPLE = st.lists(PERSON, min_size=2, max_size=2)
EXECUTIVES = frozenset({"executive", "second", "marker"})
WRONG_PIN, TRIES = "111111", 3


class PowerCut(Exception):
    """Everything stops, and nothing was committed."""


GUESSES = presence.CARD_TRIES


class Life(Story):
    """One evening, on a database of its own with real commits."""

    evenings: ClassVar[Evenings]

    def __init__(self) -> None:
        super().__init__()
        self.evening: AbstractContextManager[None] = self.evenings.one()
        self.evening.__enter__()
        # Somebody guesses without a rest; how guesses are slowed has tests of its own.
        presence.CARD_TRIES = TryPace("card", free=1_000_000, longest=timedelta(seconds=1))  # type: ignore[misc]
        self.cards = dict(CARDS)
        self.blocked: set[str] = set()
        self.wrong_pins: Counter[str] = Counter()
        self.authority: list[tuple[datetime, str, Any]] = []  # what two people made stricter, and when
        self.acts = 0

    def teardown(self) -> None:
        presence.CARD_TRIES = GUESSES  # type: ignore[misc]
        found = found_by_all()
        self.evening.__exit__(None, None, None)
        assert found == (set(), set(), set()), found

    @invariant()
    def the_books_hold(self) -> None:
        self.acts += 1
        self.tally("steps")
        check_everything(self.house.premises, self.needs_at)
        self.stands_as_told()
        self.look_around()

    # What happens to the house itself

    @precondition(lambda self: self.acts % 6 == 0)
    @rule()
    def everything_is_started_anew(self) -> None:
        self.tally("restarted")
        restart()

    @rule(table=TABLES, seat=SEAT, hand=HAND, back=st.integers(0, 1))
    def the_power_fails_before_the_commit(self, table: str, seat: int, hand: str, back: int) -> None:
        """The evening goes on as if what nobody was answered had never been asked."""
        with suppress(PowerCut), as_a_test():
            number = self.ended(table) + 1
            self.house.say(table, CoinInRequest(number, "1234567"))
            number = self.open_round(table)
            attempt(hit.mark, **self.place(table, number), seat=seat, hand=hand, by="Test Marker")
            attempt(hit.confirm, **self.place(table, number), by="dealer")
            self.house.show_cards(table, number)
            for person in ("executive", "second"):
                self.swiped(table, number, person)
            attempt(void_round, **self.place(table, number - back), by="Test Supervisor", reason="power cut")
            raise PowerCut
        restart()

    # What the table says

    @rule(table=TABLES, seats=SEATS, further=FURTHER)
    def coin_in(self, table: str, seats: str, further: str | None = None) -> None:
        number, chips = self.ended(table) + 1, self.chips(table, seats, further)
        due, said = self.counts(table, chips), self.house.say(table, self.round_of(table, number, seats, further))
        assert said == due, f"{table} {'counted' if said else 'did not count'} round {number}"
        if said:
            self.tally("coin_in")
            self.count(table, number, chips)

    @precondition(lambda self: self.open_at)
    @rule(table=PLAYING, seat=SEAT, hand=HAND)
    def mark(self, table: str, seat: int, hand: str) -> None:
        if (number := self.open_round(table)) and (answer := self.act(hit.mark, table, number, seat=seat, hand=hand)):
            wins_on = [oracle for oracle in self.oracles.values() if oracle.may_win((table, number), seat, hand)]
            assert wins_on, f"seat {seat} has no chip on what pays {hand}"
            for oracle in [] if answer["repeat"] else wins_on:
                oracle.mark((table, number), seat, hand)

    @rule(table=TABLES, seats=SEATS, hand=HAND)
    def several_are_hit(self, table: str, seats: str, hand: str) -> None:
        if not self.open_round(table):
            self.coin_in(table, "1234567")
        for seat in seats:
            self.mark(table, int(seat), hand)

    @rule(pair=PAIRS, seat=SEAT, hands=st.tuples(HAND, HAND), passes=st.booleans())
    def two_tables_collide(self, pair: list[str], seat: int, hands: tuple[str, str], passes: bool) -> None:
        """Two hits within a moment; people then settle them in whatever order."""
        for table, hand in zip(pair, hands, strict=False):
            self.coin_in(table, "1234567")
            self.mark(table, seat, hand)
            self.confirm(table, "dealer")
        if passes:
            self.pass_queue(pair[1], ["executive", "second"])

    @precondition(lambda self: self.open_at)
    @rule(table=PLAYING, seat=SEAT, hand=HAND)
    def unmark(self, table: str, seat: int, hand: str) -> None:
        if (number := self.open_round(table)) and self.act(hit.unmark, table, number, seat=seat, hand=hand):
            for oracle in self.oracles.values():
                oracle.forget((table, number), seat, hand)

    @precondition(lambda self: self.hits_at)
    @rule(table=HIT, by=st.sampled_from(["dealer", "executive"]), which=WHICH)
    def confirm(self, table: str, by: str, which: int = 0) -> None:
        if (number := self.in_question(table, which)) and attempt(hit.confirm, **self.place(table, number), by=by):
            self.tally("confirm")
            self.give_way(table, number)

    @precondition(lambda self: self.hits_at)
    @rule(table=HIT, which=WHICH)
    def reject(self, table: str, which: int = 0) -> None:
        if (number := self.in_question(table, which)) and self.act(hit.reject, table, number, why="a pair"):
            self.tally("reject")
            self.forget_all_but(table, number)

    # What the supervisor does

    @precondition(lambda self: self.hits_at)
    @rule(table=HIT, person=PERSON, shown=st.sampled_from([True, True, True, False]), which=WHICH)
    def card(self, table: str, person: str, *, shown: bool = True, which: int = 0) -> None:
        """What needs the cards of its hand and was not shown is refused; afterwards the books are asked for it."""
        number = self.in_question(table, which)
        if not number:
            return
        if shown:
            self.house.show_cards(table, number)
        asked, waits_for_key = self.asked(table, number), self.waits_for_key(table, number)
        valid, answer = self.counts_as_a_word([person]), self.swiped(table, number, person)
        assert valid or not answer, "a card that is locked or blocked approved"
        if answer and answer["missing"] is None:
            self.approved(table, number, asked, answer["wins"], moves=not waits_for_key)

    @precondition(lambda self: self.hits_at)
    @rule(table=HIT, person=st.sampled_from(["marker", "second"]), pin=st.sampled_from(["", WRONG_PIN]))
    def a_cloned_card(self, table: str, person: str, pin: str) -> None:
        """Whoever has the card and not its PIN approves nothing; three guesses lock it, also for its owner, and a
        blocked one too."""
        if number := self.in_question(table, 0):
            self.wrong_pins[person] += pin != ""
            assert attempt(hit.swipe, **self.place(table, number), card=self.cards[person][0], pin=pin) is None

    @precondition(lambda self: self.hits_at)
    @rule(table=HIT, which=WHICH)
    def everybody_approves(self, table: str, which: int = 0) -> None:
        """The whole way from the marks to the award, as most hits go."""
        self.confirm(table, "dealer", which)
        for person in ("supervisor", "executive", "second"):
            self.card(table, person, which=which)

    @precondition(lambda self: self.hits_at)
    @rule(order=PAIRS, backs=st.integers(0, 3), seen=st.booleans())
    def the_floor_is_settled(self, order: list[str], backs: int, seen: bool) -> None:
        """Every open hit is approved or rejected, the key comes back; then some wins are backed out."""
        for table in (*order, *order):
            self.everybody_approves(table)
        self.turn("17", "RUN")
        self.turn("18", "RUN")
        for table in order:
            self.everybody_approves(table)
            for _ in self.house.in_question(table):
                self.reject(table)
        for which in range(backs):
            self.redeem(which + 1, "cage")
            self.back_out(which, seen, "executive")

    @rule(key_number=st.sampled_from(["17", "18", "99"]), position=st.sampled_from(["JPH", "RUN"]))
    def turn(self, key_number: str, position: str) -> None:
        number = self.open_round("T-4")
        answer = attempt(key.turn, table_code="T-4", key_number=key_number, position=position)
        if answer and position == "RUN" and answer["wins"]:
            self.key_is_back(number, answer["wins"])
        elif answer and number:
            self.give_way("T-4", number)

    @rule()
    def j_pot(self) -> None:
        number = self.open_round("T-4")
        self.house.show_cards("T-4", number)
        asked = self.asked("T-4", number) if number else {}
        answer = attempt(key.j_pot, table_code="T-4")
        if answer and answer["missing"] is None and not answer.get("repeat"):
            self.approved("T-4", number, asked, answer["wins"], moves=False)

    @rule(hand=HAND, seats=SEATS, back=st.booleans())
    def a_win_by_the_key(self, hand: str, seats: str, back: bool) -> None:
        self.coin_in("T-4", "1234567")
        self.several_are_hit("T-4", seats[:2], hand)
        self.turn("18", "JPH")
        self.j_pot()
        if back:
            self.turn("18", "RUN")

    @precondition(lambda self: self.hits_at)
    @rule(table=HIT, people=PEOPLE, which=WHICH)
    def pass_queue(self, table: str, people: list[str], which: int = 0) -> None:
        if number := self.in_question(table, which):
            told = {**self.place(table, number), "cards": [self.cards[person] for person in people]}
            valid = self.two_decide(people)
            answer = attempt(hit.pass_queue, **told, reason="the first winner left")
            assert valid or not answer, f"{people} changed the order"
            if answer:
                self.tally("pass_queue")

    # What is undone, paid, held

    @rule(table=TABLES, back=st.integers(0, 2))
    def void(self, table: str, back: int) -> None:
        last = self.house.last_round(table)
        number = (last.number if last else 0) - back
        told = {**self.place(table, number), "by": "Test Supervisor", "reason": "shuffler malfunction"}
        answer = attempt(void_round, **told)
        if answer and not answer["repeat"]:
            self.tally("void")
            self.take_back(table, number)
            self.forget_all_but(table, number)

    @precondition(lambda self: self.open_at)
    @rule(table=PLAYING, seats=SEATS, further=FURTHER)
    def recount(self, table: str, seats: str, further: str | None) -> None:
        if number := self.open_round(table):
            asked = self.round_of(table, number, seats, further)
            told = {"by": "Test Supervisor", "seats": seats, "spots": "", "further": asked.further}
            answer = attempt(recount_round, **self.place(table, number), **told)
            if answer and not answer["repeat"]:
                self.tally("recount")
                self.take_back(table, number)
                self.count(table, number, self.chips(table, seats, further))

    @precondition(lambda self: self.won)
    @rule(slip=st.integers(1, 9), payer=st.sampled_from(["cage", "other", "executive", "second"]))
    def redeem(self, slip: int, payer: str) -> None:
        if attempt(redeem, slip=slip, payer=self.house.people[payer]):
            self.tally("paid")

    @precondition(lambda self: self.won)
    @rule(which=st.integers(0, 11), seen=st.booleans(), second=st.sampled_from(["other", "cage", "executive"]))
    def back_out(self, which: int, seen: bool, second: str) -> None:
        wins = list(Win.objects.exclude(number=None).order_by("-number"))
        if not wins:
            return
        win = wins[which % len(wins)]
        later, stood = differences(win), win.state
        people = {"requested_by": self.house.people["other"], "approved_by": self.house.people[second]}
        told = {"reason": "misdeal", "evidence": "camera 7", "differences_seen": seen, **people}
        if attempt(back_out, win_id=win.id, **told):
            self.tally(f"backed out while {stood}")
            assert seen or not later
            self.unmove(win, paid=stood == "paid")

    @rule(table=TABLES)
    def hold_and_open(self, table: str) -> None:
        """Nothing is counted while a table is held, and everything afterwards."""
        row, before = Table.objects.get(code=table), self.house.stands()
        set_table_state(table=row, state=TableState.HELD, by="tests", why="a look")
        assert not self.house.say(table, CoinInRequest(self.ended(table) + 1, "123"))
        assert self.house.stands() == before
        set_table_state(table=row, state=TableState.OPEN, by="tests")

    # How it is done

    def needs_at(self, moment: datetime) -> Needs:
        return Needs.of(self.house.premises, self.authority, moment)

    def counts(self, table: str, chips: Chips) -> bool:
        """Whether the next COIN IN must be counted: no round open, no key at JPH, and every jackpot it feeds plays."""
        plays = {self.states[code] for code in chips} == {"open"}
        return plays and not self.open_round(table) and not Table.objects.get(code=table).key_at_jph

    def waits_for_key(self, table: str, number: int) -> bool:
        """What is approved with the key at JPH moves when the key comes back, unless its round is over."""
        return number == self.open_round(table) and bool(Table.objects.get(code=table).key_at_jph)

    def counts_as_a_word(self, people: Sequence[str]) -> bool:
        """Whether all these cards are good; the right PIN of a good one begins the count of wrong ones anew."""
        for person in people:
            if person in self.blocked or self.wrong_pins[person] >= TRIES:
                return False
            self.wrong_pins[person] = 0
        return True

    def two_decide(self, people: Sequence[str]) -> bool:
        """An executive and a second, different person, each with a good card."""
        return self.counts_as_a_word(people) and len(set(people)) == 2 and bool(set(people) & EXECUTIVES)

    def ended(self, table: str) -> int:
        """The last round, which may still be open when a hit is, or with the key at JPH."""
        last = self.house.last_round(table)
        if last is None:
            return 0
        stays = last.state == "open" and (last.open_hits or Table.objects.get(code=table).key_at_jph)
        assert self.house.say(table, EndRequest(last.number)) is not bool(stays), f"END of {last} at {table}"
        return last.number

    def card_of(self, person: str) -> Card:
        card = presence.card_numbered(self.cards[person][0])
        assert card is not None, "every person has a card"
        return card

    def swiped(self, table: str, number: int, person: str) -> Any:
        number_on_it, pin = self.cards[person]
        return attempt(hit.swipe, **self.place(table, number), card=number_on_it, pin=pin, at_table=True)
