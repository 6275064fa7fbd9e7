"""Rank, frozen entry and basis of every award, told again from the entries alone, whatever people did before."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jackpot.books.models.entry import Entry
from jackpot.money import units_of
from jackpot.refusals import Refused
from jackpot.wins.models import Win
from tables.hits.actions import hit
from tables.hits.actions.undo import recount_round, void_round
from tables.rounds.rules.round import EndRequest
from tests.builders import AT_BOX, CARD_PIN, a_pay_table
from tests.tables.hits.test_hit import EXECUTIVE, REF_B, SUPERVISOR, Floor, ref_b
from tests.undoing import as_a_test

pytestmark = pytest.mark.django_db

CENT = 10**6
LINES = [*REF_B, {"code": "full_house", "name": "Full house", "for_one": 10, "source": "meter", "envy": "5.00"}]
CARDS = [(EXECUTIVE, "274916"), (SUPERVISOR, CARD_PIN)]
HANDS = ["royal", "straight_flush", "full_house"]
VERBS = ["mark", "mark", "mark", "unmark", "confirm", "reject", "pass", "rejoin", "pay", "void", "recount"]
STEPS = st.tuples(st.sampled_from(VERBS), st.integers(0, 2), st.integers(1, 3), st.sampled_from(HANDS))
Round = tuple[str, int]


@dataclass
class Told:
    """One jackpot's story: what stands, where it is frozen, who was let pass; plain numbers, no rule of ours."""

    meter: dict[int, int] = field(default_factory=dict)
    standing: dict[int, int] = field(default_factory=dict)  # win: its mark
    frozen: dict[int, int] = field(default_factory=dict)
    front: dict[int, int] = field(default_factory=dict)
    moved: list[tuple[int, int]] = field(default_factory=list)  # by acts that hold a part
    checked: int = 0

    def round_of(self, wins: dict[int, Win], place: Round) -> list[int]:
        return [id_ for id_ in self.standing if _place(wins[id_]) == place and wins[id_].part]

    def entry(self, entry: Entry, wins: dict[int, Win]) -> None:
        self.meter[entry.seq] = units_of(entry.meter_after)
        id_ = entry.win_id or 0
        match entry.kind:
            case "mark":
                self.standing[id_] = self.frozen[id_] = entry.seq
            case "unmark" | "reject" | "fall" | "outrank":
                self.standing.pop(id_)
                self.front.pop(id_, None)
            case "pass_queue":
                self.front[id_] = entry.seq
            case "rejoin":
                self.front.pop(id_)
            case "award":
                self.award(entry, wins)

    def award(self, entry: Entry, wins: dict[int, Win]) -> None:
        win = wins[entry.win_id or 0]
        act = [each for each in wins.values() if _place(each) == _place(win) and each.logged_at == win.logged_at]
        parts = [each.id for each in act if each.part]
        if parts:
            frozen = min(self.frozen[id_] for id_ in parts)
            self.is_next(parts, wins)
            if win.part:
                basis = self.meter[frozen] + sum(units for seq, units in self.moved if seq > frozen)
                assert win.record.basis is not None
                assert win.record.basis.units == basis // CENT * CENT
                self.checked += 1
            assert win.frozen_seq == frozen
            self.moved.append((entry.seq, units_of(entry.meter)))
        if entry.seq == max(each.award_seq or 0 for each in act):
            self.is_over(act, parts)

    def is_next(self, parts: list[int], wins: dict[int, Win]) -> None:
        """Nobody of the others was to be settled first."""
        mine, rank = _place(wins[parts[0]]), min(self.standing[id_] for id_ in parts)
        front = max((self.front.get(id_, 0) for id_ in parts), default=0)
        for place in {_place(wins[id_]) for id_ in self.standing} - {mine}:
            others = self.round_of(wins, place)
            if others:
                theirs = max(self.front.get(id_, 0) for id_ in others)
                assert (front, -rank) > (theirs, -min(self.standing[id_] for id_ in others))

    def is_over(self, act: list[Win], parts: list[int]) -> None:
        """Whoever was passed counts from where the passing act counted."""
        if any(self.front.get(id_) for id_ in parts):
            frozen = min(self.frozen[id_] for id_ in parts)
            self.frozen = {id_: max(seq, frozen) for id_, seq in self.frozen.items()}
        for win in act:
            self.standing.pop(win.id, None)
            self.front.pop(win.id, None)


