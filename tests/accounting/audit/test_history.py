"""What the trail tells beside a slip and a person of a house that played."""

from __future__ import annotations

import csv
import io
from copy import deepcopy

import pytest

from jackpot.trail.models import Trail
from jackpot.wins.models import Win
from tests.accounting.reports.report_scene import PlayedHouse
from tests.builders import a_property
from tests.jackpot.books.api_scene import signed_in
from tests.tampering import tamper_with

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def house(around_all: None) -> PlayedHouse:
    return PlayedHouse()


@pytest.fixture
def played(house: PlayedHouse) -> PlayedHouse:
    return deepcopy(house)


def test_the_history_of_a_slip_says_who_saw_printed_and_asked(played: PlayedHouse) -> None:
    reader = signed_in("read_books", "read_trail", username="looker", premises=played.house)
    slip = f"/office/wins/{played.wins[0].slip}/"
    reader.get(slip)
    page = reader.get(slip).content.decode()
    assert "paid" in page
    assert Trail.objects.filter(act="look", object_kind="slip").count() == 1
    told = reader.get("/api/v1/events/", {"object": f"slip {played.wins[0].slip}"}).json()["results"]
    assert {"redeem_slip", "look"} <= {row["act"] for row in told}
    stranger = signed_in("read_books", username="bookkeeper", premises=played.house)
    assert 'id="history-title"' not in stranger.get(slip).content.decode(), "the trail is for who may read it"


def test_lines_from_before_are_found_by_their_text_and_said_to_be(played: PlayedHouse) -> None:
    Trail.objects.create(actor="ann", act="give_notice", subject="slip 2", why="by letter")
    reader = signed_in("read_books", "read_trail", username="looker", premises=played.house)
    page = reader.get(f"/office/wins/{played.wins[1].slip}/").content.decode()
    assert "by letter" in page
    assert "found by their text alone" in page


def test_the_slip_is_the_one_number_of_a_win_in_addresses(played: PlayedHouse) -> None:
    win = played.wins[1]
    tamper_with(
        Win.objects.filter(pk=win.pk), number=win.slip + 70
    )  # the house's count of wins need not be that of slips
    reader = signed_in("see", "read_books", username="looker", premises=played.house)
    answer = reader.get(f"/wins/{win.slip}/")
    assert answer.url == f"/office/wins/{win.slip}/"
    assert f"Slip {win.slip}" in reader.get(answer.url).content.decode()
    assert reader.get(f"/api/v1/slips/{win.slip}/").json()["id"] == win.pk
    assert reader.get("/wins/999/").status_code == reader.get("/api/v1/slips/999/").status_code == 404
    stranger = signed_in("see", "read_books", username="stranger", premises=a_property("OTHER"))
    assert stranger.get(f"/wins/{win.slip}/").status_code == 404


def test_why_a_meter_fell_is_told_per_slip_and_printed(played: PlayedHouse) -> None:
    reader = signed_in("read_books", "read_trail", username="looker", premises=played.house)
    page = reader.get(f"/office/wins/{played.wins[0].slip}/why/")
    (row,) = page.context["fell"]
    assert row["slip"] == played.wins[0].slip
    assert row["verified"] == "cards seen"
    assert row["from_meter"] + row["from_reserve"] + row["from_house"] == row["amount"]
    answer = reader.post("/office/reports/falls/export/", {"slip": str(row["slip"]), "period": "all", "form": "csv"})
    lines = list(csv.reader(io.StringIO(answer.content.decode())))
    assert ["Slip", str(row["slip"])] in lines
    assert "Verified by" in answer.content.decode()


def test_the_history_of_a_person_says_which_slip_they_paid(played: PlayedHouse) -> None:
    reader = signed_in("read_trail", "people", username="looker", premises=played.house)
    page = reader.get("/office/people/cashier/").content.decode()
    assert "<strong>slip 1</strong>" in page
    assert ", win " not in page
