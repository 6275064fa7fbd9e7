"""The inbox of every kind of request, and the number of what waits at the top of the page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from accounting.reports.queries.waiting import KINDS
from jackpot.books.models.jackpot import Jackpot
from jackpot.requests.models import Request
from jackpot.signing.actions.kinds import register, unregister
from tests.builders import Casino, a_casino, a_person, a_property
from tests.jackpot.books.api_scene import signed_in
from tests.jackpot.signing.test_tiny_kind import RenameHouse
from tests.jackpot.signing.test_tiny_kind import asked as asked_to_rename
from tests.scenes_adjusting import approved, asked, done
from tests.scenes_authority import asked as asked_authority
from tests.scenes_configure import drafted
from tests.scenes_owed import OwedFloor

pytestmark = pytest.mark.django_db
ALL = "/office/requests/"
SIGNS = ("see", "read_books", "configure", "sign_adjustments")


@pytest.fixture
def casino() -> Casino:
    return a_casino(meter="20000.00")


@pytest.fixture
def grand(casino: Casino) -> Jackpot:
    return casino.jackpot


@pytest.fixture
def signer(casino: Casino) -> Client:
    return signed_in(*SIGNS, username="vera", password="right", premises=casino.premises)


@pytest.fixture
def renames() -> Iterator[RenameHouse]:
    kind = RenameHouse()
    register(kind)
    yield kind
    unregister(kind.code)


def page(client: Client, where: str = ALL) -> str:
    answer = client.get(where)
    assert answer.status_code == 200, answer.content
    return " ".join(answer.content.decode().split())


def test_every_kind_stands_in_one_list_with_who_why_and_how_old(grand: Jackpot, signer: Client) -> None:
    adjust = asked("adjust", grand, amount="15.00", by="porter")
    terms = drafted(grand, rate="60")
    authority = asked_authority(grand.premises, executive_threshold="7500.00")
    shown = page(signer)
    for expected in (
        "Adjustment", "Other terms", "rate to the meter 70 % → 60 %", "Authority",
        "executive threshold 5,000.00 → 7,500.00",
        "Test Asker: the tests ask for it", "yours to sign, just now", "3 wait.",
        *(f'href="/office/requests/{row.pk}/"' for row in (adjust, terms, authority)),
    ):  # fmt: skip
        assert expected in shown, expected
    assert "Other terms" not in page(signer, f"{ALL}?kind=adjust").partition("Waiting for a second person")[2]


@pytest.mark.usefixtures("renames")
def test_whatever_waits_in_the_inbox_waits_on_the_morning_too_once(grand: Jackpot, signer: Client) -> None:
    house = grand.premises
    asked("adjust", grand, amount="15.00", by="porter")
    drafted(grand, rate="60")
    asked_authority(house, executive_threshold="7500.00")
    asked_to_rename(house, a_person("mia", may=("configure",), premises=house))
    told = signer.get("/api/v1/reports/waiting/").json()["results"]
    assert sorted(row["what"] for row in told) == ["Authority", "Other request", "Request", "Terms"]
    assert "Rename House, number" in str(told)
    assert set(KINDS) >= {row["what"] for row in told}


def test_the_top_of_the_page_says_how_many_wait_and_since_when(grand: Jackpot, signer: Client) -> None:
    assert "requests wait" not in page(signer, "/")
    asked("adjust", grand, amount="15.00")
    asked("suspend", grand)
    shown = page(signer, "/")
    assert "2 requests wait" in shown
    assert "data-age" in shown
    assert "requests wait" not in page(signed_in("see", "read_books", username="auditor"), "/")


def test_what_is_decided_stays_in_the_list_with_both_people(grand: Jackpot, signer: Client) -> None:
    done("adjust", grand, amount="15.00")
    shown = page(signer)
    assert "Nothing waits." in shown
    for expected in ("approved", "Test Asker", "Test Signer"):
        assert expected in shown


def test_of_another_house_there_is_nothing(grand: Jackpot) -> None:
    row = asked("adjust", grand, amount="15.00")
    stranger = signed_in(*SIGNS, username="stranger", premises=a_property("OTHER"))
    assert "Adjustment</strong>" not in page(stranger)
    assert stranger.get(f"{ALL}{row.pk}/").status_code == 404


@pytest.mark.usefixtures("renames")
def test_a_new_kind_has_its_page_and_is_signed_there_by_who_proves_to_be_there(casino: Casino, signer: Client) -> None:
    asker = a_person("mia", may=("configure",), premises=casino.premises)
    row = asked_to_rename(casino.premises, asker)
    shown = page(signer, f"{ALL}{row.pk}/")
    for expected in ("Name of the house", "sold last week", "Grand Hotel", "or your own password"):
        assert expected in shown, expected
    refused = said(signer.post(f"{ALL}{row.pk}/approve/", {}, follow=True))
    assert "Read an executive&#x27;s card, or write your own password." in refused
    assert "is signed by Test Vera" in said(signer.post(f"{ALL}{row.pk}/approve/", {"password": "right"}, follow=True))
    casino.premises.refresh_from_db()
    assert (casino.premises.name, Request.objects.get().state) == ("Grand Hotel", "in_force")


def test_a_refused_form_is_not_left_on_an_address_that_answers_nothing(grand: Jackpot) -> None:
    asker = signed_in("see", "read_books", "adjust", username="ada", premises=grand.premises)
    refused = asker.post("/office/adjustments/new/", {"kind": "adjust", "jackpot": "GRAND", "amount": "1e5"})
    assert (refused.status_code, 'value="1e5"' in refused.content.decode()) == (400, True)
    unknown = asker.get("/office/adjustments/new/?kind=retirement")
    assert (unknown.status_code, "There is no request of the kind “retirement”" in unknown.content.decode()) == (
        404,
        True,
    )


def said(answer: Any) -> str:
    assert answer.status_code == 200
    text: str = answer.content.decode()
    return " ".join(text.split())


def test_programs_read_and_sign_every_kind_at_one_door(grand: Jackpot, signer: Client) -> None:
    row = asked("suspend", grand, by="porter")
    drafted(grand, rate="60")
    every = signer.get("/api/v1/requests/").json()["results"]
    assert [(each["kind"], each["state"], each["asked_by"]) for each in every] == [
        ("terms", "previewed", "Test Asker"), ("suspend", "previewed", "Test Porter"),
    ]  # fmt: skip
    assert every[0]["changes"] == [{"name": "Rate to the meter", "before": "70 %", "after": "60 %"}]
    where = f"/api/v1/requests/{row.pk}/"
    alone = signer.post(f"{where}approve/", {}, content_type="application/json").json()
    assert alone["code"] == "signature"
    signed = signer.post(f"{where}approve/", {"password": "right"}, content_type="application/json").json()["request"]
    assert (signed["state"], signed["decided_by"], signed["entries"]) == ("in_force", "Test Vera", ["GRAND/2"])
    assert [each["id"] for each in signer.get("/api/v1/requests/?state=in_force&kind=suspend").json()["results"]] == [
        row.pk
    ]
    refused = signer.post(
        f"/api/v1/requests/{every[0]['id']}/refuse/", {"reason": "no"}, content_type="application/json"
    )
    assert refused.json()["request"]["decided_reason"] == "no"
    assert signer.get("/api/v1/requests/999999/").status_code == 404


def test_addresses_of_before_all_kinds_had_one_page_lead_there(grand: Jackpot, signer: Client) -> None:
    adjust, terms = asked("adjust", grand, amount="15.00", by="porter"), drafted(grand, rate="60")
    authority = asked_authority(grand.premises, executive_threshold="7500.00")
    for once, row in (
        (f"/office/adjustments/{adjust.pk}/", adjust), (f"/office/config/GRAND/{terms.number}/", terms),
        (f"/office/authority/{authority.number}/", authority),
    ):  # fmt: skip
        assert signer.get(once).headers["Location"] == f"{ALL}{row.pk}/", once
    assert signer.get("/office/adjustments/").headers["Location"] == f"{ALL}?kind=adjustments"
    assert signer.get("/office/adjustments/?kind=suspend").headers["Location"] == f"{ALL}?kind=suspend"
    stranger = signed_in(*SIGNS, username="stranger", premises=a_property("OTHER"))
    for once in (f"/office/adjustments/{adjust.pk}/", "/office/config/GRAND/1/", f"/office/adjustments/{terms.pk}/"):
        assert stranger.get(once).status_code == 404, once
    assert signer.get(f"/office/adjustments/{terms.pk}/").status_code == 404


def test_the_one_page_says_of_each_kind_what_its_own_page_said(grand: Jackpot, signer: Client) -> None:
    adjust, terms = asked("adjust", grand, amount="15.00", by="porter"), drafted(grand, rate="60")
    authority = asked_authority(grand.premises, executive_threshold="7500.00", marker_may_verify=True)
    for row, words in (
        (adjust, ("+15.00 to the meter of GRAND", "Before and after, as of now", "20,015.00", "Approve")),
        (terms, ("Change 1 of Grand", "In force at the next reset.", "What differs", "70 %", "60 %", "Approve")),
        (authority, ("Change 1 of the house", "from the gaming day after the second signature", "7,500.00")),
    ):
        shown = page(signer, f"{ALL}{row.pk}/")
        for expected in words:
            assert expected in shown, (row, expected)
    said(signer.post(f"{ALL}{terms.pk}/approve/", {"password": "right"}, follow=True))
    assert "Version 2 waits for the next reset" in page(signer, f"{ALL}{terms.pk}/")
    assert "Take the request back" in page(signer, f"{ALL}{terms.pk}/"), "what waits for its reset may still fall"
    told = said(signer.post(f"{ALL}{adjust.pk}/approve/", {"password": "right"}, follow=True))
    assert f"Adjustment {adjust.pk} is approved by Test Vera: GRAND/2." in told
    assert "from the gaming day" not in said(
        signer.post(f"{ALL}{authority.pk}/refuse/", {"why": "nobody would look"}, follow=True)
    )


def test_who_may_only_read_a_kind_does_not_refuse_it(grand: Jackpot) -> None:
    """A close of the day opens this door; it says nothing of money."""
    row, terms = asked("adjust", grand, amount="15.00", by="porter"), drafted(grand, rate="60")
    reader = signed_in("read_books", "close_day", username="closer", premises=grand.premises)
    for each in (row, terms):
        told = said(reader.post(f"{ALL}{each.pk}/refuse/", {"why": "no"}, follow=True))
        assert "is refused" not in told
        each.refresh_from_db()
        assert each.state == "previewed"
        assert ">Refuse<" not in page(reader, f"{ALL}{each.pk}/")
    assert "may not refuse this. A person who may ask for it or sign it does." in said(
        reader.post(f"{ALL}{row.pk}/refuse/", {"why": "no"}, follow=True)
    )


def test_a_back_out_and_what_comes_of_it_lead_to_their_slips_and_to_each_other() -> None:
    floor = OwedFloor()
    first, later = floor.v9b()
    cause = floor.back_out(first)
    reader = signed_in("see", "read_books", "adjust", username="reader")
    shown = page(reader, f"{ALL}{cause.pk}/")
    assert f'href="/office/wins/{first.slip}/"' in shown
    assert f"kind=difference&amp;cause={cause.pk}&amp;win={later.slip}" in shown, (
        "who asks decides of each later winner"
    )
    row = approved(asked("difference", floor.jackpot, cause=cause, win=later, pays=True))
    shown = page(reader, f"{ALL}{row.pk}/")
    for expected in (f'href="{ALL}{cause.pk}/"', "Its page", "+469.14", "As it was", "Without it"):
        assert expected in shown, expected
    assert f'href="{ALL}{row.pk}/"' in page(reader, f"{ALL}{cause.pk}/")


def test_kinds_are_chosen_from_those_that_the_house_has_asked_for(grand: Jackpot, signer: Client) -> None:
    assert 'aria-label="Kinds"' not in page(signer)
    asked("adjust", grand, amount="15.00", by="porter")
    tabs = page(signer).split('aria-label="Kinds"')[1].split("</nav>")[0]
    assert ("?kind=adjustments" in tabs, '?kind=adjust"' in tabs, "?kind=transfer" in tabs) == (True, True, False)
    assert '?kind=transfer" aria-current' in page(signer, f"{ALL}?kind=transfer"), "what is looked at keeps its tab"
