"""What later winners would have had without a win: the same evening is played once more, and that win does not happen.

Going through the books again (`BooksWithout`) must say what the product itself pays where the hit was never there:
limits, voids of rounds whose chips a limit had cut, house advances and what repaid them, rows that another row lifts.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from random import Random
from typing import Any, NamedTuple

import pytest
from django.db import transaction

from jackpot.adjusting.actions.back_out import differences
from jackpot.wins.models import Win
from tables.hits.actions.undo import void_round
from tests.builders import a_pay_table
from tests.scenes_adjusting import done
from tests.scenes_owed import OwedFloor
from tests.undoing import as_a_test

pytestmark = pytest.mark.django_db

EVENINGS = int(os.environ.get("FAIRMETER_TWINS", "1"))  # for each set of switches
LINES = [
    {"code": "royal", "name": "Royal flush", "part": "1"},
    {"code": "six", "name": "A hundred and ten", "for_one": 110},
    {"code": "five", "name": "A third", "part": "1/3"},
    {"code": "four", "name": "Four of a kind", "for_one": 60},
    {"code": "two", "name": "Two pair", "for_one": 7},
]
HOUSE = {"meter": "500.00", "reserve": "20.00", "seed": "200.00", "rate": "70", "reserve_rate": "5"}
SETS: dict[str, dict[str, Any]] = {
    "reference": {}, "limit": {"limit": "520.00"},
    "limit, revenue": {"limit": "505.00", "policy": {"overflow": "revenue", "order": "clockwise"}},
    "dry meter": {"meter": "230.00", "policy": {"dry_meter": "restart"}, "repay_rate": "50"},
    "dry meter at a limit": {"meter": "230.00", "limit": "260.00", "repay_rate": "100",
                             "policy": {"dry_meter": "restart", "shortfall": "house"}},
    "never less": {"policy": {"row": "never_less"}},
    "never less, shares, limit": {"limit": "510.00", "policy": {"row": "never_less", "order": "equal_shares"}},
    "all of it": {"limit": "300.00", "repay_rate": "25", "meter": "290.00",
                  "policy": {"row": "never_less", "dry_meter": "restart", "overflow_at_reset": "all"}},
}  # fmt: skip


class Step(NamedTuple):
    """One thing of an evening: what, how many chips or which hands."""

    do: str
    chips: int = 0
    hands: dict[int, str] = {}


def story_by(chance: Random) -> list[Step]:
    told = []
    for _ in range(chance.randint(9, 16)):
        do = chance.choice(["play", "play", "win", "win", "open", "void", "adjust"])
        seats = chance.sample(range(1, 8), chance.choice([1, 1, 2]))
        hands = {seat: chance.choice(["royal", "six", "five", "five", "four", "four", "two"]) for seat in seats}
        told.append(Step("win", hands=hands) if do == "win" else Step(do, chance.randint(3, 40)))
    return [*told, Step("win", hands={3: "five"}), Step("win", hands={2: "six"}), Step("win", hands={5: "royal"})]


VOIDED = [Step("open", 7), Step("void"), Step("open", 7), Step("void")]
# What chance alone seldom leads to; the first win is the one that did not happen.
LED: dict[str, tuple[str, list[Step]]] = {
    "a voided round that a limit would have cut": ("limit", [
        Step("play", 40), Step("win", hands={1: "five"}), *VOIDED, Step("win", 2, {2: "five"}),
    ]),
    "a voided round that a limit had cut": ("limit", [
        Step("win", hands={1: "five"}), Step("play", 7), Step("adjust", 200), *VOIDED,
        Step("win", hands={2: "five"}),
    ]),
    "an advance that was repaid and would not have been lent": ("dry meter", [
        Step("win", hands={1: "six", 2: "six", 3: "six"}), Step("play", 35), Step("win", hands={4: "five"}),
    ]),
    "two advances, of which the other course has one": ("dry meter", [
        Step("win", hands={1: "six"}), Step("win", hands={1: "six"}), Step("play", 14), Step("win", hands={2: "six"}),
        Step("win", hands={3: "six"}), Step("play", 35), Step("open", 7), Step("void"), Step("win", hands={4: "five"}),
    ]),
    "a repayment that only the other course makes, to its end": ("dry meter", [
        Step("adjust", -150), Step("win", hands={1: "royal"}), Step("win", hands={2: "six"}), *VOIDED,
        Step("play", 600), Step("win", hands={4: "five"}),
    ]),
    "a fixed row that a part lifts": ("never less", [
        Step("win", hands={1: "five"}), Step("win", hands={2: "six"}), Step("play", 20), Step("win", hands={3: "six"}),
    ]),
}  # fmt: skip


class Played:
    """An evening on a floor of three tables; rounds that stay open at the third may be voided later."""

    def __init__(self, told: dict[str, Any]) -> None:
        self.floor = OwedFloor(3, pay_table=a_pay_table(source="meter", lines=LINES), **{**HOUSE, **told})
        self.wins: dict[tuple[int, int], Win] = {}
        self.open = 0

    def play(self, story: Sequence[Step], without: int | None = None) -> None:
        for number, step in enumerate(story):
            if step.do == "win":
                self._won(number, step.hands if number != without else {}, step.chips or 7)
            elif step.do == "open" and not self.open:
                self.floor.coin_ins(min(step.chips, 7), table=2, ends=False)
                self.open = self.floor.rounds[2]
            elif step.do == "void" and self.open:
                void_round(table_code="UTH-03", round_number=self.open, reason="shuffler jam", by="supervisor")
                self.open = 0
            elif step.do == "adjust":
                done("adjust", self.floor.jackpot, amount=f"{step.chips}.00")
            elif step.do == "play":
                self.floor.coin_ins(step.chips, table=1)

    def _won(self, number: int, hands: dict[int, str], chips: int) -> None:
        if not hands:
            self.floor.coin_ins(chips)
            return
        for win in self.floor.won(hands, seats="1234567"[:chips]):
            self.wins[number, win.seat] = win


@contextmanager
def forgotten() -> Iterator[None]:
    with as_a_test():
        yield
        transaction.set_rollback(True)


def paid_without(told: dict[str, Any], story: Sequence[Step], number: int | None) -> dict[tuple[int, int], str]:
    with forgotten():
        played = Played(told)
        played.play(story, without=number)
        return {key: str(win.amount_money) for key, win in played.wins.items()}


@pytest.mark.parametrize("evening", range(EVENINGS))
@pytest.mark.parametrize("name", SETS)
def test_without_a_win_the_others_are_what_they_are_where_it_never_was(name: str, evening: int) -> None:
    story = story_by(Random(f"{name}/{evening}"))
    number = next(at for at, step in enumerate(story) if step.do == "win")
    seat, hand = next(iter(story[number].hands.items()))
    story[number] = Step("win", hands={seat: hand})
    compared(SETS[name], story, number)


@pytest.mark.parametrize("name", LED)
def test_without_a_win_what_chance_seldom_leads_to_is_exact_too(name: str) -> None:
    switches, story = LED[name]
    compared(SETS[switches], story, next(at for at, step in enumerate(story) if step.do == "win"))


def compared(told: dict[str, Any], story: Sequence[Step], number: int) -> None:
    """Of several hands in its round only the lowest seat's is left out."""
    seat = min(story[number].hands)
    others = {each: hand for each, hand in story[number].hands.items() if each != seat}
    other = [*story[:number], Step("win", hands=others), *story[number + 1 :]]
    without = paid_without(told, other, None if others else number)
    played = Played(told)
    played.play(story)
    found = {each.win.pk: each for each in differences(played.wins[number, seat])}
    later = [(key, win) for key, win in played.wins.items() if key[0] > number]
    assert later
    for key, win in later:
        would_be = str(found[win.pk].would_be) if win.pk in found else str(win.amount_money)
        assert would_be == without[key], f"{key} {win.line}: {would_be}, not {without[key]}; {story}"
