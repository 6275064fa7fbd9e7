"""Every figure of every report is what plain SQL finds; and where it can be known by hand, what it must be."""

from __future__ import annotations

import json
from copy import deepcopy
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import pytest

from accounting.days.actions.snapshots import take_snapshot
from accounting.days.models import MeterReading
from accounting.reports.models import LedgerAccount
from accounting.reports.queries.asking import clock_of
from accounting.reports.queries.catalogue import REPORTS
from accounting.reports.queries.equations import differences_on
from accounting.reports.queries.frame import report_page
from accounting.reports.queries.hits import FEW, to_four_places, verdict
from accounting.reports.queries.waiting import waiting_now
from accounting.reports.rules.asking import read_question
from jackpot.books.models.entry import Entry
from jackpot.books.models.jackpot import Version
from jackpot.money import Money
from jackpot.people.models import Operator
from jackpot.wins.models import SlipCounter, Win
from tables.floor.models.device import Device, VersionRule
from tables.games.hit_band import hit_band
from tables.signs.reports import SignReport, note_disagreement
from tests.accounting.reports.report_scene import PlayedHouse, money, sql
from tests.builders import a_person, a_sign
from tests.tampering import tamper_with

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def played(around_all: None) -> PlayedHouse:
    return PlayedHouse()


@pytest.fixture
def house(played: PlayedHouse) -> PlayedHouse:
    return deepcopy(played)


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
    tamper_with(Win.objects.filter(slip=2), slip=7)
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


def test_the_journal_has_equal_debits_and_credits_and_the_books_own_sums(house: PlayedHouse) -> None:
    page = house.page("journal")
    assert page.totals["debit"] == page.totals["credit"] > 0
    meter = sum((row["credit"] or 0) - (row["debit"] or 0) for row in page.rows if row["account"] == "meter")
    assert meter == sql("SELECT meter FROM jackpot_jackpot")
    by_what = {row["what"] for row in page.rows}
    assert by_what == {"Openings", "Coin-ins", "Awards", "Payments"}
    for what in by_what:
        lines = [row for row in page.rows if row["what"] == what]
        assert sum(row["debit"] or 0 for row in lines) == sum(row["credit"] or 0 for row in lines), what


def test_the_house_names_its_own_accounts(house: PlayedHouse) -> None:
    LedgerAccount.objects.create(premises=house.house, account="meter", code="24-001", name="Jackpots, meters")
    told = {row["account"]: (row["code"], row["name"]) for row in house.page("journal").rows}
    assert told["meter"] == ("24-001", "Jackpots, meters")
    assert told["winners"] == ("2140", "Jackpots owed to winners")


def test_what_people_undid_is_counted_by_person_with_its_ratio(house: PlayedHouse) -> None:
    rows = {row["person"]: row for row in house.page("exceptions-by-person").rows}
    assert (rows["supervisor"]["voided"], rows["supervisor"]["ratio"]) == (1, 100)
    assert (rows["Test First"]["asked"], rows["Test Other"]["signed"]) == (1, 1)
    executive = rows["Test Executive"]
    approvals = sql("SELECT count(*) FROM jackpot_signature WHERE part = 'approve'")
    assert (executive["usual"], executive["acts"], executive["ratio"]) == (approvals, approvals, 0)
    assert house.page("exceptions-by-person", period="yesterday").count == 0


def test_rights_show_roles_cards_and_who_may_sign_in(house: PlayedHouse) -> None:
    rows = {row["username"]: row for row in house.page("access").rows}
    assert set(rows) == {"supervisor", "executive", "cashier", "first", "other"}
    assert rows["executive"]["cards"] == "•••• 0001 executive"
    assert rows["executive"]["state"] == "card only"
    a_person("clerk", may=("read_books", "pay"), password="a long password")
    assert house.page("access", person="clerk").rows[0]["may"] == "pay read_books"


def test_every_field_of_the_terms_that_changed_is_told(house: PlayedHouse) -> None:
    jackpot = house.floor.casino.jackpot
    first = jackpot.version
    assert first is not None
    after = {**json.loads(first.terms), "rate": "60"}
    lines = after["pay_table"]["lines"]
    after["pay_table"] = {**after["pay_table"], "lines": [{**lines[0]}, *[{**each} for each in lines[1:]]]}
    Version.objects.create(
        jackpot=jackpot, number=2, terms=json.dumps(after), digest="0" * 64, requested_by="first", approved_by="other"
    )
    told = {(row["version"], row["field"]): (row["before"], row["after"]) for row in house.page("parameters").rows}
    assert told[(2, "rate")] == (str(json.loads(first.terms)["rate"]), "60")
    assert [version for version, _ in told].count(2) == 1


