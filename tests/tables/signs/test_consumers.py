from __future__ import annotations

import asyncio
import hmac
import itertools
import json
import time
import urllib.request
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from websockets.exceptions import ConnectionClosed, InvalidStatus

from jackpot.books import events
from jackpot.money import Money
from jackpot.trail.models import Trail
from tables.floor.models.sign import SignTally
from tables.setup.actions.enrol import block, end_earlier_secret, invite, rotate
from tables.signs import access, audience, wire
from tables.signs import broadcaster as broadcasting
from tables.signs.access import COOKIE
from tests.controller import secret_for
from tests.patience import PATIENCE, until
from tests.tables.signs.scene import Floor, a_sign_device, get, hear, hear_until, listening


@pytest.fixture
def floor(live: Any) -> Floor:
    return Floor()


def refused(live: Any, code: str = "WALL-1", **headers: str) -> int:
    with pytest.raises(InvalidStatus) as problem, listening(live, code, **headers):
        pass
    return problem.value.response.status_code


def closed_with(socket: Any) -> int:
    with pytest.raises(ConnectionClosed) as problem:
        drained(socket)
    assert problem.value.rcvd is not None
    return problem.value.rcvd.code


def drained(socket: Any) -> None:
    while True:
        socket.recv(timeout=PATIENCE)


def test_a_sign_hears_its_figure_at_once_and_every_change_after(live: Any, floor: Floor) -> None:
    with listening(live) as socket:
        assert hear(socket)["meters"][0]["amount"] == "20000.00"
        floor.coin_in()
        (meter,) = hear_until(socket, "20003.50")["meters"]
        assert (meter["version"], meter["reason"]) == (2, None)


def test_a_change_of_another_process_is_seen_without_a_word_from_this_one(
    live: Any, floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audience, "WHOLE_EVERY", 10 * PATIENCE)  # seen by a look, not told with everything else
    with listening(live) as socket:
        hear(socket)
        monkeypatch.setattr(events, "_listeners", [])
        floor.coin_in()
        hear_until(socket, "20003.50")


def test_a_lower_amount_comes_with_its_reason_and_a_new_scene(live: Any, floor: Floor) -> None:
    with listening(live) as socket:
        scene = hear(socket)["scene"]
        floor.void(floor.coin_in())
        while not (heard := hear(socket))["meters"][0]["reason"]:
            pass
        assert heard["meters"][0]["amount"] == "20000.00"
        assert (heard["meters"][0]["reason"], heard["scene"]) == ("round voided", scene + 1)


def test_no_amount_is_ever_lower_than_the_one_before_without_a_reason(live: Any, floor: Floor) -> None:
    with listening(live) as socket:
        for number in range(12):
            floor.coin_in()
            if number % 3 == 2:
                floor.void(floor.round)
        heard = [hear(socket)]
        while heard[-1]["meters"][0]["version"] < 17:
            heard.append(hear(socket))
    meters = [words["meters"][0] for words in heard]
    for before, after in itertools.pairwise(meters):
        assert after["version"] >= before["version"]
        assert Money.of(after["amount"]) >= Money.of(before["amount"]) or after["reason"]


def test_a_storm_of_coin_ins_is_told_at_most_four_times_a_second_and_ends_on_the_last(live: Any, floor: Floor) -> None:
    with listening(live) as socket:
        hear(socket)
        begun = time.monotonic()
        while time.monotonic() < begun + 2 or floor.round <= 20:
            floor.coin_in("1")
        floor.jackpot.refresh_from_db()
        arrived = [time.monotonic()]
        while hear(socket)["meters"][0]["amount"] != str(floor.jackpot.meter_money.shown()):
            arrived.append(time.monotonic())
    assert len(arrived) <= 4 * (time.monotonic() - begun) + 2


def test_two_clients_of_a_sign_hear_the_same_bytes(live: Any, floor: Floor) -> None:
    with listening(live) as first, listening(live) as second:
        hear(first), hear(second)
        floor.coin_in()
        assert hear_until(first, "20003.50") == hear_until(second, "20003.50")


