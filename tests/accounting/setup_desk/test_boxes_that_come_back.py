"""Block the first, register another, unblock the first: no single person ends with two voices at a table."""

from __future__ import annotations

import pytest
from django.test import Client

from jackpot.property.models.property import Property
from jackpot.requests.models import Request
from jackpot.requests.rules.life import OPEN
from jackpot.trail.models import Trail
from tables.floor.models.device import Device
from tests.accounting.setup_desk.desk_scene import TABLES_FORM, an_opened_jackpot, post, signed
from tests.jackpot.books.api_scene import play, signed_in

pytestmark = pytest.mark.django_db
SPARE = {"kind": "controller", "table": "T-01"}


def test_a_box_comes_back_beside_another_by_two_and_from_setting_up_only(house: Property, ann: Client) -> None:
    an_opened_jackpot(ann)
    post(ann, "tables", **{**TABLES_FORM, "code": "T-01", "jackpots": "GRAND"})
    ann.post("/office/setup/controllers/")
    Device.objects.update(state="active")
    play(Device.objects.get(code="T-01-C"), 1, "12")
    technician, kind = signed_in("service", "see", "read_books", premises=house), "application/json"
    for address, words in (("T-01-C/block", {"why": "broken"}), ("", {**SPARE, "code": "T-01-D"})):
        assert technician.post(f"/api/v1/devices/{address}", words, content_type=kind).status_code < 300
    refused = technician.post("/api/v1/devices/T-01-C/unblock", {"why": "mended"}, content_type=kind)
    assert (refused.status_code, refused.json()["code"]) == (403, "second_controller")
    assert "T-01 has the controller T-01-D by now. Block that one first" in refused.json()["why"]
    page = technician.post("/devices/T-01-C/unblock/", {"why": "mended"}, follow=True).content.decode()
    assert "another person signs it" in page
    assert "Unblock T-01-C" not in page, "the form is there again once T-01-D is blocked"
    assert Device.objects.get(code="T-01-C").state == "blocked"

    told = post(ann, "devices", **{**SPARE, "of": "T-01-C", "code": "T-01-C", "back": "on", "act": "make"})
    assert "waits for a second person" in told
    assert Device.objects.get(code="T-01-C").state == "blocked"
    signed(Request.objects.get(kind="set_up", state__in=OPEN))
    assert Device.objects.get(code="T-01-C").state == "waiting"
    assert technician.post("/api/v1/devices/T-01-C/invite", {}, content_type=kind).status_code == 200
    assert Trail.objects.filter(act="unblock_device").count() == 1


def test_a_box_comes_back_alone_where_no_other_speaks(house: Property, ann: Client) -> None:
    an_opened_jackpot(ann)
    post(ann, "tables", **{**TABLES_FORM, "code": "T-01", "jackpots": "GRAND"})
    ann.post("/office/setup/controllers/")
    technician, kind = signed_in("service", "see", premises=house), "application/json"
    technician.post("/api/v1/devices/T-01-C/block", {"why": "broken"}, content_type=kind)
    technician.post("/api/v1/devices/", {**SPARE, "code": "T-01-D"}, content_type=kind)
    technician.post("/api/v1/devices/T-01-D/block", {"why": "it was the cable"}, content_type=kind)
    told = technician.post("/api/v1/devices/T-01-C/unblock", {"why": "it was the cable"}, content_type=kind)
    assert (told.status_code, told.json()["state"]) == (200, "waiting")
    assert technician.post("/api/v1/devices/T-01-D/unblock", {"why": "x"}, content_type=kind).status_code == 403
