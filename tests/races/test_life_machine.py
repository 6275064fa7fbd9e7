"""The whole life of wins, in any order that people and boxes can bring about; after every act the books are asked.

FAIRMETER_LIFE=deep plays more than 20,000 acts; without it a short walk through every set of switches.
"""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from typing import Any, ClassVar

import pytest
from django.db import connection, transaction
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from jackpot.actions import configure as deciding
from jackpot.actions.configure import Wish
from jackpot.actions.win.back_out import back_out, differences
from jackpot.actions.win.pay import redeem
from jackpot.models import Change, Jackpot, Win
from jackpot.money import units_of
from tables.actions import configure, hit, key
from tables.actions.floor import set_table_state
from tables.actions.prove import prove
from tables.actions.undo import recount_round, void_round
from tables.models import RoundState, Table, TableState
from tables.rules.round import AskCoinIn, AskEnd
from tests.races.life_checks import check_everything
from tests.races.life_oracle import Frozen, Moved, Paid
from tests.races.life_scene import CARDS, HANDS, POLICIES, UNIT, House, attempt

DEEP = os.environ.get("FAIRMETER_LIFE") == "deep"
TABLES = st.sampled_from(["T-1", "T-2", "T-3", "T-4"])
PAIRS = st.permutations(["T-1", "T-2", "T-3", "T-4"])
SEATS = st.lists(st.integers(1, 7), min_size=1, max_size=7, unique=True).map(
    lambda seats: "".join(map(str, sorted(seats)))
)
SEAT, HAND, PERSON = st.integers(1, 7), st.sampled_from(HANDS), st.sampled_from(sorted(CARDS))

Asked = dict[str, tuple[list[tuple[int, str]], Frozen]]


