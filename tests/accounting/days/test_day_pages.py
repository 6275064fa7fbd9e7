"""The close over its pages and its addresses: what people see, type and sign, and what they are not shown."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from accounting.days.models import BankBalance, ChipCount, DaySignature, Explanation, MeterReading
from accounting.days.queries.days import state_on
from jackpot.evidence.models import RequestEvidence
from tests.jackpot.books.api_scene import signed_in
from tests.scenes_days import OfficeDay, a_worked_day

pytestmark = pytest.mark.django_db


def text(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


def page(office: OfficeDay, tail: str = "") -> str:
    return f"/office/days/{office.day}/{tail}"


def address(office: OfficeDay, tail: str = "") -> str:
    return f"/api/v1/days/{office.day}/{tail}"


def send(client: Client, where: str, **told: Any) -> dict[str, Any]:
    answer: dict[str, Any] = client.post(where, json.dumps(told), content_type="application/json").json()
    return answer


def test_an_accountant_types_explains_and_signs_and_another_closes() -> None:
    office = OfficeDay()
    office.roll()
    one = signed_in("close_day", "read_books", username="acc-1")
    two = signed_in("close_day", username="acc-2", password="right")
    counter, other = signed_in("count", username="count-1"), signed_in("count", username="count-2")
    assert "lines to put right or to explain" in text(one.get(page(office)))
    for client in (counter, other):
        for table, chips in (("UTH-01", "3"), ("UTH-02", "1")):
            client.post(page(office, "count/"), {"table": table, "chips": chips})
    assert "too small" not in text(one.post(page(office, "balance/"), {"amount": "50,000.00"}, follow=True))
    assert "is no" in text(one.post(page(office, "balance/"), {"amount": "abc"}, follow=True))
    for subject in ("signs/GRAND", "wins/slip 1", "wins/slip 2"):
        told = {"subject": subject, "cause": "not_done", "reason": "first day", "evidence": "shift report"}
        sheet = SimpleUploadedFile("report.txt", b"first day of the house")
        told["file"] = sheet
        assert "another person signs that" in text(one.post(page(office, "explain/"), told, follow=True))
    assert "Sign this explanation" not in text(one.get(page(office)))
    for row in Explanation.objects.all():
        signing = {"explanation": row.pk, "password": "right"}
        wants = two.post(page(office, "explained/"), {"explanation": row.pk}, follow=True)
        assert "write your own password" in text(wants)
        assert "signed that" in text(two.post(page(office, "explained/"), signing, follow=True))
    use = RequestEvidence.objects.latest("id")
    for words in ("report.txt", "22 bytes", use.file_id, f"/office/requests/{use.request_id}/evidence/{use.file_id}/"):
        assert words in text(two.get(page(office)))
    assert "Everything matches or is explained" in text(one.get(page(office)))
    one.post(page(office, "step/"), {"act": "sign"})
    assert "cannot sign twice" in text(one.post(page(office, "step/"), {"act": "close"}, follow=True))
    assert "Close the day" not in text(one.get(page(office)))
    two.post(page(office, "step/"), {"act": "close"})
    closed = text(one.get(page(office)))
    assert "This day is closed." in closed
    assert "Note the balance" not in closed
    assert state_on(**office.where()).value == "closed"
    assert (ChipCount.objects.count(), BankBalance.objects.count()) == (4, 1)


def test_a_closed_day_is_opened_again_on_its_page_by_who_proves_to_be_there() -> None:
    office = a_worked_day()
    one = signed_in("close_day", "read_books", username="acc-1")
    two = signed_in("close_day", username="acc-2", password="right")
    one.post(page(office, "step/"), {"act": "sign"})
    two.post(page(office, "step/"), {"act": "close"})
    one.post(page(office, "step/"), {"act": "ask", "why": "a page was spoiled"})
    assert "Open it again" not in text(one.get(page(office)))
    seen = text(two.get(page(office)))
    for words in ("asks to open it again", "a page was spoiled", "two people sign anew", "Keep it closed"):
        assert words in seen
    assert "write your own password" in text(two.post(page(office, "step/"), {"act": "reopen"}, follow=True))
    two.post(page(office, "step/"), {"act": "reopen", "password": "right"})
    assert "asked to open it again; signed" in text(one.get(page(office)))
    assert state_on(**office.where()).value == "open"


def test_the_page_shows_the_equation_as_an_accountant_writes_it() -> None:
    office = a_worked_day()
    told = text(signed_in("close_day", username="acc").get(page(office)))
    for words in ("adjustments", "+15.00", "= close", "difference", "seed posted", "No fees", "contributions"):
        assert words in told


def test_who_counts_sees_chips_alone_and_never_what_another_counted() -> None:
    office = OfficeDay()
    office.roll()
    first, second = signed_in("count", username="count-1"), signed_in("count", username="count-2")
    first.post(page(office, "count/"), {"table": "UTH-01", "chips": "987"})
    seen = text(second.get(page(office)))
    # the figure as a word of its own: a time or a token of the page may hold the same digits
    assert re.search(r"(?<![\w.])987(?!\w)", seen) is None
    assert "Test Count-1 has counted. Another person counts too." in seen
    assert "= close" not in seen
    assert "Bank cover" not in seen
    assert second.get(address(office)).status_code == 403


def test_readers_read_and_write_nothing() -> None:
    office = a_worked_day()
    reader = signed_in("read_books", username="auditor")
    assert "Sign the day" not in text(reader.get(page(office)))
    for tail in ("reading/", "count/", "balance/", "chips/", "explain/", "explained/", "step/"):
        assert reader.post(page(office, tail), {}).status_code == 403
    assert reader.get("/office/days/").status_code == 200
    assert reader.get("/office/days/2099-01-01/").status_code == 404
    assert reader.get("/office/days/2026-02-31/").status_code == 404


def test_a_reading_is_typed_with_its_time() -> None:
    office = OfficeDay()
    clerk = signed_in("close_day", username="clerk")
    office.jackpot.refresh_from_db()
    shown = f"{office.jackpot.meter:.2f}"
    told = text(clerk.post(page(office, "reading/"), {"jackpot": "GRAND", "shown": shown}, follow=True))
    assert "The reading of GRAND is noted" in told
    over = clerk.post(f"/office/days/{office.day - timedelta(days=1)}/reading/", {"jackpot": "GRAND", "shown": shown})
    assert "Write at what time of" in text(clerk.get(over.url))
    assert MeterReading.objects.count() == 1
    assert "05:45" in text(
        clerk.post(page(office, "reading/"), {"jackpot": "GRAND", "shown": shown, "at": "late"}, follow=True)
    )
    assert (
        "more than" in text(clerk.post(page(office, "reading/"), {"jackpot": "GRAND", "shown": "1.001"}, follow=True))
        or MeterReading.objects.count() == 1
    )


def test_chips_in_the_tray_leave_the_count_out() -> None:
    office = OfficeDay()
    office.roll()
    clerk = signed_in("close_day", username="clerk")
    clerk.post(page(office, "chips/"), {"where": "tray"})
    assert "not separable" in text(clerk.get(page(office)))


def test_programs_close_a_day_too() -> None:
    office = a_worked_day()
    one, two = signed_in("close_day", "read_books", username="acc-1"), signed_in("close_day", username="acc-2")
    assert one.get("/api/v1/days/").json()["days"][-1] == {"day": str(office.day), "state": "open", "agrees": True}
    told = one.get(address(office)).json()
    assert [each["column"] for each in told["columns"]] == ["books", "signs", "chips", "wins", "fees", "bank"]
    assert {each["to_do"] for each in told["columns"]} == {0}
    lines = one.get(address(office, "lines/")).json()["results"]
    assert {line["state"] for line in lines} == {"matches", "apart"}
    assert len(lines) == sum(each["lines"] for each in told["columns"])
    assert told["equations"][0]["variance"] == {"meter": "0.00", "reserve": "0.00", "overflow": "0.00", "owed": "0.00"}
    assert send(one, address(office, "steps/"), act="sign")["ok"]
    assert send(one, address(office, "steps/"), act="close")["code"] == "same_person"
    assert send(two, address(office, "steps/"), act="close")["ok"]
    assert send(one, address(office, "balance/"), amount="1.00")["code"] == "closed"
    acts = one.get(address(office)).json()["signatures"]
    assert [(each["act"], each["person"]) for each in acts] == [("sign", "acc-1"), ("close", "acc-2")]
    assert send(one, address(office, "steps/"), act="keep", why="x")["code"] == "not_asked"
    asked = send(two, address(office, "steps/"), act="ask", why="a page was spoiled")["id"]
    assert (
        one.get(address(office)).json()["state"] == one.get("/api/v1/days/").json()["days"][-1]["state"] == "reopening"
    )
    assert send(one, f"/api/v1/requests/{asked}/refuse/", reason="it was found")["request"]["state"] == "refused"
    assert one.get(address(office)).json()["state"] == "closed"
    assert acts[0]["digest"] == acts[1]["digest"] == DaySignature.objects.latest("id").digest


def test_programs_write_what_people_write() -> None:
    office = OfficeDay()
    office.roll()
    clerk, counter = signed_in("close_day", username="clerk", password="right"), signed_in("count", username="counter")
    second = signed_in("close_day", username="second", password="right")
    assert send(counter, address(office, "counts/"), table="UTH-01", chips=2)["ok"]
    assert send(clerk, address(office, "balance/"), amount="1e5")["code"] == "amount"
    wrong = send(clerk, address(office, "readings/"), jackpot="GRAND", shown="1.00", read_at="2020-01-01T00:00:00Z")
    assert wrong["code"] == "read_at"
    told = {"subject": "signs/GRAND", "cause": "not_done", "why": "no sign yet", "evidence": "floor plan"}
    number = send(clerk, address(office, "explanations/"), **told)["id"]
    where = address(office, f"explanations/{number}/sign/")
    assert send(clerk, where)["code"] == "signature"
    assert send(clerk, where, password="right")["code"] == "same_person"
    assert send(second, where, password="right")["ok"]
    told = second.get(f"/api/v1/requests/{number}/").json()
    assert (told["kind"], told["state"], told["decided_by"]) == ("explanation", "in_force", "Test Second")


def test_the_lines_of_a_day_come_in_pages() -> None:
    office = OfficeDay()
    office.roll()
    clerk = signed_in("read_books", username="books")
    columns = {each["column"]: each for each in clerk.get(address(office)).json()["columns"]}
    whole = clerk.get(address(office, "lines/")).json()
    assert whole["next"] is None
    pages, there = [], address(office, "lines/?limit=2")
    while there:
        page = clerk.get(there).json()
        assert 0 < len(page["results"]) <= 2
        pages, there = pages + page["results"], page["next"]
    assert pages == whole["results"]
    chips = clerk.get(address(office, "lines/?column=chips")).json()["results"]
    assert len(chips) == columns["chips"]["lines"] > 0
    assert {each["column"] for each in chips} == {"chips"}
    open_lines = clerk.get(address(office, "lines/?to_do=true")).json()["results"]
    assert len(open_lines) == sum(each["to_do"] for each in columns.values()) > 0
    assert {each["state"] for each in open_lines} <= {"differs", "missing"}
    assert clerk.get(address(office, "lines/?column=nails")).status_code == 400
