"""Who stands by before a large win is paid, as the window, the record, the hit's page, the paper and the API say it."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import pytest
from django.test import Client

from accounting.paper.printing.facts import facts_of
from accounting.paper.rules.copies import FILE_COPY
from jackpot.people.models import Operator
from jackpot.wins.models import Win
from tests.builders import CARD_PIN, a_card, a_person
from tests.jackpot.books.api_scene import signed_in
from tests.scenes_wins import WinFloor

pytestmark = pytest.mark.django_db
OTHER, PASSWORD = "600000000007", "a long word of one's own"


@pytest.fixture(scope="module")
def royal(around_all: None) -> Win:
    """Slip 1 of 20,000.00 in a house that wants surveillance and a second person from 10,000.00 on."""
    floor = WinFloor()
    house = floor.casino.premises
    house.surveillance_witness = house.second_person_witness = "10000.00"
    house.save()
    a_card(a_person("other"), number=OTHER)
    return floor.won({2: "royal"})[0]


@pytest.fixture
def win(royal: Win) -> Win:
    return deepcopy(royal)


def camera() -> Client:
    person = a_person("camera", may=("see", "camera", "read_books"), password=PASSWORD)
    client = Client()
    client.force_login(person)
    return client


def text(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


def test_the_window_names_who_is_missing_and_pays_once_they_are_there(win: Win) -> None:
    cage, eye = signed_in("pay", username="cage"), camera()
    held = text(cage.get("/office/cage/1/"))
    assert "a second person (from 10,000.00) and surveillance (from 10,000.00) have not stood by" in held
    assert "Stand by on the win’s record" in held
    assert "Pay $" not in held
    assert "not stood by" in text(cage.post("/office/cage/1/pay/", {"method": "cash"}, follow=True))
    record = text(eye.get("/office/wins/1/"))
    assert "The act comes to $20,000.00." in record
    assert "I stand by as" in record
    said = eye.post("/office/wins/1/stand-by/", {"part": "surveillance", "password": PASSWORD}, follow=True)
    assert "Test Camera stands by slip 1 as surveillance." in text(said)
    told = {"part": "second_person", "card": OTHER, "pin": CARD_PIN}
    assert "Test Other stands by slip 1 as a second person." in text(
        cage.post("/office/wins/1/stand-by/", told, follow=True)
    )
    assert "I stand by as" not in text(eye.get("/office/wins/1/"))
    assert "Pay $20,000.00" in text(cage.get("/office/cage/1/"))
    assert "Slip 1 is paid: $20,000.00." in text(cage.post("/office/cage/1/pay/", {"method": "cash"}, follow=True))


@pytest.mark.parametrize(("sent", "why"), [
    ({"part": "surveillance"}, "shows to be there"),
    ({"part": "everybody", "password": "x"}, "Choose who you stand by"),
    ({"part": "surveillance", "password": "wrong"}, "do not fit"),
    ({"part": "regulator", "password": PASSWORD}, "does not wait for the regulator"),
])  # fmt: skip
def test_a_refusal_says_the_cure_and_notes_nobody(win: Win, sent: dict[str, str], why: str) -> None:
    told = text(camera().post("/office/wins/1/stand-by/", sent, follow=True))
    assert why in told
    assert "missing: from $10,000.00" in told


def test_the_hits_page_says_whom_the_window_will_wait_for(win: Win) -> None:
    told = text(camera().get(f"/pit/wins/{win.table_code}/{win.round_number}/"))
    assert "Before it is paid, who stands by:" in told
    assert 'Surveillance <span class="muted">from $10,000.00' in told


def test_the_page_on_paper_names_who_stood_by(win: Win) -> None:
    camera().post("/office/wins/1/stand-by/", {"part": "surveillance", "password": PASSWORD})
    people = {each["role"]: each["name"] for each in facts_of(win, FILE_COPY).plain()["people"]}
    assert people["Stood by: surveillance"] == "Test Camera"


def test_a_program_reads_the_table_and_brings_a_word(win: Win) -> None:
    eye = camera()
    told = eye.get("/api/v1/slips/1/witnesses/").json()
    assert (told["total"], [(line["part"], line["met"]) for line in told["witnesses"]]) == (
        "20000.00", [("second_person", False), ("surveillance", False)],
    )  # fmt: skip
    body = json.dumps({"part": "surveillance", "password": PASSWORD})
    told = eye.post("/api/v1/slips/1/witnesses/", body, content_type="application/json").json()
    assert [(line["by"], line["met"]) for line in told["witnesses"]] == [("", False), ("Test Camera", True)]
    again = eye.post("/api/v1/slips/1/witnesses/", body, content_type="application/json")
    assert (again.status_code, "stands by slip 1 already" in again.json()["why"]) == (409, True)
    assert Operator.objects.get(username="camera").pk
