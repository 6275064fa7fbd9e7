from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from tables.floor.models.device import Device, DeviceState
from tables.setup.actions.enrol import block, invite
from tables.signs.access import COOKIE
from tests.builders import a_person, a_sign
from tests.tables.signs.scene import Floor, a_sign_device

pytestmark = pytest.mark.django_db

AWAY = {"REMOTE_ADDR": "10.0.0.7"}


def test_the_first_paint_carries_the_figure_the_lines_and_the_notice(client: Client) -> None:
    Floor(meter="20001.40", limit="25000.00")
    page = client.get("/signs/WALL-1/").content.decode()
    assert 'aria-label="$20,001.40"' in page
    assert 'data-version="1"' in page
    assert "Royal flush, first 5 cards" in page
    assert "$25,000.00" in page
    assert "Progressive wager 1.00" in page


def test_the_page_has_no_inline_script_or_style(client: Client) -> None:
    Floor()
    page = client.get("/signs/WALL-1/").content.decode()
    assert " style=" not in page
    assert "<style" not in page
    assert page.count("<script") == page.count('<script type="module" src="/static/tables/signs/sign.js"')


def test_the_digits_type_can_be_asked_for_on_any_sign(client: Client) -> None:
    Floor()
    assert '<body class="digits' in client.get("/signs/WALL-1/?type=digits").content.decode()
    assert '<body class="picture' in client.get("/signs/WALL-1/?type=nonsense").content.decode()


@pytest.mark.parametrize("path", ["/signs/WALL-9/", "/signs/wall-1/", "/signs/%3Cscript%3E/"])
def test_an_unknown_sign_is_a_clear_page_that_tries_again(client: Client, path: str) -> None:
    Floor()
    answer = client.get(path)
    assert answer.status_code == 404
    assert "There is no sign" in answer.content.decode()
    assert 'data-again="30"' in answer.content.decode()
    assert "<script>" not in answer.content.decode()


def test_outside_the_demo_and_off_loopback_a_stranger_sees_no_sign(client: Client) -> None:
    Floor()
    assert client.get("/signs/WALL-1/", **AWAY).status_code == 403
    assert client.get("/signs/", **AWAY).status_code == 403
    answer = client.get("/api/v1/signs/WALL-1", **AWAY)
    assert (answer.status_code, answer.json()["code"]) == (403, "not_allowed")


def test_staff_see_every_sign_from_anywhere(client: Client) -> None:
    Floor(demo=False)
    client.force_login(a_person("pit"))
    assert client.get("/signs/WALL-1/", **AWAY).status_code == 200
    assert "$20,000.00" in client.get("/signs/", **AWAY).content.decode()


def test_a_screen_is_enrolled_once_and_is_then_known_by_its_cookie(client: Client) -> None:
    floor = Floor(demo=False)
    device = a_sign_device(floor.sign)
    code = invite(device=device, by="tests")
    enrolled = client.post("/signs/WALL-1/", {"enrol": code})
    assert (enrolled.status_code, enrolled["Location"]) == (302, "/signs/WALL-1/")
    assert client.get("/signs/WALL-1/").status_code == 200
    assert Client().post("/signs/WALL-1/", {"enrol": code}).status_code == 403


def test_opening_the_address_spends_no_code_only_its_button_does(client: Client) -> None:
    """A preview of a link, a prefetch or a second look costs the technician nothing."""
    floor = Floor(demo=False)
    code = invite(device=a_sign_device(floor.sign), by="tests")
    for _ in range(3):
        page = client.get(f"/signs/WALL-1/?enrol={code}")
        assert (page.status_code, code in page.content.decode()) == (200, True)
    assert Client(enforce_csrf_checks=True).post("/signs/WALL-1/", {"enrol": code}).status_code == 403
    assert Device.objects.get(sign=floor.sign).state == DeviceState.WAITING
    assert client.post("/signs/WALL-1/", {"enrol": code}).status_code == 302


@pytest.mark.usefixtures("time_stands")
def test_guessing_codes_is_slowed_where_it_comes_from(client: Client) -> None:
    floor = Floor(demo=False)
    code = invite(device=a_sign_device(floor.sign), by="tests")
    heard = [client.post("/signs/WALL-1/", {"enrol": f"WRONG-{guess}"}, **AWAY).status_code for guess in range(25)]
    assert set(heard[:20]) == {403}
    assert set(heard[20:]) == {429}
    assert client.post("/signs/WALL-1/", {"enrol": code}).status_code == 302, "another place is not concerned"


def test_the_cookie_does_not_hold_the_secret_and_no_script_can_read_it(client: Client) -> None:
    from tables.setup.actions.enrol import secret_of

    floor = Floor(demo=False)
    device = a_sign_device(floor.sign)
    client.post("/signs/WALL-1/", {"enrol": invite(device=device, by="tests")})
    device.refresh_from_db()
    cookie = client.cookies[COOKIE]
    assert secret_of(device).hex() not in cookie.value
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Strict")


def test_a_code_of_another_device_is_refused_and_not_spent(client: Client) -> None:
    floor = Floor(demo=False)
    other = a_sign_device(a_sign("WALL-2", floor.jackpot), "SIGN-2")
    code = invite(device=other, by="tests")
    assert client.post("/signs/WALL-1/", {"enrol": code}).status_code == 403
    assert Device.objects.get(code="SIGN-2").state == DeviceState.WAITING
    assert client.post("/signs/WALL-2/", {"enrol": code}).status_code == 302


def test_a_blocked_screen_is_a_stranger(client: Client) -> None:
    floor = Floor(demo=False)
    device = a_sign_device(floor.sign)
    client.post("/signs/WALL-1/", {"enrol": invite(device=device, by="tests")})
    block(device=Device.objects.get(code=device.code), by="tests")
    assert client.get("/signs/WALL-1/").status_code == 403


def test_the_snapshot_of_an_unknown_sign_is_a_refusal_in_words(client: Client) -> None:
    Floor()
    answer = client.get("/api/v1/signs/WALL-9")
    assert (answer.status_code, answer.json()) == (
        404, {"ok": False, "code": "not_found", "why": "There is no sign WALL-9."}
    )  # fmt: skip


def test_two_levels_are_shown_in_their_order(client: Client) -> None:
    from tests.builders import a_jackpot

    floor = Floor()
    a_sign("WALL-2", floor.jackpot, a_jackpot("MINI", premises=floor.premises))
    said: dict[str, Any] = json.loads(client.get("/api/v1/signs/WALL-2").content)
    assert [meter["code"] for meter in said["meters"]] == ["GRAND", "MINI"]


def test_a_sign_without_a_meter_says_so(client: Client) -> None:
    floor = Floor()
    floor.sign.meters.all().delete()
    assert "This sign has no meter yet" in client.get("/signs/WALL-1/").content.decode()
