"""Figures of houses that another evening made than that of the reports."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.utils import timezone

from accounting.days.models import MeterReading
from accounting.reports.queries.asking import clock_of
from accounting.reports.queries.catalogue import REPORTS
from accounting.reports.queries.frame import report_page
from accounting.reports.rules.asking import read_question
from jackpot.books.models.entry import Entry
from jackpot.configuring.actions.house_rules import declare_tax
from jackpot.money import Money
from jackpot.property.rules.tax import TaxRule
from jackpot.wins.actions.pay import redeem
from tables.signs.reports import SignReport, note_disagreement
from tests.accounting.reports.report_scene import sql
from tests.builders import a_jackpot, a_person, a_sign
from tests.jackpot.books.api_scene import signed_in
from tests.scenes_wins import WinFloor

pytestmark = pytest.mark.django_db


def test_an_award_after_which_the_reset_left_the_meter_higher_is_among_the_falls() -> None:
    floor = WinFloor(meter="3000.00", reserve="0.00")
    win = floor.royal()
    question = read_question(REPORTS["falls"], {"period": "today"}, clock_of(floor.casino.premises))
    (row,) = report_page(REPORTS["falls"], question).rows
    assert (row["slip"], row["amount"], row["seed"]) == (win.slip, win.amount, 10_000)
    assert row["moved"] > 0
    page = signed_in("read_books").get("/jackpots/GRAND/falls/").content.decode()
    assert "The reset in the same entry left the meter higher than before." in page


@pytest.mark.parametrize(("digits", "meter", "shows"), [(0, "15000.75", "15000"), (3, "15000.1259", "15000.125")])
def test_a_reading_and_a_sign_are_held_against_the_digits_of_the_currency(digits: int, meter: str, shows: str) -> None:
    jackpot = a_jackpot(meter=meter, digits=digits)
    entry, house = Entry.objects.get(), jackpot.premises
    MeterReading.objects.create(
        premises=house, day=entry.gaming_day, jackpot=jackpot, shift="Day", shown=shows, read_at=entry.occurred_at,
        person=a_person("reader"),
    )  # fmt: skip
    sign = a_sign("WALL", jackpot)
    note_disagreement(sign.code, "wall", "GRAND", SignReport(Money.of(shows), 1, "GRAND"), "It shows it late.")
    for code in ("sign-readings", "sign-reports"):
        (row,) = report_page(REPORTS[code], read_question(REPORTS[code], {}, clock_of(house))).rows
        assert (row["shown"], row["difference"]) == (Decimal(shows), 0), code


def test_what_a_window_withheld_is_owed_to_the_tax_office_and_no_cash() -> None:
    floor = WinFloor()
    house = floor.casino.premises
    day = house.gaming_day(timezone.now())
    rule = TaxRule(day, Money.of("600.00"), withhold_above=Money.of("5000.00"), rate=240_000)
    declare_tax(premises=house, rule=rule, by="tests")
    win = floor.royal()
    redeem(slip=win.slip or 0, payer=a_person("cashier", premises=house), premises=house, form_seen=True)
    withheld, net = sql("SELECT withheld FROM jackpot_payment"), sql("SELECT net FROM jackpot_payment")
    assert withheld == Decimal(19_999 * 24) / 100
    question = read_question(REPORTS["journal"], {"period": "today"}, clock_of(house))
    page = report_page(REPORTS["journal"], question)
    paid = {row["account"]: row["credit"] for row in page.rows if row["what"] == "Payments"}
    assert (paid["paid"], paid["withheld"]) == (net, withheld)
    assert page.totals["debit"] == page.totals["credit"]
    (row,) = report_page(REPORTS["wins"], read_question(REPORTS["wins"], {"period": "today"}, clock_of(house))).rows
    assert (row["withheld"], row["net"], row["report"]) == (withheld, net, "required")
