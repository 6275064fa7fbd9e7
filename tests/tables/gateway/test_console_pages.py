"""The door of the console: who gets the keys, who gets the badge field, who gets neither."""

from __future__ import annotations

import pytest
from django.test import Client

from tables.floor.models.duty import TableDuty
from tables.gateway.actions.console import take_duty
from tests.builders import a_card, a_casino, a_person, a_property
from tests.jackpot.books.api_scene import signed_in

pytestmark = pytest.mark.django_db
BADGE, OTHERS = "600000000101", "600000000102"


def dealer() -> Client:
    casino = a_casino()
    person = a_person("dealer", may=("see", "deal"), premises=casino.premises)
    a_card(person, number=BADGE, level="dealer")
    a_card(a_person("other", may=("deal",)), number=OTHERS, level="dealer")
    client = Client()
    client.force_login(person)
    return client


def badge(client: Client, number: str = BADGE) -> str:
    answer = client.post("/tables/UTH-01/duty/", {"act": "in", "badge": number}, follow=True)
    return " ".join(answer.content.decode().split())


def test_without_a_duty_the_console_asks_for_the_badge() -> None:
    page = dealer().get("/tables/UTH-01/console/").content.decode()
    assert "Badge in at UTH-01" in page
    assert "data-console" not in page


def test_a_badge_opens_the_console() -> None:
    page = badge(dealer())
    assert 'data-console="UTH-01"' in page
    assert TableDuty.objects.get().operator.username == "dealer"


def test_the_badge_of_somebody_else_is_refused_by_name() -> None:
    page = badge(dealer(), OTHERS)
    assert "This badge is Test Other&#x27;s, but Test Dealer is signed in." in page
    assert not TableDuty.objects.exists()


def test_an_unknown_badge_is_refused() -> None:
    assert "This badge is not accepted here" in badge(dealer(), "999999999999")


def test_a_badge_takes_over_from_the_dealer_before() -> None:
    client = dealer()
    other = a_person("third", may=("deal",))
    a_card(other, number="600000000103", level="dealer")
    take_duty(table_code="UTH-01", operator=other, badge="600000000103")
    assert "Test Third is on duty here" in client.get("/tables/UTH-01/console/").content.decode()
    badge(client)
    assert [duty.operator.username for duty in TableDuty.objects.filter(ended_at=None)] == ["dealer"]


def test_badge_out_closes_the_console() -> None:
    client = dealer()
    badge(client)
    page = client.post("/tables/UTH-01/duty/", {"act": "out"}, follow=True).content.decode()
    assert "You are badged out at UTH-01." in page
    assert "Badge in at UTH-01" in page


def test_who_only_reads_sees_no_badge_field() -> None:
    a_casino()
    page = signed_in("read_books").get("/tables/UTH-01/console/").content.decode()
    assert "The console is for the dealer on duty" in page
    assert 'name="badge"' not in page


def test_who_may_not_deal_cannot_badge_in() -> None:
    a_casino()
    assert signed_in("read_books").post("/tables/UTH-01/duty/", {"act": "in"}).status_code == 403


def test_a_table_of_another_house_is_not_there() -> None:
    a_casino()
    stranger = signed_in("deal", premises=a_property("OTHER"))
    assert stranger.get("/tables/UTH-01/console/").status_code == 404
    assert stranger.post("/tables/UTH-01/duty/", {"act": "in", "badge": BADGE}, follow=True).status_code == 404


def test_the_list_of_consoles_names_who_deals() -> None:
    client = dealer()
    badge(client)
    page = client.get("/consoles/").content.decode()
    assert "/tables/UTH-01/console/" in page
    assert "Test Dealer" in page


def test_the_floor_and_the_home_page_lead_to_the_console() -> None:
    client = dealer()
    assert "/consoles/" in client.get("/tables/").content.decode()
    assert "/consoles/" in client.get("/").content.decode()
