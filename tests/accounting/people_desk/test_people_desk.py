"""The people desk: everybody in one list, a page per person, sign-ins ended, names and cards unlocked."""

from __future__ import annotations

from typing import Final

import pytest
from django.test import Client

from accounting.reports.queries.asking import clock_of
from accounting.reports.queries.catalogue import REPORTS
from accounting.reports.queries.frame import report_page
from accounting.reports.rules.asking import read_question
from jackpot.people.models import Card, Operator
from jackpot.trail.models import Trail
from tests.builders import a_card, a_person, a_property, a_role

pytestmark = pytest.mark.django_db
PASSWORD: Final = "a long right password"
WHY: Final = {"reason": "asked at the desk"}


@pytest.fixture
def chief() -> Client:
    client = Client()
    client.force_login(a_person("chief", may=("people", "see")))
    return client


@pytest.fixture
def ann() -> Operator:
    a_role("cage", "see", "pay")
    return a_person("ann", roles=["cage"], password=PASSWORD)


def names(client: Client, question: str = "") -> list[str]:
    return [line.person.username for line in client.get(f"/office/people/{question}").context["lines"]]


def test_the_list_is_of_the_own_house_and_its_filters_only_take_away(chief: Client, ann: Operator) -> None:
    a_person("bob", premises=a_property("OTHER"))
    a_card(ann, number="600000001234", pin="274916")
    assert names(chief) == ["ann", "chief"]
    assert names(chief, "?role=cage") == names(chief, "?q=1234") == names(chief, "?state=signs+in") == ["ann"]
    assert names(chief, "?state=dismissed") == []
    line = chief.get("/office/people/?q=ann").context["lines"][0]
    assert (line.state, line.pin, line.roles, len(line.sessions)) == ("signs in", "set", ["Cage"], 0)
    assert chief.get("/office/people/bob/").status_code == 404


def test_one_sign_in_is_ended_or_all_of_them(chief: Client, ann: Operator) -> None:
    browsers = [Client(), Client(), Client()]
    for each in browsers:
        each.force_login(ann)
    sessions = chief.get("/office/people/ann/").context["line"].sessions
    assert len(sessions) == 3
    told = chief.post("/office/people/ann/sessions/", {**WHY, "session": sessions[0].name}, follow=True)
    assert "1 sign-in of Test Ann ended." in told.content.decode()
    assert sum("Location" in each.get("/jackpots/").headers for each in browsers) == 1
    chief.post("/office/people/ann/sessions/", {**WHY, "session": ""})
    assert all("Location" in each.get("/jackpots/").headers for each in browsers)
    told = chief.post("/office/people/ann/sessions/", {**WHY, "session": ""}, follow=True)
    assert "is not signed in there any more" in told.content.decode()
    assert Trail.objects.filter(act="end_sessions", subject="ann", why=WHY["reason"]).count() == 2


def test_the_key_of_a_sign_in_stands_on_no_page(chief: Client, ann: Operator) -> None:
    victim = Client()
    victim.force_login(ann)
    assert victim.cookies["sessionid"].value not in chief.get("/office/people/ann/").content.decode()


def test_a_locked_name_is_unlocked_and_the_old_password_counts(chief: Client, ann: Operator) -> None:
    for _ in range(5):
        Client().post("/sign-in/", {"username": "ann", "password": "guess"})
    right = {"username": "ann", "password": PASSWORD}
    assert "Too many wrong tries" in Client().post("/sign-in/", right).content.decode()
    assert "name locked" in chief.get("/office/people/ann/").content.decode()
    told = chief.post("/office/people/ann/unlock/", WHY, follow=True)
    assert "Test Ann may try the password again" in told.content.decode()
    assert Client().post("/sign-in/", right).status_code == 302
    told = chief.post("/office/people/ann/unlock/", WHY, follow=True)
    assert "The name ann is not locked" in told.content.decode()


def test_nobody_unlocks_a_name_of_their_own(chief: Client) -> None:
    for _ in range(5):
        Client().post("/sign-in/", {"username": "chief", "password": "guess"})
    answer = chief.post("/api/v1/people/chief/unlock/", WHY, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (403, "same_person")


def test_a_card_is_blocked_from_the_page_of_its_person_only(chief: Client, ann: Operator) -> None:
    card, other = a_card(ann, number="600000001234"), a_card(a_person("bob"), number="600000005678")
    told = chief.post("/office/people/ann/card/", {**WHY, "card_number": other.pk, "act": "block"}, follow=True)
    assert "has no such card" in told.content.decode()
    chief.post("/office/people/ann/card/", {**WHY, "card_number": card.pk, "act": "block"})
    assert [each.blocked_at is None for each in Card.objects.order_by("pk")] == [False, True]
    assert "card blocked" in chief.get("/office/people/ann/").content.decode()


def test_who_reads_the_trail_looks_on_and_acts_on_nobody(ann: Operator) -> None:
    auditor = Client()
    auditor.force_login(a_person("auditor", may=("read_trail",)))
    page = auditor.get("/office/people/ann/").content.decode()
    assert "History" in page
    assert 'action="/office/' not in page.split('id="main"')[1]
    assert auditor.post("/office/people/ann/dismiss/", {**WHY, "sure": "ann"}).status_code == 403


def test_who_has_neither_card_nor_password_has_no_way_in_yet(chief: Client) -> None:
    house = Operator.objects.get(username="chief").premises
    assert house is not None
    for name in ("new", "carded"):
        a_person(name, premises=house)
    a_card(Operator.objects.get(username="carded"), number="600000001299", pin="274916")
    assert "new" in names(chief, "?state=no+way+in+yet")
    assert names(chief, "?state=card+only") == ["carded"]
    report = REPORTS["access"]
    rows = report_page(report, read_question(report, {"period": "all"}, clock_of(house))).rows
    states = {row["username"]: row["state"] for row in rows}
    assert (states["new"], states["carded"]) == ("no way in yet", "card only")
