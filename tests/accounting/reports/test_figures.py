"""Every figure of every report is what plain SQL finds; and where it can be known by hand, what it must be."""

from __future__ import annotations

from decimal import Decimal

import pytest

from jackpot.wins.models import SlipCounter, Win
from tests.accounting.reports.report_scene import PlayedHouse, money, sql

pytestmark = pytest.mark.django_db


@pytest.fixture
def house() -> PlayedHouse:
    return PlayedHouse()


COUNTED = "FROM tables_round r JOIN tables_table t ON t.id = r.table_id WHERE r.state <> 'void'"


def test_coin_in_by_table_is_rounds_times_chips(house: PlayedHouse) -> None:
    page = house.page("coin-in-table")
    told = {row["table_code"]: (row["rounds"], row["chips"], row["coin_in"]) for row in page.rows}
    assert told == {"UTH-01": (2, 7, money("7")), "UTH-02": (2, 3, money("3"))}
    assert page.totals["coin_in"] == sql(f"SELECT sum(length(r.seats) * r.wager) {COUNTED}") == 10


def test_coin_in_by_seat_hour_and_shift_are_the_same_money(house: PlayedHouse) -> None:
    whole = sql(f"SELECT sum(length(r.seats) * r.wager) {COUNTED}")
    for code in ("coin-in-seat", "coin-in-hour", "shift-totals"):
        assert house.page(code).totals["coin_in"] == whole, code
    seats = {row["seat"]: row["chips"] for row in house.page("coin-in-seat").rows}
    assert seats == {"1": 2, "2": 3, "3": 1, "4": 1, "5": 1, "6": 1, "7": 1}
    assert sum(row["share"] for row in house.page("coin-in-seat").rows) == pytest.approx(100)
    one = house.page("coin-in-table", table="UTH-02")
    assert [row["table_code"] for row in one.rows] == ["UTH-02"]


def test_a_shift_has_its_own_rounds_and_awards(house: PlayedHouse) -> None:
    (row,) = house.page("shift-totals").rows
    assert row["shift"] in {"Day", "Swing", "Grave"}
    standing = "FROM jackpot_win WHERE slip IS NOT NULL AND state <> 'backed_out'"
    assert (row["slips"], row["awards"]) == (sql(f"SELECT count(*) {standing}"), sql(f"SELECT sum(amount) {standing}"))
    assert house.page("coin-in-table", shift=row["shift"]).totals["chips"] == 10
    assert house.page("coin-in-table", shift="Nobody’s").count == 0


def test_contributions_are_what_the_entries_moved(house: PlayedHouse) -> None:
    (row,) = house.page("contributions").rows
    moved = "FROM jackpot_entry WHERE kind"
    assert row["meter"] == sql(f"SELECT sum(meter) {moved} = 'coin_in'") == money("9.1")
    assert row["reserve"] == sql(f"SELECT sum(reserve) {moved} = 'coin_in'")
    assert row["taken_back"] == sql(f"SELECT -sum(contributed) {moved} IN ('void', 'recount')") == money("-2.25")
    assert row["net"] == -sql("SELECT sum(contributed) FROM jackpot_entry") == money("7.5")
    assert house.page("contributions", jackpot="MINI").count == 0


def test_liability_now_is_what_stands_in_the_jackpots(house: PlayedHouse) -> None:
    page = house.page("liability")
    (row,) = page.rows
    stands = sql("SELECT meter + reserve + overflow + winners FROM jackpot_jackpot")
    assert row["liability"] == page.totals["liability"] == stands
    assert row["seq"] == sql("SELECT last_seq FROM jackpot_jackpot")


def test_liability_of_every_moment_is_that_of_the_last_entry_before_it(house: PlayedHouse) -> None:
    """Asked at the microsecond of each entry: the entry before it is the last that had been written."""
    from dataclasses import replace

    from accounting.reports.queries.asking import clock_of
    from accounting.reports.queries.catalogue import REPORTS
    from accounting.reports.queries.frame import report_page
    from accounting.reports.rules.asking import read_question
    from jackpot.books.models.entry import Entry

    question = read_question(REPORTS["liability"], {}, clock_of(house.house))
    entries = list(Entry.objects.order_by("seq"))
    for entry in entries:
        earlier = [each for each in entries if each.occurred_at < entry.occurred_at]
        page = report_page(REPORTS["liability"], replace(question, at=entry.occurred_at))
        assert [row["seq"] for row in page.rows] == ([earlier[-1].seq] if earlier else [])
        if earlier:
            assert page.rows[0]["meter"] == earlier[-1].meter_after


def test_the_register_has_every_slip_with_tax_and_people(house: PlayedHouse) -> None:
    page = house.page("wins")
    assert [row["slip"] for row in page.rows] == [3, 2, 1]
    standing = sql("SELECT sum(amount) FROM jackpot_win WHERE slip IS NOT NULL AND state <> 'backed_out'")
    assert page.totals["amount"] == standing == page.totals["net"] + page.totals["withheld"]
    by_slip = {row["slip"]: row for row in page.rows}
    assert by_slip[3]["amount"] == 0
    assert by_slip[1]["paid_by"] == "Test Cashier"
    assert "Test Executive" in by_slip[2]["approved_by"]
    assert page.note == "Of these, 1 is backed out and counted with 0.00."
    assert house.page("wins", person="executive").count == 3
    assert house.page("wins", person="nobody").count == 0
    assert [row["slip"] for row in house.page("wins", table="UTH-02").rows] == [3]


def test_a_gap_in_the_slips_is_named(house: PlayedHouse) -> None:
    (run,) = house.page("slip-gaps").rows
    assert (run["first_slip"], run["last_slip"], run["missing"], run["gap"]) == (1, 3, 0, "none")
    Win.objects.filter(slip=2).update(slip=7)
    SlipCounter.objects.update(next_slip=10)
    runs = [(row["first_slip"], row["last_slip"], row["gap"]) for row in house.page("slip-gaps").rows]
    assert runs == [(1, 1, "2 to 2"), (3, 3, "4 to 6"), (7, 7, "8 to 9")]
    assert house.page("slip-gaps").totals["missing"] == 6


def test_unclaimed_slips_have_an_age_and_a_sum(house: PlayedHouse) -> None:
    page = house.page("unclaimed")
    assert [row["slip"] for row in page.rows] == [2]
    assert page.totals["amount"] == sql("SELECT sum(amount) FROM jackpot_win WHERE state = 'owed'")
    assert 0 <= page.rows[0]["age"] < 600


def test_rows_are_sorted_by_any_column_and_paged(house: PlayedHouse) -> None:
    by_chips = [row["seat"] for row in house.page("coin-in-seat", sort="-chips").rows]
    assert by_chips[:2] == ["2", "1"]
    assert house.page("wins", sort="amount").rows[0]["slip"] == 3
    assert house.page("coin-in-seat", sort="robert'); DROP TABLE").rows[0]["seat"] == "1"
    assert isinstance(house.page("coin-in-seat").totals["coin_in"], Decimal)
