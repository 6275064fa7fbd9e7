"""Beside a hit: the surveillance checklist of the house, and the tax flag."""

from __future__ import annotations

from datetime import date

import pytest
from django.db import DatabaseError, connection, transaction
from django.test import Client

from jackpot.configuring.actions.house_rules import declare_tax
from jackpot.money import Money
from jackpot.property.models.property import Property
from jackpot.property.rules.tax import TaxRule
from jackpot.refusals import Refused
from jackpot.trail.models import Trail
from jackpot.wins.actions.pay import redeem
from jackpot.wins.models import Payment, Win
from tables.hits.actions import hit
from tables.hits.models.surveillance import SurveillanceTick
from tests.builders import a_person, a_property
from tests.hands import with_cards
from tests.scenes_wins import EXECUTIVE, PIN, WinFloor
from tests.tampering import tamper_with

pytestmark = pytest.mark.django_db
PAGE = "/pit/wins/UTH-01/1/"


def eyes(*may: str) -> Client:
    client = Client()
    client.force_login(a_person("eyes", may=may or ("see", "camera", "read_books")))
    return client


@pytest.fixture
def floor() -> WinFloor:
    a_property(surveillance=("camera_time", "seat"))
    floor = WinFloor()
    floor.royal()
    return floor


def test_a_thing_is_ticked_once_with_who_when_and_what_the_camera_said(floor: WinFloor) -> None:
    client = eyes()
    asked = {"item": "camera_time", "note": "camera 7, 02:14:09"}
    page = client.post(f"{PAGE}tick/", asked, follow=True).content.decode()
    assert "Camera time: ticked by Test Eyes." in page
    assert "camera 7, 02:14:09" in page
    again = client.post(f"{PAGE}tick/", asked, follow=True).content.decode()
    assert "was ticked by Test Eyes already. It stays." in again
    tick = SurveillanceTick.objects.get()
    assert (tick.item, tick.note, str(tick.operator)) == ("camera_time", "camera 7, 02:14:09", "Test Eyes")
    assert Trail.objects.filter(act="surveillance_tick", subject="UTH-01/1").count() == 1


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({"item": "camera_time"}, "Write the camera and what its clock says"),
        ({"item": "cards"}, "has no “cards” on its checklist"),
        ({"item": "shoes"}, "has no “shoes” on its checklist"),
    ],
)
def test_what_cannot_be_ticked_is_refused_with_a_sentence(floor: WinFloor, asked: dict[str, str], why: str) -> None:
    assert why in eyes().post(f"{PAGE}tick/", asked, follow=True).content.decode()
    assert not SurveillanceTick.objects.exists()


def test_who_only_reads_sees_the_list_and_no_button(floor: WinFloor) -> None:
    client = eyes("see", "read_books")
    page = client.get(PAGE).content.decode()
    assert "Seat in the picture" in page
    assert f"{PAGE}tick/" not in page
    assert 'name="item"' not in page
    assert client.post(f"{PAGE}tick/", {"item": "seat"}).status_code == 403


def test_a_house_without_checklist_and_tax_shows_neither() -> None:
    WinFloor().royal()
    assert "Surveillance and tax" not in eyes().get(PAGE).content.decode()


def test_a_win_that_must_be_reported_is_flagged_with_what_is_withheld(floor: WinFloor) -> None:
    client = eyes()
    assert "Tax:" not in client.get(f"{PAGE}watch/").content.decode()
    premises = Property.objects.get()
    rule = TaxRule(date(2200, 1, 1), Money.of("600"), 300, Money.of("5000"), 240_000)
    declare_tax(premises=premises, rule=rule, by="tests")
    assert "nothing to report" in client.get(f"{PAGE}watch/").content.decode()


def test_the_flag_counts_by_the_rule_of_the_day_and_takes_the_wager_off() -> None:
    rule = TaxRule(date(2020, 1, 1), Money.of("600"), 300, Money.of("5000"), 240_000)
    declare_tax(premises=a_property(), rule=rule, by="tests")
    WinFloor().royal()
    assert "seat 2 is reported, $4,799.76 withheld" in eyes().get(f"{PAGE}watch/").content.decode()


def test_what_was_paid_is_flagged_by_the_rule_of_its_day_of_payment() -> None:
    house, floor = a_property(), WinFloor()
    for first, rate in ((date(2020, 1, 1), 240_000), (date(2025, 6, 1), 100_000)):
        declare_tax(premises=house, rule=TaxRule(first, Money.of("600"), 300, Money.of("5000"), rate), by="tests")
    floor.royal()
    client = eyes()
    assert "$1,999.90 withheld" in client.get(f"{PAGE}watch/").content.decode()
    redeem(slip=1, payer=a_person("cage", may=("pay",)), form_seen=True)
    tamper_with(Payment.objects.all(), gaming_day=date(2024, 5, 5))
    assert "$4,799.76 withheld" in client.get(f"{PAGE}watch/").content.decode()


def test_a_tick_stays_whoever_asks_the_database(floor: WinFloor) -> None:
    eyes().post(f"{PAGE}tick/", {"item": "seat"})
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("DELETE FROM tables_surveillancetick")


def test_where_the_house_says_so_nobody_approves_before_surveillance_looked() -> None:
    """By card at the table and by card on the pit page alike; without the switch the list holds nothing up."""
    a_property(surveillance=("camera_time", "seat"), surveillance_first=True)
    floor, client = WinFloor(), eyes()
    met: list[str] = []

    def looked() -> None:
        place = {"table_code": "UTH-01", "round_number": 1}
        hit.confirm(**place, by="Test Supervisor")
        with_cards(**place)
        for item, missing in (("camera_time", "camera time, seat in the picture"), ("seat", "seat in the picture")):
            with pytest.raises(Refused, match=f"not ticked off yet: {missing}") as why:
                hit.swipe(**place, card=EXECUTIVE, pin=PIN)
            met.append(why.value.code)
            assert "Nobody approves before all of it" in client.get(PAGE).content.decode()
            client.post(f"{PAGE}tick/", {"item": item, "note": "camera 7, 02:14:09"})

    (win,) = floor.won({2: "royal"}, meanwhile=looked)
    assert (met, win.state) == (["surveillance"] * 2, "owed")
    assert "Nobody approves before all of it" not in client.get(PAGE).content.decode()


def test_what_is_held_up_spends_no_number() -> None:
    a_property(surveillance=("seat",), surveillance_first=True)
    with pytest.raises(Refused, match="not ticked off yet: seat in the picture"):
        WinFloor().royal()
    assert not Win.objects.filter(slip__isnull=False).exists(), "no slip number is spent"