def test_nobody_hears_anything_when_nobody_listens(live: Any, floor: Floor) -> None:
    with listening(live) as socket:
        hear(socket)
        assert len(broadcasting._running) == 1
    assert until(lambda: not broadcasting._running)


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1", "https://127.0.0.1:1"])
def test_a_page_of_another_origin_is_refused_and_written_down(
    live: Any, floor: Floor, origin: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(access, "_knocked", {})
    assert refused(live, Origin=origin) == 403
    assert until(lambda: Trail.objects.filter(act="sign_connect", outcome="refused", why__contains=origin).exists())


def test_our_own_page_may_listen(live: Any, floor: Floor) -> None:
    with listening(live, Origin=live.url) as socket:
        assert hear(socket)["fault"] is None


def test_an_unknown_sign_is_refused(live: Any, floor: Floor) -> None:
    assert refused(live, "WALL-9") == 403


def test_outside_the_demo_a_browser_without_a_credential_is_refused(live: Any) -> None:
    Floor(demo=False)
    assert refused(live, Origin=live.url) == 403


def test_an_enrolled_sign_listens_with_its_cookie_until_it_is_blocked(live: Any) -> None:
    floor = Floor(demo=False)
    device = a_sign_device(floor.sign)
    cookie = enrolled_cookie(live, device)
    with listening(live, Cookie=cookie, Origin=live.url) as socket:
        assert hear(socket)["meters"][0]["amount"] == "20000.00"
        block(device=device, by="tests")
        assert closed_with(socket) == 4401
    assert refused(live, Cookie=cookie, Origin=live.url) == 403


def test_a_signs_older_cookie_is_heard_while_its_grace_lasts_and_never_fetches_the_newer_one(live: Any) -> None:
    device = a_sign_device(Floor(demo=False).sign)
    cookie = enrolled_cookie(live, device)
    rotate(device=device, by="tests", grace=timedelta(days=1))
    with urllib.request.urlopen(
        urllib.request.Request(f"{live.url}/signs/WALL-1/", headers={"Cookie": cookie})
    ) as page:
        assert page.headers["Set-Cookie"].partition(";")[0] == cookie
    with listening(live, Cookie=cookie, Origin=live.url) as socket:
        assert hear(socket)["meters"][0]["amount"] == "20000.00"
        end_earlier_secret(device=device, by="tests", why="stolen")
        assert closed_with(socket) == 4401
    assert refused(live, Cookie=cookie, Origin=live.url) == 403


def test_a_cookie_is_good_for_its_own_sign_only_and_cannot_be_made_up(live: Any) -> None:
    floor = Floor(demo=False)
    other = Floor.__new__(Floor)
    other.sign = type(floor.sign).objects.create(code="WALL-2", premises=floor.premises)
    cookie = enrolled_cookie(live, a_sign_device(floor.sign))
    assert refused(live, "WALL-2", Cookie=cookie, Origin=live.url) == 403
    assert refused(live, Cookie=cookie[:-1] + ("0" if cookie[-1] != "0" else "1"), Origin=live.url) == 403


def enrolled_cookie(live: Any, device: Any) -> str:
    screen = Client()
    code = invite(device=device, by="tests")
    assert screen.post(f"/signs/{device.sign.code}/", {"enrol": code}).status_code == 302
    cookie = screen.cookies[COOKIE]
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Strict")
    return f"{COOKIE}={cookie.value}"


def test_a_box_sign_answers_the_challenge(live: Any) -> None:
    floor = Floor(demo=False)
    device = a_sign_device(floor.sign)
    secret = secret_for(device)
    with listening(live) as socket:
        nonce = json.loads(socket.recv(timeout=PATIENCE))["nonce"]
        said = f"{nonce}|/ws/signs/WALL-1|{device.code}|2.0.0".encode()
        proof = hmac.digest(secret, said, "sha256").hex()
        socket.send(json.dumps({"do": "hello", "device": device.code, "version": "2.0.0", "proof": proof}))
        assert hear(socket)["meters"][0]["amount"] == "20000.00"


@pytest.mark.parametrize("answer", ["{}", "nonsense", '{"do":"hello","device":"SIGN-1","proof":"00","version":"2"}'])
def test_a_box_sign_that_cannot_prove_itself_hears_nothing(live: Any, answer: str) -> None:
    floor = Floor(demo=False)
    secret_for(a_sign_device(floor.sign))
    with listening(live) as socket:
        json.loads(socket.recv(timeout=PATIENCE))
        socket.send(answer)
        assert closed_with(socket) == 4401


def test_a_sign_that_shows_more_than_the_books_is_written_down_and_one_that_agrees_is_not(
    live: Any, floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tables.signs.consumers.SECONDS_BETWEEN_REPORTS", 0)
    with listening(live) as socket:
        hear(socket)
        socket.send('{"shown": "20000.00", "version": 1}')
        socket.send('{"shown": "20000.01", "version": 1}')
        assert until(lambda: Trail.objects.filter(act="sign_report").exists())
    assert Trail.objects.get(act="sign_report").details["shown"] == "20000.01"
    assert until(lambda: SignTally.objects.filter(reports=2, disagreed=1, sign=floor.sign).exists())


def test_a_sign_that_talks_nonsense_is_closed(live: Any, floor: Floor) -> None:
    with listening(live) as socket:
        hear(socket)
        socket.send("nonsense")
        assert closed_with(socket) == 4400


def test_when_the_books_are_out_of_reach_the_signs_hear_it_and_when_they_are_back_too(
    live: Any, floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broadcasting, "PATIENCE", 0.2)

    async def no_answer(*_: Any, **__: Any) -> None:
        raise ConnectionError("no route to the books")

    with listening(live) as socket:
        hear(socket)
        with monkeypatch.context() as broken:
            broken.setattr("tables.signs.wire._rows", no_answer)
            while not (heard := hear(socket))["fault"]:
                pass
            assert (heard["meters"], heard["fault"]) == ([], "The books cannot be reached")
        floor.coin_in()
        while (heard := hear(socket))["fault"]:
            pass
        assert heard["meters"][0]["amount"] == "20003.50"


@pytest.mark.parametrize("enrolled", [False, True])
def test_a_sign_that_comes_while_the_books_are_slow_is_told_so_and_not_sent_away(
    live: Any, monkeypatch: pytest.MonkeyPatch, enrolled: bool
) -> None:
    floor, rows = Floor(demo=not enrolled), wire._rows

    async def late(*asked: Any) -> Any:
        await asyncio.sleep(0.3)
        return await rows(*asked)

    monkeypatch.setattr(broadcasting, "PATIENCE", 0.2)
    monkeypatch.setattr(wire, "_rows", late)
    cookie = {"Cookie": enrolled_cookie(live, a_sign_device(floor.sign))} if enrolled else {}
    with listening(live, **cookie, **({"Origin": live.url} if enrolled else {})) as socket:
        assert hear(socket)["fault"] == "The books cannot be reached"
        while (heard := hear(socket))["fault"]:
            pass
        assert heard["meters"][0]["amount"] == "20000.00"


def test_a_cut_connection_of_the_signs_is_replaced_and_everything_read_anew(live: Any, floor: Floor) -> None:
    from django.db import connection

    with listening(live) as socket:
        hear(socket)
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
                           " AND application_name = %s", ["fairmeter signs"])  # fmt: skip
            assert cursor.fetchone() == (True,)
        floor.coin_in()
        assert hear_until(socket, "20003.50")["fault"] is None


def test_a_new_notice_is_told_after_a_rare_event(live: Any, floor: Floor) -> None:
    with listening(live) as socket:
        hear(socket)
        type(floor.sign).objects.update(notice="Closed at noon")
        events.notify("sign WALL-1")
        assert hear(socket)["notice"] == "Closed at noon"


def test_the_snapshot_over_http_is_the_same_object(live: Any, floor: Floor) -> None:
    def told_twice() -> tuple[dict[str, Any], dict[str, Any]]:
        status, body = get(live, "/api/v1/signs/WALL-1")
        assert status == 200
        with listening(live) as socket:
            return {**json.loads(body), "at": ""}, {**hear(socket), "at": ""}

    def marked(scene: dict[str, Any]) -> list[str]:
        return [meter["mark"] for meter in scene["meters"]]

    # A mark names its minute, and a minute may end between the two.
    said, heard = until(
        lambda: (two := told_twice()) and marked(two[0]) == marked(two[1]) and two, "one minute's marks"
    )
    assert said == heard
