from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from jackpot.database import raw
from jackpot.trail.models import Trail
from tables.floor.actions.state import set_table_state
from tables.floor.models.table import TableState
from tables.rounds.models.round import Round
from tables.setup.actions.enrol import block
from tests.builders import a_card, a_casino, a_person
from tests.controller import HttpController, SocketController, secret_for
from tests.patience import PATIENCE, until


def logged(code: str) -> bool:
    """The logbook writes refusals in batches, so look for a moment."""
    return until(Trail.objects.filter(outcome="refused", details__code=code).exists)


def meter(casino: Any) -> str:
    casino.jackpot.refresh_from_db()
    return str(casino.jackpot.meter_money)


@pytest.fixture
def casino(live: Any) -> Any:
    return a_casino()


def test_a_signed_hello_names_the_device_that_signs_it_or_none(controller: HttpController) -> None:
    status, refused = controller.say(id=1, do="hello", device="UTH-09-C", version="2.0.0", profile="card")
    assert (status, refused["code"]) == (403, "wrong_device")
    assert refused["why"] == "This hello is signed by UTH-01-C and names “UTH-09-C”. A device says hello for itself."
    assert controller.say(id=2, do="hello", version="2.0.0", profile="card")[0] == 200


@pytest.fixture
def controller(live: Any, casino: Any) -> HttpController:
    return HttpController(live, casino.controller, secret_for(casino.controller))


def test_a_round_over_http_is_counted_and_ended(controller: HttpController, casino: Any) -> None:
    status, greeting = controller.say(id=1, do="hello", device=casino.controller.code, version="2.0.0", profile="card")
    assert (status, greeting["next_round"], greeting["meters"]) == (200, 1, {"GRAND": "10000.00"})
    status, counted = controller.say(id=2, do="coin_in", round=1, seats=[1, 2, 5], spots="1100100")
    assert status == 200
    assert counted == {
        "id": 2,
        "repeat": False,
        "ok": True,
        "round": 1,
        "coin_in": {"seats": [1, 2, 5], "total": "3.00"},
        "meters": {"GRAND": "10002.10"},
    }
    status, ended = controller.say(id=3, do="end", round=1)
    assert (status, ended["next_round"], ended["state"]) == (200, 2, "ended")


@pytest.fixture
def box(indoors: Any) -> HttpController:
    """A controller without a wire between, for what the door refuses in words; nothing of it is about the socket."""
    device = a_casino().controller
    return HttpController(indoors, device, secret_for(device))


def test_v3_a_retry_signed_anew_hears_the_stored_answer(controller: HttpController, casino: Any) -> None:
    answers = [controller.say(id=2, do="coin_in", round=1, seats=[1, 2]) for _ in range(3)]
    assert [answer["repeat"] for _, answer in answers] == [False, True, True]
    assert len({json.dumps({**answer, "repeat": 0}) for _, answer in answers}) == 1
    status, clash = controller.say(id=3, do="coin_in", round=1, seats=[1, 3])
    assert (status, clash["code"]) == (409, "clash")
    assert meter(casino) == "10001.40"


@pytest.mark.parametrize(
    ("changed", "status", "code"),
    [
        ({"signature": "00" * 32}, 401, "signature"),
        ({"time": "2020-01-01T00:00:00+00:00"}, 401, "clock"),
        ({"time": "yesterday"}, 401, "clock"),
        ({"sequence": "0"}, 401, "replay"),
    ],
)
def test_what_is_not_signed_rightly_is_refused_and_logged(
    controller: HttpController, casino: Any, changed: dict[str, str], status: int, code: str
) -> None:
    heard, answer = controller.send(b'{"id":1,"do":"coin_in","round":1,"seats":[1]}', **changed)
    assert (heard, answer["code"]) == (status, code)
    assert answer["why"]
    assert logged(code)
    assert meter(casino) == "10000.00"


