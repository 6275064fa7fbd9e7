"""The bar at the top of every page: day, shift, who, card level, wins that wait, and the end of the session."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from jackpot.configuring.actions.house_rules import declare_shifts
from jackpot.people.actions.people import alter_card
from jackpot.property.rules.shift import ShiftHours, ShiftPlan
from tables.hits.actions import hit
from tests.builders import a_card, a_person, a_property
from tests.jackpot.books.api_scene import a_played_casino, play, signed_in

pytestmark = pytest.mark.django_db


def bar(client: Client, where: str = "/") -> str:
    page = client.get(where).content.decode()
    return " ".join(page.partition("<main")[0].split())


def a_hit() -> None:
    casino = a_played_casino()
    play(casino.controller, 2, "125", ends=False)
    hit.mark(table_code="UTH-01", round_number=2, seat=1, hand="full_house", by="Test Dealer")
    hit.mark(table_code="UTH-01", round_number=2, seat=2, hand="full_house", by="Test Dealer")


@pytest.mark.parametrize("where", ["/", "/pit/", "/pit/keys/", "/jackpots/", "/office/wins/"])
def test_it_tells_house_day_shift_person_and_card_on_every_page(where: str) -> None:
    plan = ShiftPlan(date(2020, 1, 1), (ShiftHours("Only", 0),))
    declare_shifts(premises=a_property(), plan=plan, by="tests")
    client = Client()
    person = a_person("ann", may=("see", "read_books"))
    a_card(person, number="900000000301", level="executive", pin="274916")
    client.force_login(person)
    told = bar(client, where)
    for words in ("Reference Card Room", "Gaming day", "Only shift", "Test Ann", "executive card", "No win pending"):
        assert words in told


def test_a_card_that_is_blocked_or_over_gives_no_level() -> None:
    client = Client()
    person = a_person("ann", may=("see",))
    card = a_card(person)
    client.force_login(person)
    assert "supervisor card" in bar(client)
    alter_card(card=card, level="supervisor", expires_on=timezone.now().date() - timedelta(days=1), by="tests")
    assert "supervisor card" not in bar(client)


def test_rounds_that_wait_are_counted_once_each_with_the_age_of_the_oldest() -> None:
    a_hit()
    client = signed_in("run_tables")
    told = bar(client)
    assert "1 win pending" in told
    assert "data-age" in told


def test_who_has_no_business_in_the_pit_is_told_nothing_of_it() -> None:
    a_hit()
    client = signed_in("count")
    assert "pending" not in bar(client)
    assert client.get("/pending/").status_code == 403


def test_the_part_comes_again_only_when_other_wins_wait_and_then_is_spoken() -> None:
    client = signed_in("run_tables")
    calm = client.get("/pending/").content.decode()
    assert "No win is pending any more" in calm
    seen = calm.partition("?seen=")[2].partition('"')[0]
    assert client.get("/pending/", {"seen": seen}).status_code == 204
    a_hit()
    assert "1 win pending in the pit" in client.get("/pending/", {"seen": seen}).content.decode()


def test_a_session_is_prolonged_by_one_press_and_its_end_stands_on_the_page() -> None:
    client = signed_in("see")
    with time_machine.travel(timezone.now() + timedelta(hours=7, minutes=58)):
        answer = client.post("/stay/", headers={"Accept": "application/json"}).json()
        assert answer["ok"]
    with time_machine.travel(timezone.now() + timedelta(hours=15)):
        assert client.get("/jackpots/").status_code == 200
        assert f'data-ends="{answer["ends"][:16]}' in bar(client)


def test_without_a_script_staying_leads_back_to_where_one_was_and_nowhere_else() -> None:
    client = signed_in("see")
    assert client.post("/stay/", {"next": "/jackpots/"}).headers["Location"] == "/jackpots/"
    assert client.post("/stay/", {"next": "https://elsewhere.example/"}).headers["Location"] == "/"
    assert Client().post("/stay/").headers["Location"] == "/sign-in/"
