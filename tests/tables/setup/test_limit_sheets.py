"""Limit sheets of a house: entered with their reference, kept, and obeyed by chips, postings and bets."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest
import time_machine
from django.db import DatabaseError, transaction
from django.utils import timezone

from accounting.alarms.queries.finding import findings
from accounting.alarms.rules import AlarmKind
from accounting.house_file.writer import house_content
from accounting.setup_desk.actions.setting_up import SetUpWish, set_up
from jackpot.errands.actions import put_up
from jackpot.money import Money
from jackpot.people.models import NoBadge
from jackpot.refusals import Refused
from jackpot.trail.models import Trail
from tables.floor.actions.checklist import PostedLimits, look_at
from tables.floor.actions.outside_limits import close_outside_limits
from tables.floor.actions.state import set_table_state
from tables.floor.actions.unapproved import RHYTHM
from tables.floor.models.check import TableCheck
from tables.floor.models.limit_sheet import EnteredLimits
from tables.floor.models.table import TableState
from tables.floor.rules.checklist import Item
from tables.floor.rules.limit_sheets import LimitSheet, OverLimit, refuse_over, refuse_posted, sheets_on
from tables.floor.tasks import close_unapproved as close_by_the_worker
from tables.player_dealer.actions.telling import tell_action
from tables.player_dealer.rules.told import read_action
from tables.setup.actions.limit_sheets import enter_limits
from tests.builders import a_jackpot, a_person, a_property, a_table
from tests.photos import a_photo

DAY = date(2026, 11, 20)


def sheet(days: int = 0, most: int = 300, code: str = "ROOM", **more: Any) -> LimitSheet:
    return LimitSheet(DAY + timedelta(days=days), code, "uth", "§ 140", 5, most, **more)


def test_of_each_sheet_the_newest_that_had_begun_and_not_ended_counts() -> None:
    sheets = [sheet(-9), sheet(-1, 500), sheet(1, 900), sheet(-5, 50, "OLD", ends=DAY - timedelta(days=1))]
    assert [(each.code, each.most) for each in sheets_on(sheets, "uth", DAY)] == [("ROOM", 500)]
    assert not sheets_on(sheets, "faro", DAY)


def test_the_strictest_sheet_counts_for_a_wager_and_posted_limits_lie_inside_theirs() -> None:
    refuse_over("chip", Money.of("300.00"), [sheet()])
    refuse_over("chip", Money.of("1.00"), [sheet()])
    with pytest.raises(OverLimit, match=r"chip of 300\.01 is above 300, the most that sheet ROOM authorizes \(§ 140\)"):
        refuse_over("chip", Money.of("300.01"), [sheet(most=900, code="WIDE"), sheet()])
    refuse_posted(5, 300, sheet())
    for low, high, why in ((4, 300, "minimum of 4"), (5, 301, "maximum of 301"), (50, 20, "above the posted maximum")):
        with pytest.raises(OverLimit, match=why):
            refuse_posted(low, high, sheet())


def entered(**changes: Any) -> EnteredLimits:
    premises = a_property()
    today = premises.gaming_day(timezone.now())
    return enter_limits(premises=premises, sheet=replace(sheet(), begins=today, **changes), by="tests")


@pytest.mark.django_db
def test_a_sheet_is_entered_once_with_its_reference_and_kept() -> None:
    row = entered()
    for changes, why in (
        ({}, "Let another begin on a later day"),
        ({"code": "B", "reference": " "}, "Name what authorizes these limits"),
        ({"code": "B", "least": 400}, "not above the most"),
        ({"code": "B", "ends": date(2020, 1, 1)}, "ends before it begins"),
    ):
        with pytest.raises(Refused, match=why):
            entered(**changes)
    with pytest.raises(DatabaseError), transaction.atomic():
        EnteredLimits.objects.filter(pk=row.pk).update(most=9_000)


@pytest.mark.django_db
def test_no_table_takes_a_chip_above_the_sheet_in_force() -> None:
    entered(most=4, least=1)
    a_table("UTH-01", a_jackpot())
    with pytest.raises(Refused, match=r"UTH-02: The progressive wager of 5\.00 is above 4"):
        a_table("UTH-02", a_jackpot("BIG", wager="5.00"), wager="5.00")


@pytest.mark.django_db
def test_a_sheet_that_begins_later_rings_at_open_tables_and_keeps_closed_ones_closed() -> None:
    table = a_table("UTH-02", a_jackpot("BIG", wager="5.00"), wager="5.00")
    set_table_state(table=table, state=TableState.OPEN, by="tests")
    premises = a_property()
    today = premises.gaming_day(timezone.now())
    later = replace(sheet(), begins=today + timedelta(days=1), most=4, least=1)
    enter_limits(premises=premises, sheet=later, by="tests")
    assert findings(timezone.now()) == []
    with time_machine.travel(timezone.now() + timedelta(days=1)):
        (alarm,) = [each for each in findings(timezone.now()) if each.kind is AlarmKind.LIMITS]
        assert (alarm.subject, alarm.words) == (
            "UTH-02",
            (
                "UTH-02 is open outside its limits. The progressive wager of 5.00 is above 4, the most that sheet ROOM "
                "authorizes (§ 140). Make it smaller. Close it until then."
            ),
        )
        set_table_state(table=table, state=TableState.CLOSED, by="tests")
        assert not [each for each in findings(timezone.now()) if each.kind is AlarmKind.LIMITS]
        with pytest.raises(Refused, match=r"UTH-02 stays closed\. The progressive wager of 5\.00 is above 4"):
            set_table_state(table=table, state=TableState.OPEN, by="tests")


@pytest.mark.django_db
@pytest.mark.parametrize(("switch", "then"), [(True, TableState.CLOSED), (False, TableState.OPEN)])
def test_an_open_table_outside_a_sheet_closes_by_itself_where_the_house_says_so(switch: bool, then: str) -> None:
    """[002:214–215] Limits above the authorized ones are not allowed, so a house may leave none of them open."""
    premises = a_property(limits_close=switch)
    table = a_table("UTH-02", a_jackpot("BIG", wager="5.00"), wager="5.00")
    inside = a_table("UTH-03", a_jackpot("SMALL", wager="1.00"))
    for each in (table, inside):
        set_table_state(table=each, state=TableState.OPEN, by="tests")
    today = premises.gaming_day(timezone.now())
    later = replace(sheet(), begins=today + timedelta(days=1), most=4, least=1)
    enter_limits(premises=premises, sheet=later, by="tests")
    put_up([RHYTHM])
    assert close_outside_limits() == 0, "it has not begun"
    with time_machine.travel(timezone.now() + timedelta(days=1)):
        close_by_the_worker()
        for each in (table, inside):
            each.refresh_from_db()
        assert (table.state, inside.state) == (then, TableState.OPEN)
        assert close_outside_limits() == 0
    if switch:
        line = Trail.objects.filter(act="set_table_state", actor="Server").get()
        assert line.why.startswith("Outside its limits. The progressive wager of 5.00 is above 4")


@pytest.mark.django_db
def test_a_posted_maximum_that_a_later_sheet_forbids_keeps_the_table_closed() -> None:
    table, person = a_table("UTH-01"), a_person("tech", may=("see", "service"))
    look_at(
        table=table, item=Item.LIMITS, in_order=True, by=person, photo=a_photo(), posted=PostedLimits(5, 300, "", 0)
    )
    entered(most=200)
    with pytest.raises(Refused, match=r"UTH-01 stays closed\. The posted maximum of 300\.00 is above 200"):
        set_table_state(table=table, state=TableState.OPEN, by="tests")


@pytest.mark.django_db
def test_a_wager_may_have_a_largest_of_its_own() -> None:
    entered(most=300)
    entered(most=25, wager="trips", least=1)
    entered(most=2, wager="progressive", least=1)
    with pytest.raises(Refused, match="There is no tips wager; there is ante"):
        entered(wager="tips", code="B")
    a_table("UTH-01", a_jackpot())
    with pytest.raises(Refused, match=r"The progressive wager of 5\.00 is above 2"):
        a_table("UTH-02", a_jackpot("BIG", wager="5.00"), wager="5.00")
    a_table("PD-01", bank="player_dealer", seats=6)

    def bets(**wagers: int) -> None:
        told = [{"seat": 1, "wagers": {"ante": 50, "blind": 50, **wagers}}]
        tell_action(table_code="PD-01", told=read_action(1, {"seat": 3, "wager": 900}, told), by=NoBadge("PD-01"))

    with pytest.raises(Refused, match=r"Seat 1: The trips of 30\.00 is above 25"):
        bets(trips=30)
    bets(trips=25)
    written = house_content(a_property(), timezone.now())["limits"]
    assert sorted(each.get("wager", "") for each in written) == ["", "progressive", "trips"]


@pytest.mark.django_db
def test_posted_limits_obey_the_house_s_sheet_chosen_or_not() -> None:
    entered()
    table, person = a_table("UTH-01"), a_person("tech", may=("see", "service"))

    def posts(minimum: int, maximum: int, code: str = "", option: int = 0) -> TableCheck:
        posted = PostedLimits(minimum, maximum, code, option)
        return look_at(table=table, item=Item.LIMITS, in_order=True, by=person, photo=a_photo(), posted=posted)

    assert posts(5, 300, "ROOM").rule_sheet == "ROOM"
    for words, why in (
        ((5, 301, "ROOM"), "maximum of 301 is outside 5 to 300"),
        ((5, 301), "posted maximum of 301.00 is above 300"),
        ((5, 500, "001", 1), "posted maximum of 500.00 is above 300"),
        ((5, 300, "HALL"), "No limit sheet HALL is in force today"),
    ):
        with pytest.raises(Refused, match=why):
            posts(*words)


@pytest.mark.django_db
def test_bets_before_the_deal_lie_inside_what_is_posted_and_authorized() -> None:
    entered()
    table, person = a_table("PD-01", bank="player_dealer", seats=6), a_person("tech", may=("see", "service"))

    def bets(ante: int) -> None:
        told = [{"seat": 1, "wagers": {"ante": ante, "blind": ante}}]
        tell_action(table_code="PD-01", told=read_action(1, {"seat": 3, "wager": 900}, told), by=NoBadge("PD-01"))

    with pytest.raises(Refused, match=r"Seat 1: The ante of 301\.00 is above 300"):
        bets(301)
    posted = PostedLimits(10, 200, "ROOM")
    look_at(table=table, item=Item.LIMITS, in_order=True, by=person, photo=a_photo(), posted=posted)
    with pytest.raises(Refused, match=r"Seat 1: The ante of \$201 is above the table maximum of \$200"):
        bets(201)
    with pytest.raises(Refused, match=r"Seat 1: The ante of \$9 is below the table minimum of \$10"):
        bets(9)
    bets(200)


@pytest.mark.django_db
def test_a_sheet_is_a_section_of_the_casino_file_and_two_people_s_once_there_is_a_jackpot() -> None:
    row = entered()
    a_jackpot()
    by = a_person("administrator", may=("set_up", "configure"))
    row.premises.refresh_from_db()
    written = house_content(row.premises, timezone.now())["limits"]
    assert written == [
        {"from": row.begins, "sheet": "ROOM", "game": "uth", "reference": "§ 140", "least": 5, "most": 300}
    ]
    assert set_up(premises=row.premises, wish=SetUpWish({"limits": written}), by=by).changes == ()
    asked = {**written[0], "sheet": "NEW", "until": row.begins}
    outcome = set_up(premises=row.premises, wish=SetUpWish({"limits": [asked]}), by=by, dry_run=True)
    assert outcome.takes_two
    assert "wagers from 5 to 300 until" in str(outcome.changes[0])