def test_a_sequence_is_used_once(controller: HttpController, casino: Any) -> None:
    body = b'{"id":1,"do":"coin_in","round":1,"seats":[1]}'
    assert controller.send(body, sequence="5")[0] == 200
    assert controller.send(body, sequence="5")[1]["code"] == "replay"
    assert controller.send(body, sequence="6")[1]["repeat"] is True


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"nonsense",
        b"[1,2]",
        b'{"do":"dance"}',
        b'{"do":"coin_in","round":1,"seats":[1],"tip":5}',
        b'{"do":"coin_in","round":1,"seats":[1,1]}',
        b'{"do":"coin_in","round":1,"seats":[10]}',
        b'{"do":"coin_in","round":1,"seats":["1"]}',
        b'{"do":"coin_in","round":1,"seats":[true]}',
        b'{"do":"coin_in","round":1,"seats":"1"}',
        b'{"do":"coin_in","round":0,"seats":[1]}',
        b'{"do":"coin_in","round":1.5,"seats":[1]}',
        b'{"do":"coin_in","round":9223372036854775808,"seats":[1]}',
        b'{"do":"coin_in","round":1e400,"seats":[1]}',
        b'{"do":"coin_in","round":1,"seats":[1],"spots":"1\\u0000"}',
        b'{"do":"coin_in","seats":[1]}',
        b'{"id":{},"do":"beat"}',
    ],
)
def test_bad_input_gets_a_sentence_and_changes_nothing(box: HttpController, body: bytes) -> None:
    status, answer = box.send(body)
    assert (status, answer["ok"]) == (400, False)
    assert answer["why"].endswith(".")
    assert Round.objects.count() == 0


def test_bad_input_is_refused_over_the_wire_too(controller: HttpController) -> None:
    status, answer = controller.send(b'{"do":"coin_in","round":1,"seats":[1],"tip":5}')
    assert (status, answer["code"]) == (400, "not_a_message")
    assert logged("not_a_message")


def test_a_message_beyond_64_kib_is_not_read(controller: HttpController) -> None:
    status, answer = controller.send(b'{"do":"beat","x":"' + b"x" * 70_000 + b'"}')
    assert (status, answer["code"]) == (413, "too_large")


def test_an_unknown_device_and_a_foreign_table_are_refused(live: Any) -> None:
    casino = a_casino(tables=2)
    controller = HttpController(live, casino.controllers[0], secret_for(casino.controllers[0]))
    controller.path = controller.path.replace("UTH-01", "UTH-02")
    assert controller.say(do="coin_in", round=1, seats=[1])[1]["code"] == "wrong_table"
    assert HttpController(live, casino.controllers[1], bytes(32)).say(do="beat")[1]["code"] == "not_enrolled"


def test_a_held_table_says_why_and_counts_nothing(controller: HttpController, casino: Any) -> None:
    set_table_state(table=casino.table, state=TableState.HELD, by="tests", why="dead spot at seat 3")
    status, answer = controller.say(do="coin_in", round=1, seats=[1])
    assert (status, answer["code"]) == (409, "held")
    assert "dead spot at seat 3" in answer["why"]


def test_a_blocked_device_is_not_heard_from_the_commit_on(controller: HttpController, casino: Any) -> None:
    assert controller.say(do="coin_in", round=1, seats=[1])[0] == 200
    block(device=casino.controller, by="tests")
    status, answer = controller.say(do="end", round=1)
    assert (status, answer["code"]) == (403, "blocked")


def test_void_takes_the_contributions_back_once(controller: HttpController, casino: Any) -> None:
    a_card(a_person("supervisor"), number="600000000001", level="supervisor")
    controller.say(do="coin_in", round=1, seats=[1, 2, 3, 5, 7])
    void = {"do": "void", "round": 1, "reason": "shuffler malfunction", "card": "600000000001"}
    status, answer = controller.say(**void)
    assert (status, answer["meters"]) == (200, {"GRAND": "10000.00"})
    assert controller.say(**void)[1]["repeat"] is True
    assert controller.say(**{**void, "reason": "other"})[1]["code"] == "clash"
    assert controller.say(do="coin_in", round=2, seats=[1])[0] == 200
    assert meter(casino) == "10000.70"