class Life(RuleBasedStateMachine):
    """One evening. The oracles tell every jackpot's story a second time."""

    house: ClassVar[House]
    reached: ClassVar[Counter[str]] = Counter()

    def __init__(self) -> None:
        super().__init__()
        self.savepoint = transaction.atomic()
        self.savepoint.__enter__()
        self.oracles = self.house.oracles()
        self.counted: dict[tuple[str, int], dict[str, Moved]] = {}
        self.fixed: dict[str, tuple[Asked, list[dict[str, Any]]]] = {}
        self.moved: dict[int, tuple[str, Moved]] = {}

    def teardown(self) -> None:
        verdict = prove()
        connection.check_constraints()
        transaction.set_rollback(True)
        self.savepoint.__exit__(None, None, None)
        assert verdict.holds, verdict.plain()

    @invariant()
    def the_books_hold(self) -> None:
        self.tally("steps")
        check_everything(self.house.premises)
        if self.house.knows_order:
            told = {
                code: (oracle.meter, oracle.reserve, oracle.overflow, oracle.house)
                for code, oracle in self.oracles.items()
            }
            assert self.house.stands() == told

    # What the table says

    @rule(table=TABLES, seats=SEATS)
    def coin_in(self, table: str, seats: str) -> None:
        number = self.ended(table) + 1
        if self.house.say(table, AskCoinIn(number, seats)):
            self.tally("coin_in")
            self.count(table, number, seats)

    def ended(self, table: str) -> int:
        """The last round, which may still be open when a hit is."""
        last = self.house.last_round(table)
        if last is None:
            return 0
        self.house.say(table, AskEnd(last.number))
        return last.number

    @rule(table=TABLES, seat=SEAT, hand=HAND)
    def mark(self, table: str, seat: int, hand: str) -> None:
        if (number := self.open_round(table)) and (answer := self.act(hit.mark, table, number, seat=seat, hand=hand)):
            for code in [] if answer["repeat"] else self.house.jackpots_of(table):
                if hand in self.oracles[code].rules.lines:
                    self.oracles[code].mark((table, number), seat, hand)

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

    @rule(table=TABLES, seat=SEAT, hand=HAND)
    def unmark(self, table: str, seat: int, hand: str) -> None:
        if (number := self.open_round(table)) and self.act(hit.unmark, table, number, seat=seat, hand=hand):
            for oracle in self.oracles.values():
                oracle.forget((table, number), seat, hand)

    @rule(table=TABLES, by=st.sampled_from(["dealer", "executive"]))
    def confirm(self, table: str, by: str) -> None:
        if (number := self.open_round(table)) and attempt(hit.confirm, **self.place(table, number), by=by):
            self.tally("confirm")
            self.give_way(table, number)

    @rule(table=TABLES)
    def reject(self, table: str) -> None:
        if (number := self.open_round(table)) and self.act(hit.reject, table, number, why="a pair"):
            self.tally("reject")
            self.forget_all_but(table, number)

    # What the supervisor does

    @rule(table=TABLES, person=PERSON)
    def card(self, table: str, person: str) -> None:
        number = self.open_round(table)
        if not number:
            return
        self.house.show_cards(table, number)
        asked, at_jph = self.asked(table, number), Table.objects.get(code=table).key_at_jph
        swiped, pin = CARDS[person]
        answer = attempt(hit.swipe, **self.place(table, number), card=swiped, pin=pin)
        if answer and answer["missing"] is None:
            self.approved(table, number, asked, answer["wins"], moves=not at_jph)

    @rule(table=TABLES)
    def everybody_approves(self, table: str) -> None:
        """The whole way from the marks to the award, as most hits go."""
        self.confirm(table, "dealer")
        self.card(table, "supervisor")
        self.card(table, "executive")
        self.card(table, "second")

    @rule(order=PAIRS, backs=st.integers(0, 3), seen=st.booleans())
    def the_floor_is_settled(self, order: list[str], backs: int, seen: bool) -> None:
        """Every open hit is approved or rejected, the key comes back; then some wins are backed out."""
        for table in (*order, *order):
            self.everybody_approves(table)
        self.turn("17", "RUN")
        self.turn("18", "RUN")
        for table in order:
            self.everybody_approves(table)
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
        asked = self.asked("T-4", number) if number else {}
        self.house.show_cards("T-4", number)
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

    @rule(table=TABLES, people=st.lists(PERSON, min_size=2, max_size=2))
    def pass_queue(self, table: str, people: list[str]) -> None:
        cards = [CARDS[person] for person in people]
        if number := self.open_round(table):
            told = self.place(table, number)
            if attempt(hit.pass_queue, **told, cards=cards, reason="the first winner left"):
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

    @rule(table=TABLES, seats=SEATS)
    def recount(self, table: str, seats: str) -> None:
        if number := self.open_round(table):
            told = {**self.place(table, number), "by": "Test Supervisor", "seats": seats, "spots": ""}
            answer = attempt(recount_round, **told)
            if answer and not answer["repeat"]:
                self.tally("recount")
                self.take_back(table, number)
                self.count(table, number, seats)

    @rule(slip=st.integers(1, 9), payer=st.sampled_from(["cage", "other", "executive", "second"]))
    def redeem(self, slip: int, payer: str) -> None:
        if attempt(redeem, slip=slip, payer=self.house.people[payer]):
            self.tally("paid")

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

    @rule(rate=st.sampled_from(["50", "60", "70"]), seed=st.sampled_from(["9000.00", "10000.00", "12000.00"]))
    def other_terms(self, rate: str, seed: str) -> None:
        """Two people sign another rate and another seed; the next reset is to begin with them."""
        asker, signer = self.house.configurers
        grand = Jackpot.objects.get(code="GRAND")
        wish = Wish(configure.wished_terms(grand, {"rate": rate, "seed": seed}), "the season")
        if (change := attempt(configure.draft, jackpot=grand, wish=wish, by=asker)) is None:
            return
        deciding.freeze_preview(change_id=change.pk, findings=[], figures=[], by=asker)
        if attempt(configure.approve, change=change, by=signer):
            self.tally("other terms wait")
            rules = self.oracles["GRAND"].rules
            self.oracles["GRAND"].waits = replace(rules, rate=Fraction(rate) / 100, seed=int(Fraction(seed) * UNIT))

    @rule()
    def as_they_were(self) -> None:
        """What waits is withdrawn."""
        waits = Change.objects.filter(state="waiting").first()
        if waits and attempt(configure.withdraw, change=waits, why="not yet", by=self.house.configurers[0]):
            self.tally("other terms withdrawn")
            self.oracles["GRAND"].waits = None

    @rule(table=TABLES)
    def hold_and_open(self, table: str) -> None:
        """Nothing is counted while a table is held, and everything afterwards."""
        row, before = Table.objects.get(code=table), self.house.stands()
        set_table_state(table=row, state=TableState.HELD, by="tests", why="a look")
        assert not self.house.say(table, AskCoinIn(self.ended(table) + 1, "123"))
        assert self.house.stands() == before
        set_table_state(table=row, state=TableState.OPEN, by="tests")

    # The story told to the oracles

    def act(self, done: Any, table: str, number: int, **told: Any) -> Any:
        return attempt(done, **self.place(table, number), by="Test Marker", **told)

    def place(self, table: str, number: int) -> dict[str, Any]:
        return {"table_code": table, "round_number": number}

    def tally(self, what: str) -> None:
        Life.reached[what] += 1

    def open_round(self, table: str) -> int:
        last = self.house.last_round(table)
        return last.number if last is not None and last.state == RoundState.OPEN else 0

    def count(self, table: str, number: int, seats: str) -> None:
        counted = {code: self.oracles[code].coin_in(len(seats)) for code in self.house.jackpots_of(table)}
        self.counted[table, number] = counted

    def take_back(self, table: str, number: int) -> None:
        for code, moved in self.counted[table, number].items():
            self.oracles[code].undo(moved)

    def asked(self, table: str, number: int) -> Asked:
        """Per jackpot: the hits that are asked for, and from where they count."""
        hits: dict[str, list[tuple[int, str]]] = {}
        for win in self.house.hits(table, number, "asked"):
            hits.setdefault(win.jackpot.code, []).append((win.seat, win.line))
        return {code: (found, self.oracles[code].frozen((table, number), found)) for code, found in hits.items()}

    def give_way(self, table: str, number: int) -> None:
        self.forget_all_but(table, number, "marked", "asked", "logged")

    def forget_all_but(self, table: str, number: int, *states: str) -> None:
        there = {(win.jackpot.code, win.seat, win.line) for win in self.house.hits(table, number, *states)}
        for code, oracle in self.oracles.items():
            for place, seat, line in list(oracle.marks):
                if place == (table, number) and (code, seat, line) not in there:
                    oracle.forget(place, seat, line)

    def approved(self, table: str, number: int, asked: Asked, wins: list[dict[str, Any]], *, moves: bool) -> None:
        self.tally("approved")
        for jackpot, each in self.reckoned(table, number, asked):
            self.is_as_reckoned(wins, jackpot, each)
        if moves:
            self.tell(table, number, asked, wins)
        else:
            self.fixed[table] = asked, wins

    def key_is_back(self, number: int, wins: list[dict[str, Any]]) -> None:
        asked, fixed = self.fixed.pop("T-4")
        told = {win["win"]: win["amount"] for win in fixed}
        assert {win["win"]: win["amount"] for win in wins}.items() <= told.items()
        self.tell("T-4", number, asked, wins)

    def reckoned(self, table: str, number: int, asked: Asked) -> list[tuple[str, list[Paid]]]:
        seats = [int(seat) for seat in self.seats(table, number)] if self.house.knows_order else []
        if not self.house.knows_order:
            return []
        return [(code, self.oracles[code].awards(hits, point, seats)) for code, (hits, point) in asked.items()]

    def seats(self, table: str, number: int) -> str:
        last = self.house.last_round(table)
        assert last is not None
        assert last.number == number
        return last.seats

    def is_as_reckoned(self, wins: list[dict[str, Any]], jackpot: str, paid: list[Paid]) -> None:
        mine = [win for win in wins if win["jackpot"] == jackpot]
        told = [(win["seat"], win["hand"], int(Fraction(win["amount"]) * UNIT)) for win in mine]
        assert told == [(each.seat, each.line, each.amount) for each in paid]

    def tell(self, table: str, number: int, asked: Asked, wins: list[dict[str, Any]]) -> None:
        self.tally("moved")
        front = Win.objects.filter(table_code=table, round_number=number, front=True).exists()
        for jackpot, paid in self.reckoned(table, number, asked):
            numbers = [win["win"] for win in wins if win["jackpot"] == jackpot]
            for win, each in zip(numbers, paid, strict=True):
                if each.resets:
                    self.oracles[jackpot].came_into_force(win)
                self.moved[win] = jackpot, self.oracles[jackpot].tell(each.moved)
            if front:
                self.freeze_anew(jackpot, asked[jackpot][1])
        self.forget_all_but(table, number, "marked", "asked", "logged")

    def freeze_anew(self, jackpot: str, point: Frozen) -> None:
        """What was passed counts from where the passing hit counted."""
        marks = self.oracles[jackpot].marks
        for name, mark in marks.items():
            if mark.index < point.index:
                marks[name] = point

    def unmove(self, win: Win, *, paid: bool) -> None:
        assert win.number is not None
        if win.number not in self.moved:
            return
        jackpot, moved = self.moved.pop(win.number)
        self.oracles[jackpot].step_back(win.number)
        again = units_of(win.amount) if paid and win.amount is not None else 0
        self.oracles[jackpot].undo(Moved(moved.meter, moved.reserve, moved.overflow, moved.house + again))


@pytest.mark.django_db
@pytest.mark.race
@pytest.mark.timeout(3600 if DEEP else 120)
@pytest.mark.parametrize("policy", POLICIES)
def test_whatever_happens_to_wins_the_books_hold(policy: str, record_property: Any) -> None:
    Life.house = House(policy)
    walk = Life if DEEP else seed(sorted(POLICIES).index(policy))(Life)
    run_state_machine_as_test(
        walk,
        settings=settings(
            max_examples=76 if DEEP else 3, stateful_step_count=60 if DEEP else 30, deadline=None,
            suppress_health_check=list(HealthCheck), database=None, print_blob=True,
            phases=(Phase.generate,),
        ),
    )  # fmt: skip
    record_property("reached", dict(Life.reached))