def _place(win: Win) -> Round:
    return win.table_code, win.round_number


def acted(floor: Floor, verb: str, table: int, seat: int, hand: str) -> None:
    place = floor.place(table)
    told = {**place, "seat": seat, "hand": hand, "by": "Test Dealer"}
    match verb:
        case "mark":
            hit.mark(**told)
        case "unmark":
            hit.unmark(**told)
        case "confirm":
            hit.confirm(**place, by="Test Supervisor")
        case "reject":
            hit.reject(**place, by="Test Supervisor", why="a pair")
        case "pass":
            hit.pass_queue(**place, cards=CARDS, reason="the first winner left")
        case "rejoin":
            hit.rejoin_queue(**place, cards=CARDS, reason="the first winner is back")
        case "pay":
            hit.swipe(**place, card=EXECUTIVE, pin="274916", at_table=True, source=AT_BOX)
        case "void":
            void_round(**place, reason="shuffler malfunction", by="Test Supervisor")
        case "recount":
            recount_round(**place, seats="123"[:seat], spots="", by="Test Supervisor")


def played(steps: list[tuple[str, int, int, str]]) -> Floor:
    """Refusals are part of the evening. A round that is over makes room for the next one; table 4 plays beside."""
    floor = ref_b(4, meter="20000.00", reserve="617.25", pay_table=a_pay_table(lines=LINES))
    floor.casino.premises.cards_required = False
    floor.casino.premises.save()
    for table in range(3):
        floor.coin_in("123", table)
    for number, (verb, table, seat, hand) in enumerate([*steps, *(("confirm", at, 1, "") for at in range(3))]):
        with suppress(Refused), as_a_test():
            acted(floor, verb, table, seat, hand)
        floor.coin_ins(1 + number % 3, 3)
        if verb == "void":
            floor.say(EndRequest(floor.rounds[table]), table)
            floor.coin_in("123", table)
    for table in (0, 1, 2, 0, 1, 2, 0, 1, 2):
        with suppress(Refused), as_a_test():
            acted(floor, "pay", table, 1, "")
    return floor


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(STEPS, min_size=8, max_size=30))
def test_every_award_counts_from_what_the_entries_say(steps: list[tuple[str, int, int, str]]) -> None:
    with as_a_test():
        floor = played(steps)
        wins = {win.id: win for win in Win.objects.filter(jackpot=floor.casino.jackpot)}
        told = Told()
        for entry in Entry.objects.filter(jackpot=floor.casino.jackpot).order_by("seq"):
            told.entry(entry, wins)
        assert told.checked == sum(win.part and win.award_seq is not None for win in wins.values())
        transaction.set_rollback(True)


def test_an_evening_with_all_of_it_reaches_what_the_rule_is_about() -> None:
    """V21, a chain of overrides and a withdrawal in one evening: five awards, each told again."""
    floor = played(
        [
            ("mark", 1, 1, "royal"), ("unmark", 1, 1, "royal"), ("mark", 0, 1, "royal"), ("recount", 1, 2, ""),
            ("mark", 1, 2, "royal"), ("mark", 2, 3, "full_house"), ("mark", 2, 1, "straight_flush"),
            ("confirm", 0, 1, ""), ("confirm", 1, 1, ""), ("confirm", 2, 1, ""), ("pass", 1, 1, ""), ("pay", 0, 1, ""),
            ("pass", 2, 1, ""), ("rejoin", 2, 1, ""), ("pass", 2, 1, ""), ("pay", 2, 1, ""), ("pay", 1, 1, ""),
        ]
    )  # fmt: skip
    wins = {win.id: win for win in Win.objects.all()}
    told = Told()
    for entry in Entry.objects.order_by("seq"):
        told.entry(entry, wins)
    assert (told.checked, Win.objects.filter(part=True, front_seq__isnull=False).count()) == (3, 2)
    assert floor.stands()[0] > "10000"
