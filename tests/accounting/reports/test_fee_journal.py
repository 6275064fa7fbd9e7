"""The fee journal: every hand that a player banked, with what lay there and what was collected."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from accounting.reports.queries.asking import clock_of
from accounting.reports.queries.catalogue import REPORTS
from accounting.reports.queries.frame import ReportPage, report_page
from accounting.reports.rules.asking import read_question
from jackpot.configuring.actions.house_rules import declare_shifts
from jackpot.money import ZERO
from jackpot.people.models import NoBadge
from jackpot.property.rules.shift import ShiftHours, ShiftPlan
from tables.floor.models.table import Table
from tables.floor.rules.collection import CollectionRule, FeeBasis
from tables.hits.actions.undo import void_round
from tables.player_dealer.actions.telling import tell_action
from tables.player_dealer.rules.told import read_action
from tables.rounds.models.round import Round
from tables.setup.actions.collections import declare_collection
from tests.builders import a_person, a_table
from tests.jackpot.books.api_scene import signed_in

pytestmark = pytest.mark.django_db


def played() -> Table:
    table = a_table("PD-01", bank="player_dealer", seats=6)
    day = table.premises.gaming_day(timezone.now())
    declare_shifts(premises=table.premises, plan=ShiftPlan(day, (ShiftHours("Whole", 0),)), by="tests")
    declare_collection(tables=[table], rule=CollectionRule(day, FeeBasis.ACTION, ZERO, "001", 4), by="tests")
    for number, (banker, ante) in enumerate(((3, 10), (3, 30), (4, 100)), 1):
        bets = [{"seat": 1, "wagers": {"ante": ante, "blind": ante, "trips": 5}}]
        told = read_action(number, {"seat": banker, "wager": "500"}, bets)
        tell_action(table_code="PD-01", told=told, by=NoBadge("PD-01"))
        Round.objects.filter(table=table, number=number).update(state="ended")
    void_round(table_code="PD-01", round_number=2, reason="Misdeal", by=a_person("supervisor"))
    return table


def journal(played_at: Table, **words: str) -> ReportPage:
    report = REPORTS["fee-journal"]
    asked: dict[str, Any] = {"period": "today", **words}
    return report_page(report, read_question(report, asked, clock_of(played_at.premises)))


def test_the_journal_adds_up_what_the_drop_box_must_hold_and_a_void_hand_pays_nothing() -> None:
    page = journal(played())
    told = [(row["number"], row["banker"], row["in_a_row"], str(row["fee"].normalize()), row["state"])
            for row in page.rows]  # fmt: skip
    assert told == [(3, 4, 1, "5", ""), (2, 3, 2, "0", "void"), (1, 3, 1, "1", "")]
    assert (page.totals["fee"], page.totals["action"]) == (6, 25 + 65 + 205)
    assert {row["rule"] for row in page.rows} == {"001/4"}


def test_a_shift_has_its_own_drop() -> None:
    table = played()
    assert journal(table, shift="Whole").totals["fee"] == 6
    assert journal(table, table="PD-02").count == 0


def test_the_pit_shows_the_bank_and_never_what_was_collected() -> None:
    played()
    page = signed_in("run_tables", "see", username="pit").get("/pit/tables/PD-01/").content.decode()
    assert "Seat 4, hand 1 of 2 in a row" in page
    assert "rule set 001, option 4, approved, under review (001:191)" in page
    section = page.partition("A player banks here")[2].partition("</section>")[0]
    assert "500.00" in section
    assert ">5.00<" not in section
