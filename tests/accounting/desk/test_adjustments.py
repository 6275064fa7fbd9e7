"""The pages of adjustments without a browser: who sees what, what a form answers, and the CSV."""

from __future__ import annotations

import csv
import hashlib
import io

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from jackpot.adjusting.models import Adjustment
from tests.builders import a_jackpot, a_person, a_property
from tests.jackpot.books.api_scene import signed_in
from tests.scenes_adjusting import asked, done

pytestmark = pytest.mark.django_db

OFFICE = "/office/adjustments/"
FORM = {
    "kind": "adjust", "jackpot": "GRAND", "amount": "+1,015.00", "account": "meter", "ground": "reading",
    "reason": "counted short", "evidence": "count sheet 12",
}  # fmt: skip


def page(client: Client, where: str) -> str:
    return client.get(where, follow=True).content.decode()


def test_the_inbox_is_empty_until_somebody_asks_and_then_tells_the_age() -> None:
    jackpot, client = a_jackpot(), signed_in("read_books", "adjust")
    assert "Nothing waits." in page(client, OFFICE)
    asked("adjust", jackpot, amount="15.00")
    text = page(client, OFFICE)
    assert "+15.00 to the meter of GRAND" in text
    assert "just now" in text


def test_a_form_asks_with_its_file_kept_by_name_and_digest() -> None:
    a_jackpot()
    sheet = SimpleUploadedFile("sheet 12.pdf", b"a count sheet")
    answer = signed_in("adjust").post(f"{OFFICE}new/", {**FORM, "file": sheet})
    row = Adjustment.objects.get()
    assert (answer.status_code, answer.headers["Location"]) == (302, f"/office/requests/{row.pk}/")
    assert (str(row.amount_money), row.file_name) == ("1015.00", "sheet 12.pdf")
    assert row.file_sha256 == hashlib.sha256(b"a count sheet").hexdigest()


def test_a_form_that_is_refused_says_why_and_keeps_its_words() -> None:
    a_jackpot()
    answer = signed_in("adjust").post(f"{OFFICE}new/", {**FORM, "amount": "ten"})
    text = answer.content.decode()
    assert answer.status_code == 400
    assert "“ten” is not an amount" in text
    assert "count sheet 12" in text
    assert not Adjustment.objects.exists()


def test_a_reader_sees_what_a_request_would_do_and_cannot_ask() -> None:
    a_jackpot()
    reader = signed_in("read_books")
    text = page(reader, f"{OFFICE}new/?kind=adjust&jackpot=GRAND&amount=15.00")
    assert "10,015.00" in text
    assert "Ask a second person" not in text
    assert reader.post(f"{OFFICE}new/", FORM).status_code == 403


def test_who_asked_is_offered_to_take_it_back_and_no_password_of_the_own() -> None:
    jackpot = a_jackpot()
    person = a_person("asker", may=("adjust", "sign_adjustments"))
    row = asked("adjust", jackpot, amount="15.00")
    client = Client()
    client.force_login(person)
    text = page(client, f"{OFFICE}{row.pk}/")
    assert "Take the request back" in text
    assert "or your own password" not in text


def test_what_would_be_refused_now_is_said_before_anybody_signs() -> None:
    jackpot = a_jackpot(meter="20.00")
    row = asked("adjust", jackpot, amount="-15.00")
    done("transfer", jackpot, other=a_jackpot("NEXT"), amount="10.00")
    assert "holds 10.00; 15.00 cannot be taken from it" in page(signed_in("read_books"), f"{OFFICE}{row.pk}/")


def test_the_csv_says_everything_and_no_text_becomes_a_formula() -> None:
    jackpot = a_jackpot()
    done("adjust", jackpot, amount="15.00")
    asked("suspend", jackpot, reason="=1+1")
    rows = list(csv.DictReader(io.StringIO(page(signed_in("read_books"), "/office/adjustments.csv"))))
    assert [(row["kind"], row["amount"], row["state"], row["entries"]) for row in rows] == [
        ("adjust", "15.00", "approved", "GRAND/2"), ("suspend", "", "requested", ""),
    ]  # fmt: skip
    assert rows[1]["why"] == "'=1+1"


def test_money_of_a_retired_jackpot_shows_its_clock() -> None:
    done("retire", a_jackpot(), reading="10000.00")
    text = page(signed_in("read_books"), OFFICE)
    assert "GRAND is retired and still holds $10,000.00." in text
    assert "30 days left" in text


def test_another_house_is_not_there() -> None:
    row = asked("adjust", a_jackpot(), amount="15.00")
    stranger = signed_in("read_books", "adjust", premises=a_property("OTHER", name="Other House"))
    assert stranger.get(f"{OFFICE}{row.pk}/").status_code == 404
    assert "Nothing waits." in page(stranger, OFFICE)