def test_void_needs_a_supervisor_card(controller: HttpController, casino: Any) -> None:
    a_card(a_person("dealer"), number="100000000001", level="dealer", pin="274916")
    controller.say(do="coin_in", round=1, seats=[1])
    void = {"do": "void", "round": 1, "reason": "misdeal", "card": "100000000001"}
    status, answer = controller.say(**void)
    assert (status, answer["code"]) == (403, "pin_needed"), "who proves nothing hears nothing of the card"
    status, answer = controller.say(**void, pin="274916")
    assert status == 403
    assert "supervisor" in answer["why"]
    assert meter(casino) == "10000.70"


def test_recount_corrects_the_seats_of_the_same_round(controller: HttpController, casino: Any) -> None:
    a_card(a_person("supervisor"), number="600000000001", level="supervisor")
    controller.say(do="coin_in", round=1, seats=[1, 2, 3])
    recount = {"do": "recount", "round": 1, "seats": [1, 2], "card": "600000000001"}
    status, answer = controller.say(**recount)
    assert (status, answer["revision"], answer["meters"]) == (200, 2, {"GRAND": "10001.40"})
    assert controller.say(**recount)[1]["repeat"] is True
    assert controller.say(do="coin_in", round=1, seats=[1, 2])[1]["repeat"] is True


def test_a_dealer_badges_in_and_stands_on_the_round(controller: HttpController, casino: Any) -> None:
    dealer = a_person("dealer")
    a_card(dealer, number="100000000001", level="dealer")
    status, answer = controller.say(do="dealer", badge="100000000001", **{"in": True})
    assert (status, answer["dealer"]) == (200, str(dealer))
    controller.say(do="coin_in", round=1, seats=[1])
    assert Round.objects.get().dealer_id == dealer.id


def test_a_round_over_a_websocket(live: Any, casino: Any) -> None:
    table = SocketController(live, casino.controller, secret_for(casino.controller))
    assert table.greeting["ok"], table.greeting
    assert [hand["code"] for hand in table.greeting["hands"]][:2] == ["royal_first_5", "royal_first_7"]
    assert table.say(do="coin_in", round=1, seats=[4])["meters"] == {"GRAND": "10000.70"}
    assert table.say(do="end", round=1)["state"] == "ended"
    assert table.say(do="beat", rounds=1, coin_ins=1)["link"] == "up"
    assert table.say(do="nonsense")["code"] == "not_a_message"
    assert table.say(do="coin_in", round=2, seats=[1])["ok"]
    table.close()


def test_nothing_is_heard_before_hello(live: Any, casino: Any) -> None:
    secret_for(casino.controller)
    with connect(live.ws_url + "/ws/tables/UTH-01") as socket:
        assert json.loads(socket.recv())["do"] == "challenge"
        socket.send('{"id":1,"do":"coin_in","round":1,"seats":[1]}')
        assert json.loads(socket.recv())["code"] == "hello_first"
        with pytest.raises(ConnectionClosed):
            socket.recv(timeout=PATIENCE)
    assert Round.objects.count() == 0


def test_a_wrong_proof_is_refused_and_logged(live: Any, casino: Any) -> None:
    secret_for(casino.controller)
    table = SocketController(live, casino.controller, bytes(32))
    assert table.greeting["code"] == "not_enrolled"
    assert logged("not_enrolled")


def test_a_page_of_a_foreign_origin_may_not_open_a_table(live: Any, casino: Any) -> None:
    with pytest.raises(InvalidStatus), connect(live.ws_url + "/ws/tables/UTH-01", origin="http://evil.example"):
        pass
    assert logged("origin")


def test_a_new_connection_of_a_table_closes_the_old_one(live: Any, casino: Any) -> None:
    secret = secret_for(casino.controller)
    first = SocketController(live, casino.controller, secret)
    second = SocketController(live, casino.controller, secret)
    with pytest.raises(ConnectionClosed):
        first.say(do="beat")
    assert second.say(do="beat")["ok"]
    second.close()


def listen_to_the_end(table: SocketController) -> None:
    while True:
        table.socket.recv(timeout=PATIENCE)