def test_what_waits_has_a_number_an_age_and_an_address(house: PlayedHouse) -> None:
    kinds = {row["what"]: row for row in house.page("waiting").rows}
    assert kinds["Unclaimed slip"]["href"] == "/wins/2/"
    question = read_question(REPORTS["waiting"], {}, clock_of(house.house))
    counted = {each.what: (each.count, each.amount) for each in waiting_now(question)}
    assert counted["Unclaimed slip"] == (1, sql("SELECT amount FROM jackpot_win WHERE slip = 2"))


def test_a_device_that_its_rule_does_not_admit_is_marked(house: PlayedHouse) -> None:
    premises = house.floor.casino.premises
    VersionRule.objects.create(premises=premises, kind="controller", rule="minimum", version="2.10.0")

    def verdicts() -> dict[str, set[str]]:
        rows = house.page("device-versions").rows
        return {
            kind: {row["verdict"] for row in rows if row["kind"] == kind} for kind in ("server", "table controller")
        }

    assert verdicts() == {"server": {"no rule"}, "table controller": {"does not fit"}}
    Device.objects.update(version="2.11")
    assert verdicts()["table controller"] == {"fits"}
    Device.objects.update(model="first generation", version="6.6 Build 519")
    VersionRule.objects.create(
        premises=premises, kind="controller", model="first generation", rule="exact", version="6.6 Build 520"
    )
    assert verdicts()["table controller"] == {"does not fit"}, "the rule of a model goes before that of its kind"
    Device.objects.update(version="whatever")
    assert verdicts()["table controller"] == {"of no known form"}


def test_a_sign_that_disagreed_stands_beside_the_books(house: PlayedHouse) -> None:
    sign = a_sign("WALL", house.floor.casino.jackpot)
    note_disagreement(sign.code, "wall", "GRAND", SignReport(Money.of("1.00"), 1, "GRAND"), "It shows 1.00.")
    (row,) = house.page("sign-reports").rows
    assert (row["shown"], row["books"]) == (1, sql("SELECT meter_after FROM jackpot_entry WHERE seq = 1"))
    assert row["difference"] == 1 - money("19999.30")


def test_a_line_that_no_pack_knows_is_named_and_the_others_stand(house: PlayedHouse) -> None:
    page = house.page("hits")
    assert page.count == 0
    assert page.note.startswith("GRAND: How often “Royal flush” comes is not known")


def test_a_band_says_little_where_few_were_expected() -> None:
    assert verdict(hit_band(400, Fraction(1, 100), 9)) == FEW
    usual, many = hit_band(1_000, Fraction(1, 100), 10), hit_band(1_000, Fraction(1, 100), 30)
    assert (verdict(usual), verdict(many)) == ("within 90 %", "outside of 99 %")
    assert to_four_places(hit_band(100, Fraction(1, 3), 33)) == money("33.3333")


def test_a_fall_is_told_with_slip_hand_split_and_approver(house: PlayedHouse) -> None:
    rows = {(row["what"], row["slip"]): row for row in house.page("falls", period="today").rows}
    award = next(row for (what, _), row in rows.items() if what == "Award" and row["hand"] == "Five percent")
    win = Win.objects.get(slip=award["slip"])
    assert (award["amount"], award["from_meter"], award["from_house"]) == (win.amount, win.amount, 0)
    assert award["before"] + award["moved"] == award["after"]
    assert award["approved_by"] == "Test Executive"
    assert ("Void", None) in rows


def test_the_equation_of_a_day_stands_beside_the_books(house: PlayedHouse) -> None:
    take_snapshot(jackpot=house.floor.casino.jackpot, day=house.today)
    rows = {row["line"]: row for row in house.page("meter-equation").rows}
    closed = sql("SELECT meter FROM jackpot_jackpot")
    assert rows["Books"]["meter"] == rows["= Reckoned"]["meter"] == closed
    assert all(rows["Difference"][each] == 0 for each in ("meter", "reserve", "overflow"))
    assert house.page("meter-equation").note == "Every equation agrees with the books."
    assert differences_on(house.house.pk, house.today) == {"GRAND": 0}


def test_a_typed_reading_stands_beside_the_books_of_its_minute(house: PlayedHouse) -> None:
    first = Entry.objects.get(seq=1)
    MeterReading.objects.create(
        premises=house.house, day=house.today, jackpot=first.jackpot, shift="Day", shown="20000.00",
        read_at=first.occurred_at, person=Operator.objects.get(username="cashier"),
    )  # fmt: skip
    (row,) = house.page("sign-readings").rows
    assert (row["books"], row["difference"], row["seq"]) == (first.meter_after, 20_000 - first.meter_after, 1)
