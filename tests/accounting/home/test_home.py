from __future__ import annotations

import re
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from accounting.alarms.models import HouseAlarm
from accounting.alarms.rules import AlarmKind
from accounting.days.actions.closing import close_day, sign_day
from accounting.home.queries.morning import _balances
from accounting.reports.queries.asking import clock_of
from jackpot.people.models import Operator
from tests.builders import a_jackpot, a_property, a_sign
from tests.jackpot.books.api_scene import signed_in
from tests.scenes_days import a_worked_day, two_accountants

pytestmark = pytest.mark.django_db


def test_a_demo_house_shows_the_way_around_before_signing_in() -> None:
    a_sign("WALL", a_jackpot("GRAND", premises=a_property("DEMO", demo=True)))
    page = Client().get("/").content.decode()
    for address in ("/signs/WALL/", "/tables/", "/jackpots/", "/api/v1/docs/", "/sign-in/"):
        assert f'href="{address}"' in page


def test_a_real_house_shows_a_visitor_nothing_but_the_door() -> None:
    a_sign("WALL", a_jackpot("GRAND", meter="20000.00"))
    page = Client().get("/").content.decode()
    assert "20,000" not in page
    assert "/signs/" not in page
    assert 'href="/sign-in/"' in page


def test_staff_find_their_work_and_the_meters() -> None:
    a_jackpot("GRAND", meter="20000.00")
    page = signed_in("see").get("/").content.decode()
    assert "$20,000.00" in page
    assert 'href="/tables/"' in page


@pytest.mark.parametrize(
    ("verb", "addresses"),
    [
        ("pay", {"/office/cage/", "/office/wins/"}),
        ("read_books", {"/office/wins/", "/office/lab/"}),
        ("close_day", {"/office/wins/"}),
        ("configure", {"/office/lab/"}),
        ("deal", {"/train/"}),
        ("count", set()),
    ],
)
def test_each_finds_their_own_doors_in_the_bar_and_on_the_page(verb: str, addresses: set[str]) -> None:
    page = signed_in(verb).get("/").content.decode()
    for address in ("/office/cage/", "/office/wins/", "/office/lab/", "/train/"):
        assert page.count(f'href="{address}"') == (2 if address in addresses else 0), address


def test_who_may_nothing_is_told_who_can_change_that() -> None:
    assert "An administrator can change that" in signed_in("camera").get("/").content.decode()


def test_a_house_that_is_still_empty_has_a_first_page() -> None:
    assert Client().get("/").status_code == 200


@pytest.mark.parametrize("address", ["/nothing/", "/jackpots/NONE/", "/rounds/UTH-01/0/"])
def test_what_is_not_there_is_said_in_our_look(address: str) -> None:
    answer = signed_in().get(address)
    assert answer.status_code == 404
    assert "Nothing here" in answer.content.decode()


def test_a_fault_of_ours_has_a_page_that_asks_the_database_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    client = signed_in()
    client.raise_request_exception = False
    client.get("/nothing/")  # every page is imported by now; one that came later would keep the fault for good
    monkeypatch.setattr("jackpot.books.queries.jackpots", lambda _: 1 / 0)
    answer = client.get("/jackpots/")
    assert answer.status_code == 500
    assert "Our fault" in answer.content.decode()
    assert "division" not in answer.content.decode()


@pytest.mark.parametrize(
    ("verbs", "told"),
    [
        (("see", "pay"), ["1 Unclaimed slip"]),
        (("see", "count"), ["1 Day not closed"]),
        (("see", "people"), ["2 Alarms"]),
        (("see", "service", "watch"), ["2 Alarms"]),
        (("see", "camera"), []),
    ],
)
def test_whoever_has_no_morning_is_told_what_waits_with_its_age(verbs: tuple[str, ...], told: list[str]) -> None:
    made = a_worked_day()
    for subject in ("UTH-01-C", "UTH-02-C"):
        HouseAlarm.objects.create(
            premises=made.premises, kind=AlarmKind.DEVICE_LATE, subject=subject, words="is not heard"
        )
    page = signed_in(*verbs, username="looker", premises=made.premises).get("/").content.decode()
    line = r'<li[^>]*><span class="many">(\d+)</span><span><a href="[^"]+">([^<]+)</a></span>(.*?)</li>'
    listed = re.findall(line, page)
    assert [f"{many} {what}" for many, what, _ in listed] == told
    assert all("data-age" in rest for *_, rest in listed)


def test_a_day_that_nobody_closed_waits_until_two_people_closed_it() -> None:
    made = a_worked_day()
    one, two = two_accountants()
    reader = signed_in("read_books", username="looker", premises=made.premises)

    def waiting() -> list[str]:
        rows = reader.get("/api/v1/reports/waiting/").json()["results"]
        return [row["subject"] for row in rows if row["what"] == "Day not closed"]

    assert waiting() == [f"Gaming day {made.day}"]
    sign_day(**made.where(), by=one)
    assert waiting() == [f"Gaming day {made.day}, signed by one person"]
    close_day(**made.where(), by=two)
    assert waiting() == []


@pytest.mark.parametrize("address", ["/office/setup/codes/", "/me/password/", "/office/reports/put-away/"])
def test_an_address_that_takes_a_form_only_says_so_to_who_opens_it(address: str) -> None:
    answer = signed_in("see", "set_up", "read_books").get(address)
    assert (answer.status_code, answer.headers["Allow"]) == (405, "POST")
    assert "takes what a form sends" in answer.content.decode()


def test_the_morning_tells_how_old_the_last_backup_and_proof_are() -> None:
    a_jackpot("GRAND", meter="20000.00")
    client = signed_in("read_books", username="accountant")
    Operator.objects.update(created_at=timezone.now() - timedelta(hours=31))
    told = " ".join(client.get("/office/").content.decode().split())
    assert "No backup was ever made." in told
    assert "The books were never proven." in told
    waits = {row["what"]: row["subject"] for row in client.get("/api/v1/reports/waiting/").json()["results"]}
    assert waits["Backup"] == "None was ever made"
    call_command("backup", elsewhere="nightly, pgBackRest", stdout=StringIO())
    call_command("prove", stdout=StringIO())
    told = " ".join(client.get("/office/").content.decode().split())
    assert "Backup: nightly, pgBackRest" in told
    assert "The books were never proven." not in told
    assert "Backup" not in {row["what"] for row in client.get("/api/v1/reports/waiting/").json()["results"]}


def test_the_morning_tells_of_more_jackpots_than_five_hundred() -> None:
    house = a_property()
    for number in range(501):
        a_jackpot(f"JP-{number}", meter="10000.00", premises=house)
    clock = clock_of(house)
    assert len(_balances(clock, clock.now)) == 501
