"""Fees against schedule: declared from a day on, due by the rounds, counted in the close, shown in a report."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError, transaction
from django.utils import timezone

from accounting.days.actions.writing import count_fees
from accounting.days.rules.reconcile import LineState
from accounting.house_file.writer import house_content
from accounting.setup_desk.actions.setting_up import SetUpWish, set_up
from jackpot.money import ZERO, Money
from jackpot.refusals import Refused
from tables.floor.models.collection import TableCollection
from tables.floor.models.schedule import NotedSchedule
from tables.floor.models.table import Table
from tables.floor.rules.collection import CollectionRule, FeeBasis
from tables.floor.rules.schedules import ScheduleStanding
from tables.games.fees import ScheduleStatus
from tables.setup.actions.collections import declare_collection
from tables.setup.actions.schedules import note_schedule
from tests.builders import a_person, a_table
from tests.jackpot.books.api_scene import signed_in
from tests.scenes_adjusting import person
from tests.scenes_days import OfficeDay

pytestmark = pytest.mark.django_db


def declared(office: OfficeDay, *codes: str, basis: FeeBasis = FeeBasis.HAND, fee: str = "1.00", **more: Any) -> None:
    tables = list(Table.objects.filter(code__in=codes).order_by("code"))
    rule = CollectionRule(office.day, basis, Money.of(fee) if basis is not FeeBasis.ACTION else ZERO, **more)
    declare_collection(tables=tables, rule=rule, by="tests")


def drop(office: OfficeDay, amount: str, table: str = "UTH-01") -> None:
    count_fees(premises=office.premises, day=office.day, table_code=table, amount=Money.of(amount), by=person("one"))


def test_a_drop_is_compared_with_the_hands_of_its_table_and_nobody_sees_the_sum_before() -> None:
    office = OfficeDay()
    assert office.lines("fees")["fees"].told.startswith("No fees")
    declared(office, "UTH-01", "UTH-02")
    line = office.lines("fees")["UTH-01"]
    assert (line.state, line.expected, line.told) == (LineState.MISSING, "", "Nobody has typed what its drop box held.")
    drop(office, "1.00")
    drop(office, "3.00", "UTH-02")
    first, second = (office.lines("fees")[code] for code in ("UTH-01", "UTH-02"))
    assert (first.state, first.expected, first.told) == (LineState.MATCHES, "1.00", "1 hand at 1.00 for each hand.")
    assert (second.state, str(second.variance)) == (LineState.DIFFERS, "2.00")
    drop(office, "1.00", "UTH-02")
    assert office.lines("fees")["UTH-02"].is_done


def test_a_schedule_by_action_only_bounds_the_drop_and_says_what_is_left_out() -> None:
    office = OfficeDay()
    declared(office, "UTH-01", basis=FeeBasis.ACTION, rule_set="001", option=1)
    drop(office, "13.00")
    line = office.lines("fees")["UTH-01"]
    assert (line.expected, str(line.variance), line.state) == ("2.00 to 12.00", "1.00", LineState.DIFFERS)
    assert "total action of a hand that was not told is bounded" in line.told


@pytest.mark.parametrize(
    ("basis", "fee", "more", "why"),
    [
        (FeeBasis.HAND, "0.00", {}, "Write the fee"), (FeeBasis.NONE, "1.00", {}, "Leave it out"),
        (FeeBasis.HAND, "1.00", {"rule_set": "001", "option": 1}, "belong to action"),
        (FeeBasis.ACTION, "0.00", {"rule_set": "009", "option": 1}, "no collection rule set 009"),
        (FeeBasis.ACTION, "0.00", {"rule_set": "001", "option": 99}, "options 1 to 24, not 99"),
    ],
)  # fmt: skip
def test_a_rule_that_says_no_fee_or_a_wrong_one_is_refused(
    basis: FeeBasis, fee: str, more: dict[str, Any], why: str
) -> None:
    office = OfficeDay()
    with pytest.raises(Refused, match=why):
        declared(office, "UTH-01", basis=basis, fee=fee, **more)


def test_what_stands_is_not_written_anew_and_a_table_without_a_rule_has_no_drop() -> None:
    office = OfficeDay()
    declared(office, "UTH-01")
    with pytest.raises(Refused, match=r"What UTH-01 takes from .* stands"):
        declared(office, "UTH-01", fee="2.00")
    with pytest.raises(Refused, match="UTH-02 takes no collection"):
        drop(office, "1.00", "UTH-02")
    with pytest.raises(DatabaseError, match="permission denied"), transaction.atomic():
        TableCollection.objects.update(fee=9)
    office.roll()
    rule = CollectionRule(office.day, FeeBasis.HAND, Money.of("2.00"))
    with pytest.raises(Refused, match=r"UTH-02 dealt on .*, under what stood then"):
        declare_collection(tables=[Table.objects.get(code="UTH-02")], rule=rule, by="tests")


def test_it_is_set_up_as_a_part_of_the_house_written_as_a_file_and_read_again() -> None:
    office = OfficeDay()
    by = a_person("administrator", may=("set_up", "configure"))
    begins = office.premises.gaming_day(timezone.now()) + timedelta(days=1)
    part = {"from": begins, "tables": ["UTH-01", "UTH-02"], "for": "half_hour", "fee": "6.00"}
    outcome = set_up(premises=office.premises, wish=SetUpWish({"collections": [part]}), by=by, dry_run=True)
    assert [str(each) for each in outcome.changes] == [
        f"+ collection from {begins}: UTH-01, UTH-02: 6.00 for each half hour with a hand"
    ]
    assert outcome.takes_two, "money of a house that has a jackpot takes two people"
    declared(office, "UTH-01")
    office.premises.refresh_from_db()
    written = house_content(office.premises, timezone.now())["collections"]
    assert written == [{"from": office.day, "tables": ["UTH-01"], "for": "hand", "fee": "1.00"}]
    again = set_up(premises=office.premises, wish=SetUpWish({"collections": written}), by=by)
    assert again.changes == ()
    with pytest.raises(Refused, match="names table UTH-99"):
        set_up(premises=office.premises, wish=SetUpWish({"collections": [{**part, "tables": ["UTH-99"]}]}), by=by)


def test_page_program_and_report_have_the_same_figures() -> None:
    office = OfficeDay()
    declared(office, "UTH-01", "UTH-02")
    accountant = signed_in("close_day", "read_books", username="books")
    address = f"/office/days/{office.day}/"
    assert "In its drop box" in accountant.get(address).content.decode()
    accountant.post(f"{address}fees/", {"table": "UTH-01", "amount": "1.00"})
    told = accountant.post(
        f"/api/v1/days/{office.day}/fees/", {"table": "UTH-02", "amount": "0.25"}, content_type="application/json"
    )
    assert told.status_code == 201
    lines = {
        line["name"]: (line["expected"], line["found"], line["variance"])
        for line in accountant.get(f"/api/v1/days/{office.day}/lines/?column=fees").json()["results"]
    }  # fmt: skip
    assert lines == {"UTH-01": ("1.00", "1.00", "0.00"), "UTH-02": ("1.00", "0.25", "-0.75")}
    report = accountant.get(f"/api/v1/reports/fees/?period={office.day}").json()
    rows = {row["table_code"]: (row["hands"], row["least"], row["counted"], row["difference"])
            for row in report["results"]}  # fmt: skip
    assert rows == {"UTH-01": (1, "1.00", "1.00", "0.00"), "UTH-02": (1, "1.00", "0.25", "-0.75")}
    for form in ("csv", "xlsx", "pdf"):
        assert accountant.get(f"/api/v1/reports/fees/?period={office.day}&format={form}").status_code == 200


def test_a_withdrawn_schedule_asks_for_nothing_from_its_day_and_is_not_declared_again() -> None:
    office = OfficeDay()
    declared(office, "UTH-01", basis=FeeBasis.ACTION, rule_set="001", option=1)
    letter = ScheduleStanding(office.day, "uth", "001", 0, ScheduleStatus.WITHDRAWN, "letter of 18 November")
    note_schedule(premises=office.premises, standing=letter, by="tests")
    drop(office, "0.00")
    line = office.lines("fees")["UTH-01"]
    assert (line.expected, line.state) == ("0.00", LineState.MATCHES)
    assert "withdrawn from" in line.told
    assert "letter of 18 November" in line.told
    with pytest.raises(Refused, match="Declare another schedule for the table"):
        declared(office, "UTH-02", basis=FeeBasis.ACTION, rule_set="001", option=2)


def test_how_a_schedule_stands_is_noted_once_a_day_and_kept() -> None:
    office = OfficeDay()
    letter = ScheduleStanding(office.day, "uth", "001", 7, ScheduleStatus.APPROVED, "letter")
    row = note_schedule(premises=office.premises, standing=letter, by="tests")
    for wrong, why in (
        (letter, "Let another word begin later"),
        (replace(letter, rule_set="009"), "no collection rule set 009"),
        (replace(letter, option=99), "options 1 to 24, not 99"),
        (replace(letter, option=8, reference=" "), "Name what says so"),
    ):
        with pytest.raises(Refused, match=why):
            note_schedule(premises=office.premises, standing=wrong, by="tests")
    with pytest.raises(DatabaseError), transaction.atomic():
        NotedSchedule.objects.filter(pk=row.pk).update(status="withdrawn")
    assert row.value == letter


def test_a_note_on_a_schedule_is_a_section_of_the_casino_file_and_is_written_back() -> None:
    office = OfficeDay()
    by = a_person("administrator", may=("set_up", "configure"))
    part = {"from": office.day, "set": "001", "status": "withdrawn", "reference": "letter 9"}
    outcome = set_up(premises=office.premises, wish=SetUpWish({"schedules": [part]}), by=by, dry_run=True)
    assert [str(each) for each in outcome.changes] == [
        f"+ schedule from {office.day} of 001/0: rule set 001, every option: withdrawn (letter 9)"
    ]
    assert outcome.takes_two
    letter = ScheduleStanding(office.day, "uth", "001", 0, ScheduleStatus.WITHDRAWN, "letter 9")
    note_schedule(premises=office.premises, standing=letter, by="tests")
    office.premises.refresh_from_db()
    written = house_content(office.premises, timezone.now())["schedules"]
    assert written == [{**part, "game": "uth", "option": 0}]
    again = set_up(premises=office.premises, wish=SetUpWish({"schedules": written}), by=by)
    assert again.changes == ()


def test_a_player_banked_table_has_no_more_places_than_its_rule_set_prints() -> None:
    office = OfficeDay()
    table = a_table("PD-07", premises=office.premises, bank="player_dealer", seats=7)
    rule = CollectionRule(office.day, FeeBasis.ACTION, ZERO, "001", 4)
    with pytest.raises(Refused, match="PD-07 has 7 seats; rule set 001 is for at most 6 places"):
        declare_collection(tables=[table], rule=rule, by="tests")
    declare_collection(tables=[table], rule=CollectionRule(office.day, FeeBasis.ACTION, ZERO, "003", 1), by="tests")