def test_a_block_closes_the_socket_within_two_seconds(live: Any, casino: Any) -> None:
    table = SocketController(live, casino.controller, secret_for(casino.controller))
    block(device=casino.controller, by="tests")
    with pytest.raises(ConnectionClosed):
        listen_to_the_end(table)


def test_a_controller_that_counted_otherwise_has_its_table_held(live: Any, casino: Any) -> None:
    table = SocketController(live, casino.controller, secret_for(casino.controller))
    table.say(do="coin_in", round=1, seats=[4])
    assert table.say(do="beat", rounds=0, coin_ins=2)["code"] == "counts_differ"
    casino.table.refresh_from_db()
    assert casino.table.state == TableState.HELD
    table.close()


def test_meters_are_pushed_to_a_table_that_waits(live: Any) -> None:
    casino = a_casino(tables=2)
    waiting, playing = (SocketController(live, device, secret_for(device)) for device in casino.controllers)
    playing.say(do="coin_in", round=1, seats=[1, 2])
    for _ in range(5):
        heard = waiting.hear()
        if heard["do"] == "meters" and heard["meters"] == {"GRAND": "10001.40"}:
            break
    assert heard["meters"] == {"GRAND": "10001.40"}
    waiting.close()
    playing.close()


def test_late_chips_and_stuck_spots_are_named(live: Any, casino: Any) -> None:
    from tables.rounds.models.sensor import SensorEvent

    table = SocketController(live, casino.controller, secret_for(casino.controller))
    table.say(do="spots", spots="0110000")
    table.say(do="coin_in", round=1, seats=[2], spots="0100000")
    table.say(do="spots", spots="0100100")
    assert set(SensorEvent.objects.values_list("seat", "alarm")) == {(3, "removed_before_lock"), (5, "chip_after_lock")}
    table.close()


def test_v13_eight_tables_in_parallel_end_on_the_exact_sum(live: Any) -> None:
    casino = a_casino(tables=8)
    controllers = [SocketController(live, device, secret_for(device)) for device in casino.controllers]

    def play(table: SocketController) -> None:
        for number in range(1, 201):
            assert table.say(do="coin_in", round=number, seats=[1, 2, 3, 4, 5, 6, 7])["ok"]
            assert table.say(do="end", round=number)["ok"]

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(play, controllers))
    casino.jackpot.refresh_from_db()
    assert (str(casino.jackpot.meter_money), casino.jackpot.reserve) == ("17840.00", 560)
    sequences = list(casino.jackpot.entries.values_list("seq", flat=True))
    assert sequences == list(range(1, 1602))
    for table in controllers:
        table.close()


def test_a_device_enrolled_anew_is_heard_at_once_and_its_old_secret_is_not(
    live: Any, controller: HttpController, casino: Any
) -> None:
    assert controller.say(do="coin_in", round=1, seats=[1])[0] == 200
    anew = HttpController(live, casino.controller, secret_for(casino.controller))
    anew.sequence = 10
    assert anew.say(do="end", round=1)[0] == 200
    assert controller.send(b'{"do":"beat"}', sequence="20")[1]["code"] == "signature"


@pytest.mark.parametrize("plans_live", [0.0, 60.0], ids=["noticed with the plans", "noticed with the books"])
def test_after_every_connection_was_cut_the_same_words_are_heard_again(
    controller: HttpController, casino: Any, monkeypatch: pytest.MonkeyPatch, plans_live: float
) -> None:
    controller.say(id=1, do="coin_in", round=1, seats=[1, 2])
    controller.say(id=2, do="end", round=1)
    monkeypatch.setattr(raw, "PLANS_LIVE", plans_live)
    with connection.cursor() as cursor:
        others = "datname = current_database() AND pid <> pg_backend_pid()"
        cursor.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}")
    lost = controller.say(id=3, do="coin_in", round=2, seats=[5])
    assert (lost[0], lost[1]["code"]) == (503, "unknown")
    assert controller.say(id=4, do="coin_in", round=2, seats=[5])[0] == 200
    assert controller.say(id=5, do="end", round=2)[1].get("code", "unknown") == "unknown"
    assert controller.say(id=6, do="end", round=2)[1]["state"] == "ended"
