from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from jackpot.trail.models import Trail
from tables.floor.models.device import Device
from tables.gateway.actions.console import open_console, take_duty
from tables.setup.actions.enrol import block, secret_of
from tests.builders import Casino, a_card, a_casino, a_person, a_property, a_table
from tests.jackpot.books.api_scene import signed_in

pytestmark = pytest.mark.django_db
NEW = {"code": "UTH-01-C2", "kind": "controller", "table": "UTH-01"}


def a_floor(**facts: Any) -> Casino:
    """A table whose controller is blocked: a technician may give it another one."""
    casino = a_casino(**facts)
    for controller in casino.controllers:
        block(device=controller, by="tests", why="broken")
    return casino


def sent(client: Client, address: str, **words: Any) -> Any:
    return client.post(f"/api/v1/devices/{address}", words, content_type="application/json")


def test_a_device_is_made_known_and_enrols_itself_with_its_one_time_code() -> None:
    a_floor()
    invited = sent(signed_in("service", username="tina"), "", **NEW)
    assert invited.status_code == 201
    told = sent(Client(), "enrol", code=invited.json()["enrol_code"]).json()
    device = Device.objects.get(code="UTH-01-C2")
    assert (told["device"], told["table"], told["ok"]) == ("UTH-01-C2", "UTH-01", True)
    assert told["secret"] == secret_of(device).hex()
    assert set(Trail.objects.filter(subject="UTH-01-C2", actor="tina").values_list("act", flat=True)) == {
        "register_device", "invite_device",
    }  # fmt: skip


def test_a_technician_alone_gives_no_table_a_second_voice() -> None:
    casino = a_casino(tables=2)
    client = signed_in("service", username="tina")
    answer = sent(client, "", **NEW)
    assert (answer.status_code, answer.json()["code"]) == (403, "second_controller")
    assert "UTH-01 has the controller UTH-01-C. Block that one first" in answer.json()["why"]
    assert sent(client, "", code="UTH-01-S", kind="coin_spot", table="UTH-01").status_code == 201
    sent(client, "UTH-01-C/block", why="stolen")
    assert sent(client, "", **NEW).status_code == 201
    assert casino.controllers[1].code == "UTH-02-C"


def test_nobody_learns_a_secret_of_the_dealers_console() -> None:
    """With one a technician alone would be a second voice beside the table's box."""
    casino, dealer = a_casino(), a_person("dealer", may=("see", "deal"))
    a_card(dealer, number="600000000101", level="dealer")
    take_duty(table_code="UTH-01", operator=dealer, badge="600000000101")
    page = open_console(table_code="UTH-01", operator=dealer)
    before = page.secret
    client = signed_in("service", "set_up", "see", username="tina")
    for act in ("invite", "rotate"):
        answer = sent(client, f"{page.code}/{act}")
        assert (answer.status_code, answer.json()["code"]) == (403, "console"), act
    assert client.post("/office/setup/codes/", {"devices": [page.code]}).status_code >= 400
    page.refresh_from_db()
    assert (page.secret, page.generation, page.enrol_hash) == (before, 1, None)
    assert sent(client, f"{casino.controller.code}/invite").status_code == 200


def test_a_one_time_code_is_good_once() -> None:
    a_floor()
    code = sent(signed_in("service"), "", **NEW).json()["enrol_code"]
    assert sent(Client(), "enrol", code=code).status_code == 200
    second = sent(Client(), "enrol", code=code)
    assert (second.status_code, second.json()["code"]) == (403, "code_unknown")


def test_a_wrong_code_is_refused_and_stands_in_the_trail() -> None:
    assert sent(Client(), "enrol", code="AAAA-BBBB-CCCC").status_code == 403
    assert Trail.objects.get(act="enrol_device").outcome == "refused"


@pytest.mark.usefixtures("time_stands")
def test_guessing_codes_is_slowed_where_it_comes_from_and_nowhere_else() -> None:
    a_floor()
    code = sent(signed_in("service"), "", **NEW).json()["enrol_code"]
    guesser = Client(REMOTE_ADDR="10.0.0.66")
    heard = [sent(guesser, "enrol", code="AAAA-BBBB-CCCC").json()["code"] for _ in range(25)]
    assert heard == ["code_unknown"] * 20 + ["too_soon"] * 5
    assert Trail.objects.filter(act="enrol_device", outcome="refused").count() == 20
    assert sent(Client(), "enrol", code=code).status_code == 200


def test_a_new_code_makes_the_older_one_useless() -> None:
    a_floor()
    client = signed_in("service")
    first = sent(client, "", **NEW).json()["enrol_code"]
    second = sent(client, "UTH-01-C2/invite").json()["enrol_code"]
    assert sent(Client(), "enrol", code=first).status_code == 403
    assert sent(Client(), "enrol", code=second).status_code == 200


def test_a_device_at_work_gets_a_new_secret() -> None:
    a_floor()
    client = signed_in("service")
    first = sent(Client(), "enrol", code=sent(client, "", **NEW).json()["enrol_code"]).json()["secret"]
    second = sent(client, "UTH-01-C2/rotate").json()["secret"]
    assert first != second
    assert secret_of(Device.objects.get(code="UTH-01-C2")).hex() == second


