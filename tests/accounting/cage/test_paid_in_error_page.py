"""What was paid in error, at the window, over the API, in the reports and at the close of the day it came back on."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from accounting.days.actions.snapshots import snapshot_due_days
from accounting.days.queries.columns import lines_of
from accounting.days.rules.reconcile import LineState
from accounting.paper.printing.returned import facts_of
from jackpot.property.models.property import Property
from jackpot.trail.models import Trail
from jackpot.wins.models import WindowReceipt
from tests.accounting.cage.test_wins import text
from tests.builders import a_property
from tests.jackpot.books.api_scene import signed_in
from tests.jackpot.wins.test_paid_in_error import PaidAndUndone
from tests.scenes_days import EAST, WEST
from tests.tampering import tamper

pytestmark = pytest.mark.django_db


def test_the_window_shows_what_is_out_and_takes_it_back_in_two_receipts() -> None:
    PaidAndUndone()
    cashier = signed_in("pay", "read_books", username="window")
    page = text(cashier.get("/office/cage/1/"))
    assert "Backed out after it was paid: what the player got is owed back." in page
    assert 'name="amount" value="15000.00"' in page
    told = {"method": "cash", "place": "Window 2", "receipt": "1", "amount": "6,000.00"}
    page = text(cashier.post("/office/cage/1/receive/", told, follow=True))
    assert "Receipt 1 for slip 1: $6,000.00 came back." in page
    assert 'name="amount" value="9000.00"' in page
    page = text(cashier.post("/office/cage/1/receive/", {**told, "receipt": "2", "amount": "9.000,00"}, follow=True))
    assert WindowReceipt.objects.count() == 1, page
    refused = text(cashier.post("/office/cage/1/receive/", {**told, "method": "cheque", "receipt": "2"}, follow=True))
    assert "Write the number of the cheque." in refused
    last = {**told, "method": "cheque", "reference": "4711", "receipt": "2", "amount": "9000"}
    page = text(cashier.post("/office/cage/1/receive/", last, follow=True))
    assert "It was the last of it: $5,000.00 withheld are not owed as tax." in page
    assert "everything came back" in page
    assert "Take receipt" not in page
    record = text(cashier.get("/wins/1/", follow=True))
    assert "Paid in error" in record
    assert "4711" in record


def test_where_everything_was_withheld_the_window_takes_the_tax_back_with_one_touch() -> None:
    PaidAndUndone(rate=1_000_000)
    cashier = signed_in("pay", "read_books", username="window")
    assert [row["subject"] for row in report(cashier, "waiting")["results"] if row["what"] == "Paid in error"]
    page = text(cashier.get("/office/cage/1/"))
    assert "the player got nothing, all of it was withheld." in page
    told = {"method": "none", "receipt": "1", "amount": "0.00", "place": "Window 2"}
    page = text(cashier.post("/office/cage/1/receive/", told, follow=True))
    assert "Receipt 1 for slip 1: $20,000.00 withheld are not owed as tax." in page
    assert "everything came back" in page
    assert "Take receipt" not in page
    assert not [row for row in report(cashier, "waiting")["results"] if row["what"] == "Paid in error"]


def test_the_paper_of_a_receipt_tells_the_account_of_its_moment() -> None:
    PaidAndUndone()
    cashier = signed_in("pay", "read_books", username="window")
    told = {"method": "cash", "place": "Window 2", "receipt": "1", "amount": "6000.00"}
    page = text(cashier.post("/office/cage/1/receive/", told, follow=True))
    assert 'href="/office/wins/1/receipts/1/paper.pdf"' in page
    last = {**told, "method": "cheque", "reference": "4711", "receipt": "2", "amount": "9000"}
    cashier.post("/office/cage/1/receive/", last)
    first, second = paper(1), paper(2)
    assert ("This receipt", "−$6,000.00") in first["The account"]
    assert first["The account"][-1] == ("Still out", "$9,000.00")
    assert second["The account"] == [
        ("The player got", "$15,000.00"), ("Came back before", "−$6,000.00"), ("This receipt", "−$9,000.00"),
        ("Still out", "$0.00"),
    ]  # fmt: skip
    assert second["How it came"][:3] == [("Received", "Cheque"), ("Number", "4711"), ("Window", "Window 2")]
    answer = cashier.get("/office/wins/1/receipts/1/paper.pdf")
    assert (answer.headers["Content-Type"], answer.content[:5]) == ("application/pdf", b"%PDF-")
    same = cashier.get("/api/v1/slips/1/receipts/2/paper.pdf?form=a4")
    assert same.content[:5] == b"%PDF-"
    assert cashier.get("/office/wins/1/receipts/3/paper.pdf").status_code == 404
    assert cashier.get("/api/v1/slips/1/receipts/3/paper.pdf").status_code == 404
    assert Trail.objects.filter(act="look", object_kind="slip").exists()


def test_of_a_receipt_that_was_changed_no_paper_is_made() -> None:
    PaidAndUndone()
    cashier = signed_in("pay", "read_books", username="window")
    cashier.post("/office/cage/1/receive/", {"method": "cash", "receipt": "1", "amount": "6000.00"})
    tamper("UPDATE jackpot_windowreceipt SET taker_name = 'Nobody'")
    answer = cashier.get("/api/v1/slips/1/receipts/1/paper.pdf")
    assert (answer.status_code, answer.json()["code"]) == (409, "changed")
    assert "does not match its seal" in answer.json()["why"]


def paper(number: int) -> dict[str, list[tuple[str, str]]]:
    receipt = WindowReceipt.objects.get(number=number)
    facts = facts_of(receipt, "window", timezone.now())
    assert facts["seal"] == receipt.seal
    return {group["title"]: group["rows"] for group in facts["groups"]}


def test_programs_take_a_receipt_by_the_slip_and_a_repeat_hears_the_same() -> None:
    PaidAndUndone()
    cashier: Any = signed_in("pay", "see", username="window")

    def post(key: str, **words: Any) -> Any:
        headers = {"Idempotency-Key": key}
        return cashier.post("/api/v1/slips/1/receipts/", words, content_type="application/json", headers=headers)

    first = post("receipt-0001", number=1, amount="15000.00").json()
    assert (first["repeat"], first["receipt"]["net"], first["receipt"]["withheld"]) == (False, "15000.00", "5000.00")
    assert post("receipt-0001", number=1, amount="15000.00").json() == {**first, "repeat": True}
    clash = post("receipt-0002", number=1, amount="14.00")
    assert (clash.status_code, clash.json()["code"]) == (409, "receipt")
    told = cashier.get("/api/v1/slips/1/").json()["payment"]
    assert [each["gross"] for each in told["receipts"]] == ["20000.00"]
    missing = cashier.post("/api/v1/slips/9/receipts/", {}, content_type="application/json")
    assert missing.status_code in (400, 404)


def report(client: Any, code: str, asked: str = "") -> Any:
    return client.get(f"/api/v1/reports/{code}/{asked}").json()


def test_reports_the_journal_and_the_close_know_what_came_back() -> None:
    a_property(time_zone=WEST)  # so that the day can roll at once, whatever time it is
    scene = PaidAndUndone()
    office = signed_in("read_books", "close_day", "pay", username="accountant")
    row = report(office, "paid-in-error")["results"][0]
    assert (row["net"], row["came_back"], row["outstanding"], row["receipts"]) == ("15000.00", "0.00", "15000.00", 0)
    waits = [row for row in report(office, "waiting")["results"] if row["what"] == "Paid in error"]
    assert [(row["subject"], row["amount"]) for row in waits] == [("Slip 1, Royal flush", "15000.00")]
    scene.take(1, "15000.00")
    row = report(office, "paid-in-error")["results"][0]
    assert (row["came_back"], row["outstanding"], row["age"]) == ("15000.00", "0.00", None)
    assert "Paid in error" not in [row["what"] for row in report(office, "waiting")["results"]]
    lines = [row for row in report(office, "journal", "?period=today")["results"] if row["what"] == "Receipts"]
    assert {row["name"]: (row["debit"], row["credit"]) for row in lines} == {
        "Cage cash": ("15000.00", None), "Tax withheld, payable": ("5000.00", None),
        "House funding of jackpots": (None, "20000.00"),
    }  # fmt: skip
    day = WindowReceipt.objects.get().gaming_day
    Property.objects.filter(pk=scene.house.pk).update(time_zone=EAST)
    scene.house.refresh_from_db()
    snapshot_due_days()
    found = {line.subject: line.state for line in lines_of(scene.house, day).lines}
    assert found["wins/receipt 1 for slip 1"] == LineState.MATCHES
    assert found["books/GRAND meter"] == LineState.MATCHES
