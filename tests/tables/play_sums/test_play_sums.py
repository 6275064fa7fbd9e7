"""Sums beside the rounds: whatever people do, in any order, they say what the rounds come to."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounting.days.actions.writing import count_chips
from accounting.days.queries.columns import lines_of, summed_on
from accounting.days.queries.fees import fees_between
from accounting.days.rules.reconcile import CloseColumn, LineState
from accounting.reports.queries.asking import clock_of
from accounting.reports.queries.catalogue import REPORTS
from accounting.reports.queries.frame import report_page
from accounting.reports.rules.asking import read_question
from jackpot.configuring.actions.house_rules import declare_shifts
from jackpot.money import Money
from jackpot.property.models.property import Property
from jackpot.property.rules.shift import ShiftHours, ShiftPlan
from jackpot.refusals import Refused
from tables.floor.models.device import Device, DeviceState
from tables.floor.models.table import Table
from tables.floor.rules.collection import CollectionRule, FeeBasis
from tables.hits.actions.undo import recount_round, void_round
from tables.play_sums import actions
from tables.play_sums.actions import sum_play
from tables.play_sums.models import ChangedPlay, SummedHalfHour, SummedPlay, SummedWager, SumsBegun
from tables.rounds.actions.round import post_messages
from tables.rounds.models.round import Round
from tables.rounds.rules.further import read_further
from tables.rounds.rules.round import CoinInRequest, DeviceRequest, EndRequest
from tables.setup.actions.collections import declare_collection
from tests.builders import a_controller, a_table
from tests.scenes_adjusting import person
from tests.scenes_days import EAST, WEST
from tests.tables.play_sums.sums_scene import agree
from tests.tables.wagers_scene import TwoWagers
from tests.tampering import tamper
from tests.undoing import as_a_test

pytestmark = pytest.mark.django_db
SEATS = st.sets(st.sampled_from("1234567")).map(lambda some: "".join(sorted(some)))
VERBS = ["coin_in"] * 4 + ["plain", "plain", "sum", "sum", "void", "void old", "recount", "end", "roll"]
STEPS = st.lists(st.tuples(st.sampled_from(VERBS), SEATS, SEATS, st.integers(0, 9)), min_size=4, max_size=25)


class Played:
    """A table with two wagers beside one with one; each act as people ask for it, refused or not."""

    def __init__(self) -> None:
        self.two = TwoWagers()
        self.house = self.two.casino.premises
        table = a_table("UTH-02", self.two.grand, self.two.mini, premises=self.house)
        self.box, self.number = a_controller(table), 0
        Device.objects.update(state=DeviceState.ACTIVE)

    def act(self, verb: str, seats: str, more: str, back: int) -> None:
        match verb:
            case "coin_in":
                self.two.coin_in(seats, more or None)
            case "plain":
                self.plain(seats)
            case "end" if self.two.number:
                self.two.says(EndRequest(self.two.number))
            case "sum":
                assert sum_play()
            case "roll":
                Property.objects.update(time_zone=EAST)
            case "void" if self.two.number:
                void_round(**self.two.place, reason="misdeal", by="Test Supervisor")
            case "void old" if self.two.number:
                number = max(1, self.two.number - back)
                void_round(table_code="UTH-01", round_number=number, reason="misdeal", by="Test Supervisor")
            case "recount" if self.two.number:
                further = read_further({"MEGA": more} if more else {}, {})
                recount_round(**self.two.place, seats=seats, spots="", by="Test Supervisor", further=further)

    def plain(self, seats: str) -> None:
        for ask in (EndRequest(self.number), CoinInRequest(self.number + 1, seats)):
            post_messages([DeviceRequest("UTH-02", self.box.pk, 0, ask)])
        self.number += 1
        there = Round.objects.filter(table__code="UTH-02", number=self.number, seats=seats).exists()
        assert there or not seats, "a step that plays nothing would show nothing"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=25)
@given(steps=STEPS)
def test_a_sum_is_what_the_rounds_come_to_after_any_acts_in_any_order(steps: list[tuple[str, str, str, int]]) -> None:
    with as_a_test():
        Property.objects.update(time_zone=WEST)
        played = Played()
        for step in steps:
            with suppress(Refused):
                played.act(*step)
            assert agree(played.house.pk)
        assert sum_play()
        assert agree(played.house.pk)
        over = Round.objects.exclude(state="open").count()
        assert sum(each.last - each.first + 1 for each in SummedPlay.objects.all()) == over, "every round is in one sum"
        transaction.set_rollback(True)


def test_a_coin_in_writes_nothing_beside_its_round() -> None:
    played = Played()
    played.plain("12")
    sum_play()
    before = [model.objects.count() for model in (SummedPlay, SummedWager, SummedHalfHour, ChangedPlay)]
    played.plain("13")
    assert before == [model.objects.count() for model in (SummedPlay, SummedWager, SummedHalfHour, ChangedPlay)]
    assert agree(played.house.pk)


@pytest.mark.parametrize("begins", [0, 390, 391], ids=["on the hour", "on the half hour", "a minute later"])
def test_half_hours_tell_a_shift_only_where_shifts_begin_with_one(begins: int) -> None:
    """Rounds every 31 minutes of fifteen hours, whatever the hour is: each is in the shift of its own minute."""
    played = Played()
    for number in range(30):
        played.two.coin_in("125", "2" if number % 3 else None)
    tamper("UPDATE tables_round SET opened_at = opened_at - number * interval '31 minutes'")
    day = played.house.gaming_day(timezone.now())
    hours = (ShiftHours("Day", begins), ShiftHours("Night", begins + 720))
    declare_shifts(premises=played.house, plan=ShiftPlan(day - timedelta(days=3), hours), by="tests")
    kept_rounds = by_shift(played.house)
    assert sum_play()
    assert by_shift(played.house) == kept_rounds
    assert len(kept_rounds) == 2
    assert agree(played.house.pk)


def by_shift(house: Property) -> dict[str, tuple[int, int]]:
    report = REPORTS["shift-totals"]
    rows = report_page(report, read_question(report, {"period": "all"}, clock_of(house))).rows
    return {row["shift"]: (row["rounds"], row["chips"]) for row in rows}


def test_sums_of_a_house_that_is_still_being_added_up_are_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of an old house one turn adds up a part; until all of it was, rounds are read."""
    played = Played()
    for _ in range(7):
        played.plain("125")
    monkeypatch.setattr(actions, "MOST", 2)
    monkeypatch.setattr(actions, "LONGEST", -1.0)
    while not sum_play():
        assert not SumsBegun.objects.exists()
        assert agree(played.house.pk)
    assert SumsBegun.objects.exists()
    assert agree(played.house.pk)


