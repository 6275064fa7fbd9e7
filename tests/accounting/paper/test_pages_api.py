from __future__ import annotations

import base64
import hashlib

import pytest
from django.test import Client

from accounting.paper.models.page import Copy
from accounting.paper.rules.copies import paper_of
from jackpot.trail.models import Trail
from tests.jackpot.books.api_scene import signed_in
from tests.scenes_wins import WinFloor

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def where(around_all: None) -> str:
    return f"/api/v1/wins/{WinFloor().royal().pk}"


@pytest.mark.parametrize("accept", ["*/*", "application/pdf", "application/json"])
def test_the_page_is_a_pdf_whatever_the_caller_accepts_and_looking_makes_no_copy(where: str, accept: str) -> None:
    answer = signed_in().get(f"{where}/page.pdf?form=a4", headers={"Accept": accept})
    assert (answer.headers["Content-Type"], answer.content[:5]) == ("application/pdf", b"%PDF-")
    assert Copy.objects.count() == 0


def test_the_receipt_is_a_picture(where: str) -> None:
    answer = signed_in().get(f"{where}/receipt.png")
    assert (answer.headers["Content-Type"], answer.content[:4]) == ("image/png", b"\x89PNG")
    assert Trail.objects.filter(act="look", subject="slip 1").exists(), "as a look at the page is"


def test_a_program_prints_the_original_and_later_needs_a_reason(where: str) -> None:
    program = signed_in("pay")
    answer = program.post(f"{where}/copies/", {"form": "letter"}, content_type="application/json")
    told = answer.json()
    assert (answer.status_code, told["copy"], told["number"], told["state"]) == (201, "ORIGINAL", 0, "queued")
    assert hashlib.sha256(base64.b64decode(told["content"])).hexdigest() == told["sha256"]
    again = program.post(f"{where}/copies/", {"form": "letter"}, content_type="application/json")
    assert (again.status_code, again.json()["code"]) == (409, "reason")
    with_reason = {"form": "receipt", "reason": "printer jam"}
    assert program.post(f"{where}/copies/", with_reason, content_type="application/json").json()["copy"] == "REPRINT 1"


def test_without_a_form_it_is_the_sheet_of_the_houses_land(where: str) -> None:
    told = signed_in("pay").post(f"{where}/copies/", {}, content_type="application/json").json()
    assert (told["copy"], told["media_type"]) == ("ORIGINAL", "application/pdf")
    assert Copy.objects.get().form == "letter"
    assert [paper_of(locale) for locale in ("en_US", "es-MX", "de_DE", "en")] == ["letter", "letter", "a4", "a4"]


def test_doors_are_closed_to_others(client: Client, where: str) -> None:
    assert client.get(f"{where}/page.pdf").status_code == 401
    assert signed_in("see").get(f"{where}/page.pdf").status_code == 403
    reader = signed_in("read_books", username="auditor")
    assert reader.post(f"{where}/copies/", {"form": "letter"}, content_type="application/json").status_code == 403


@pytest.mark.parametrize("wrong", ["/page.pdf?form=receipt", "/page.pdf?copy=1", "/receipt.png?x=1"])
def test_a_question_that_is_not_understood_is_refused(where: str, wrong: str) -> None:
    answer = signed_in().get(where + wrong)
    assert (answer.status_code, answer.json()["code"]) == (400, "not_understood")


def test_a_hit_without_a_slip_has_no_page() -> None:
    assert signed_in().get("/api/v1/wins/999/page.pdf").json()["code"] == "not_found"