def test_a_blocked_device_is_blocked_with_its_reason() -> None:
    a_casino()
    told = sent(signed_in("service", "see"), "UTH-01-C/block", why="stolen").json()
    assert told == {"ok": True, "device": "UTH-01-C", "state": "blocked"}
    assert Trail.objects.get(act="block_device").why == "stolen"


def test_a_blocked_device_comes_back_with_a_reason_and_a_new_code() -> None:
    a_floor()
    client = signed_in("service", "see")
    sent(client, "UTH-01-C/block", why="stolen")
    refused = sent(client, "UTH-01-C/invite")
    assert (refused.status_code, refused.json()["code"]) == (409, "blocked")
    assert sent(client, "UTH-01-C/unblock").status_code == 400
    told = sent(client, "UTH-01-C/unblock", why="found behind the shuffler").json()
    assert told == {"ok": True, "device": "UTH-01-C", "state": "waiting"}
    assert Trail.objects.get(act="unblock_device").why == "found behind the shuffler"
    code = sent(client, "UTH-01-C/invite").json()["enrol_code"]
    assert sent(Client(), "enrol", code=code).status_code == 200
    assert sent(client, "UTH-01-C/unblock", why="again").json()["code"] == "not_blocked"


def test_the_technician_blocks_and_unblocks_on_the_devices_page() -> None:
    a_floor()
    browser = signed_in("service", "see")
    assert "UTH-01-C" in browser.get("/devices/").content.decode()
    page = browser.post("/devices/UTH-01-C/block/", {"why": "stolen"}, follow=True).content.decode()
    assert "Unblock UTH-01-C" in page
    assert "Say in a few words" in browser.post("/devices/UTH-01-C/unblock/", {"why": ""}, follow=True).content.decode()
    browser.post("/devices/UTH-01-C/unblock/", {"why": "found"}, follow=True)
    assert Device.objects.get(code="UTH-01-C").state == "waiting"


def test_the_devices_page_is_for_technicians_and_to_read_for_who_reads_the_books() -> None:
    a_floor()
    assert signed_in("run_tables").get("/devices/").status_code == 403
    reads = signed_in("read_books", username="rita")
    assert "UTH-01-C" in reads.get("/devices/").content.decode()
    assert '<form method="post" action="/devices/' not in reads.get("/devices/UTH-01-C/").content.decode()
    assert reads.post("/devices/UTH-01-C/block/", {"why": "curious"}).status_code == 403


def test_no_secret_is_ever_listed() -> None:
    a_floor()
    sent(Client(), "enrol", code=sent(signed_in("service"), "", **NEW).json()["enrol_code"])
    told = signed_in("see", username="other").get("/api/v1/devices/UTH-01-C2/").json()
    assert not {"secret", "secret_before", "enrol_hash", "connection"} & set(told)
    assert told["state"] == "active"


def test_devices_are_filtered() -> None:
    a_casino(tables=2)
    client = signed_in("see")
    assert [row["code"] for row in client.get("/api/v1/devices/?table=UTH-02").json()["results"]] == ["UTH-02-C"]
    assert client.get("/api/v1/devices/?kind=sign").json()["results"] == []
    assert len(client.get("/api/v1/devices/?state=waiting").json()["results"]) == 2


@pytest.mark.parametrize(
    "words",
    [
        {}, {**NEW, "code": "lower"}, {**NEW, "kind": "printer"}, {**NEW, "contact": "x" * 101},
        {**NEW, "table": "\x00"}, {**NEW, "table": ""}, {**NEW, "serial": "a\x00b"}, {**NEW, "serial": "\ud800"},
        {**NEW, "serial": ["x"]}, {**NEW, "serial": {"a": 1}}, {**NEW, "code": None}, {**NEW, "code": "A" * 41},
    ],
)  # fmt: skip
def test_a_wrong_device_is_refused_with_a_sentence(words: dict[str, Any]) -> None:
    a_floor()
    answer = sent(signed_in("service"), "", **words)
    assert answer.status_code == 400
    assert answer.json()["why"]
    assert Device.objects.count() == 1


@pytest.mark.parametrize("body", ["[]", '"x"', "1", "null", "true"])
def test_a_body_that_is_no_object_is_refused(body: str) -> None:
    answer = Client().post("/api/v1/devices/enrol", body, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (400, "not_understood")


def test_nobody_places_a_device_at_the_table_of_another_house() -> None:
    a_table("THEIRS", premises=a_property("OTHER"))
    client = signed_in("service", premises=a_property("OURS"))
    answer = sent(client, "", code="SPY", kind="controller", table="THEIRS")
    assert answer.status_code == 404
    assert not Device.objects.filter(code="SPY").exists()


def test_nobody_touches_the_device_of_another_house() -> None:
    a_casino(premises=a_property("OTHER"))
    client = signed_in("service", premises=a_property("OURS"))
    for act in ("block", "rotate", "invite", "unblock"):
        assert sent(client, f"UTH-01-C/{act}", why="theirs").status_code == 404
    assert Device.objects.get(code="UTH-01-C").state == "waiting"