def test_the_close_counts_rounds_whatever_sums_say() -> None:
    """A sum that somebody shifts is on a page; who signs, and who asks for it, has the rounds counted."""
    played = Played()
    played.two.coin_in("125")
    played.two.coin_in("1")
    sum_play()
    day = played.house.gaming_day(timezone.now())
    assert summed_on(played.house, day)["UTH-01"] == (4, Money.of("1.00"))  # a sum, and the round that is still open
    tamper("UPDATE tables_summedwager SET chips = chips + 40")
    assert summed_on(played.house, day)["UTH-01"] == (44, Money.of("1.00"))
    for counter in ("one", "two"):
        count_chips(premises=played.house, day=day, table_code="UTH-01", chips=4, by=person(counter))
    for anew, state in ((False, LineState.DIFFERS), (True, LineState.MATCHES)):
        told = {line.name: line for line in lines_of(played.house, day, anew=anew).of(CloseColumn.CHIPS)}
        assert told["UTH-01"].state is state


def test_fees_are_looked_at_out_of_sums_and_signed_by_rounds() -> None:
    played = Played()
    for _ in range(3):
        played.plain("125")
    played.two.coin_in("12", "2")
    day = played.house.gaming_day(timezone.now())
    rule = CollectionRule(day, FeeBasis.HAND, Money.of("1.00"))
    declare_collection(tables=list(Table.objects.order_by("code")), rule=rule, by="tests")
    assert sum_play()
    by_rounds = list(fees_between(played.house, day, day))
    assert [(each.table, each.played.hands, each.played.chips) for each in by_rounds] == [
        ("UTH-01", 1, 2), ("UTH-02", 3, 9)
    ]  # fmt: skip
    assert list(fees_between(played.house, day, day, anew=False)) == by_rounds
    tamper("UPDATE tables_summedwager SET rounds = rounds + 40")
    assert [each.played.hands for each in fees_between(played.house, day, day, anew=False)] == [1, 43]
    assert list(fees_between(played.house, day, day)) == by_rounds
