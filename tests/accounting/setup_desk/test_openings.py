"""An opening is signed with the laboratory's figures: kept with the request, seen by who signs, told of the version."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from accounting.setup_desk.actions.setting_up import SetUpWish, set_up
from jackpot.books.models.jackpot import Jackpot, Version
from jackpot.books.queries import signed_figures
from jackpot.laboratory.record import is_sound
from jackpot.property.models.property import Property
from jackpot.refusals import Refused
from jackpot.requests.models import Request
from jackpot.signing.actions import SecondPerson, asking, kind_of, sign
from jackpot.trail.models import Trail
from tables.calculation.desk import desk
from tests.accounting.setup_desk.desk_scene import JACKPOT, a_new_house, browser, person, signed
from tests.builders import a_person
from tests.patience import until

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def office() -> Iterator[None]:
    yield
    desk().close()


@pytest.fixture
def house(db: None) -> Property:
    return a_new_house()


def asked(house: Property, **changed: Any) -> Request:
    told = {**JACKPOT, **changed}
    row = set_up(premises=house, wish=SetUpWish({"jackpots": [told]}), by=person("ann")).request
    assert row is not None
    return row


def answered(row: Request) -> Request:
    until(lambda: kind_of(row.kind).finish(Request.objects.get(pk=row.pk), None, wait=1) == 100, "the laboratory")
    return Request.objects.get(pk=row.pk)


def test_the_figures_are_frozen_with_the_request_and_told_of_version_1(house: Property) -> None:
    row = answered(asked(house))
    (said,) = row.preview["laboratory"]
    assert (said["jackpot"], said["unknown"], row.state) == ("GRAND", "", "previewed")
    assert said["question"]["question"]["meters"][0] == "10000.00"
    assert said["answer"]["house_edge"]
    assert is_sound(row.preview)
    assert row.preview["form"] == 1
    signed(row)
    told = signed_figures(Version.objects.select_related("jackpot"))[Version.objects.get().pk]
    assert (told.request, told.form, told.digest, told.sound) == (row.pk, 1, row.preview["digest"], True)
    assert told.answer == said["answer"]
    lines = Trail.objects.filter(act__in=("preview_set_up", "approve_set_up")).order_by("id")
    assert {line.details["digest"] for line in lines} == {row.preview["digest"]}


def test_nobody_signs_before_the_laboratory_has_answered_nor_exchanges_what_it_said(
    house: Property, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("accounting.setup_desk.actions.setting_up.finish_openings", lambda *_: 0)
    row = asked(house)
    assert row.state == "asked"
    with pytest.raises(Refused, match="has no preview yet"):
        sign(request_id=row.pk, approver=SecondPerson(person("bob")))
    assert not Jackpot.objects.exists()
    row = answered(row)
    with pytest.raises(IntegrityError, match="stays"), transaction.atomic():
        Request.objects.filter(pk=row.pk).update(preview={**row.preview, "laboratory": []})


def test_the_worker_sees_it_to_its_end_when_nobody_watches(house: Property, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("accounting.setup_desk.actions.setting_up.finish_openings", lambda *_: 0)
    row = asked(house)
    until(lambda: asking.finish_previews() == 1, "the laboratory")
    row.refresh_from_db()
    assert row.state == "previewed"
    assert Trail.objects.get(act="preview_set_up").actor == "Server"


def test_a_jackpot_that_loses_money_is_opened_by_an_executive_only(house: Property) -> None:
    row = answered(asked(house, rate="70"))
    assert "house_loses" in [finding["code"] for finding in row.findings]
    with pytest.raises(Refused, match=r"An executive must sign\.$"):
        signed(row)
    executive = a_person("boss", may=("configure", "override"), premises=house)
    sign(request_id=row.pk, approver=SecondPerson(executive))
    assert Jackpot.objects.get().code == "GRAND"


def test_rows_that_no_pack_knows_are_told_as_such(house: Property, monkeypatch: pytest.MonkeyPatch) -> None:
    from jackpot.refusals import NotUnderstood

    def unknown(*_: Any) -> None:
        raise NotUnderstood("How often “moon” comes is not known.")

    monkeypatch.setattr("accounting.setup_desk.actions.openings.question_of", unknown)
    row = answered(asked(house))
    (said,) = row.preview["laboratory"]
    assert (said["question"], said["answer"], said["unknown"]) == (None, None, "How often “moon” comes is not known.")
    assert [finding["code"] for finding in row.findings][-1] == "no_mathematics"
    page = browser("bob").get(f"/office/requests/{row.pk}/").content.decode()
    assert "The laboratory claims nothing of it" in page
    signed(row)
    assert "How often “moon” comes is not known." in terms_page(house)


def test_whoever_signs_sees_the_figures_on_the_page_and_over_the_api(house: Property) -> None:
    row = answered(asked(house))
    page = browser("bob").get(f"/office/requests/{row.pk}/").content.decode()
    for words in (
        "What the laboratory says of GRAND",
        "House edge",
        "Runs dry",
        "record form 1",
        row.preview["digest"],
    ):
        assert words in page, words
    told = browser("bob").get(f"/api/v1/requests/{row.pk}/").json()
    assert told["laboratory"] == row.preview
    signed(row)
    assert f"request {row.pk}</a>, record form 1)" in terms_page(house)
    (version,) = browser("reader").get("/api/v1/jackpots/GRAND/versions/").json()["results"]
    short = version["laboratory"]
    assert (short["request"], short["form"], short["digest"]) == (row.pk, 1, row.preview["digest"])
    assert short["house_edge"] == row.preview["laboratory"][0]["answer"]["house_edge"]


def test_a_page_that_waits_asks_again_and_is_led_back(house: Property, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("accounting.setup_desk.actions.setting_up.finish_openings", lambda *_: 0)
    row, bob = asked(house), browser("bob")
    assert "The laboratory is calculating" in bob.get(f"/office/requests/{row.pk}/").content.decode()
    monkeypatch.setattr("accounting.setup_desk.actions.kind.finish_openings", lambda *_: 40)
    assert "40 %" in bob.post(f"/office/requests/{row.pk}/preview/").content.decode()
    monkeypatch.undo()
    answered(row)
    led = bob.post(f"/office/requests/{row.pk}/preview/")
    assert (led.status_code, led["Location"]) == (302, f"/office/requests/{row.pk}/")
    assert Client().post(f"/office/requests/{row.pk}/preview/").status_code == 403


def test_a_taken_over_jackpot_is_asked_about_at_its_reading(house: Property) -> None:
    reading = {"meter": "18641.50", "reserve": "617.25", "house_seed": "10000.00", "evidence": "photo 12"}
    row = answered(asked(house, take_over=reading))
    assert row.preview["laboratory"][0]["question"]["question"]["meters"][0] == "18641.50"


def reader(house: Property) -> Client:
    client = Client()
    client.force_login(a_person("reader", may=("read_books",), premises=house))
    return client


def terms_page(house: Property) -> str:
    return reader(house).get("/jackpots/GRAND/versions/").content.decode()
