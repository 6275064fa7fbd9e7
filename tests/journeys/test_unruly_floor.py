"""A floor that repeats itself, talks out of order, talks nonsense and floods: the books take no notice."""

from __future__ import annotations

import http.client
import json
import random
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import psycopg
import pytest

from config.asgi import Application
from tables.floor.queries.secrets import DeviceStanding
from tables.gateway import batcher, watch
from tests.builders import a_card, a_casino, a_person
from tests.controller import HttpController, SocketController, secret_for
from tests.journeys.visitor import Auditor
from tests.living import living
from tests.patience import PATIENCE

ROUNDS = 12
ALL = [1, 2, 3, 4, 5, 6, 7]
REFUSALS = {"clash", "gap", "round_open", "no_round", "not_a_message"}
NONSENSE = (
    b"", b"{", b"null", b'{"do":"coin_in"}', b'{"do":"coin_in","round":1,"seats":[1,2,3,4,5,6,7,8]}',
    b'{"do":"coin_in","round":"1","seats":[1]}', b'{"do":"end","round":1,"seats":[1]}', b"\x00\xff", b'{"do":"win"}',
)  # fmt: skip


class Unruly:
    """Plays its rounds to the end, and says much else in between that must change nothing."""

    def __init__(self, live: Any, device: Any, seed: str) -> None:
        self.controller = HttpController(live, device, secret_for(device))
        self.dice = random.Random(seed)
        self.told: dict[bytes, dict[str, Any]] = {}
        self.refused: set[str] = set()

    def play(self) -> None:
        for number in range(1, ROUNDS + 1):
            for due in ({"do": "coin_in", "seats": ALL}, {"do": "end"}):
                for noise in self.noise(number):
                    self.is_refused(noise)
                self.repeats_something()
                self.is_counted({"id": number, "round": number, **due})

    def is_counted(self, message: dict[str, Any]) -> None:
        body = json.dumps(message).encode()
        status, answer = self.controller.send(body)
        assert (status, answer.pop("repeat")) == (200, False), answer
        self.told[body] = answer

    def repeats_something(self) -> None:
        """A retry of anything ever said, in any order, hears what was answered then."""
        if self.told:
            body = self.dice.choice(list(self.told))
            status, answer = self.controller.send(body)
            assert (status, answer.pop("repeat"), answer) == (200, True, self.told[body])

    def noise(self, number: int) -> Iterator[bytes]:
        """What comes too early, too late with another content, or is no message at all."""
        early = number + self.dice.randint(1, 3)
        said: list[bytes] = [
            json.dumps({"do": "coin_in", "round": early, "seats": [1]}).encode(),
            json.dumps({"do": "end", "round": early}).encode(),
            *self.dice.sample(NONSENSE, 2),
        ]
        if number > 1:
            late = self.dice.randint(1, number - 1)
            said.append(json.dumps({"do": "coin_in", "round": late, "seats": [1, 2]}).encode())
        yield from self.dice.sample(said, self.dice.randint(0, len(said)))

    def is_refused(self, body: bytes) -> None:
        status, answer = self.controller.send(body)
        assert 400 <= status < 500, (body, status, answer)
        assert answer["why"].endswith(".")
        self.refused.add(answer["code"])


def test_v13_eight_unruly_tables_over_http_end_on_the_exact_sum(live: Any) -> None:
    casino = a_casino(tables=8)
    tables = [Unruly(live, device, f"seed 20/{device.code}") for device in casino.controllers]
    with ThreadPoolExecutor(8) as pool:
        for played in [pool.submit(table.play) for table in tables]:
            played.result()
    assert set().union(*(table.refused for table in tables)) >= REFUSALS
    auditor = Auditor(live, casino.premises)
    balances = auditor.balances()
    assert (balances["meter"], balances["reserve"]) == ("10470.40", "33.60")  # 8 tables × 12 rounds × 7 chips
    assert auditor.entries() == 8 * ROUNDS + 1
    assert auditor.proves()


def posted(live: Any, controller: HttpController, body: bytes) -> tuple[int, str | None, dict[str, Any]]:
    connection = http.client.HTTPConnection("127.0.0.1", live.port, timeout=PATIENCE)
    connection.request("POST", controller.path, body, controller.headers(body))
    response = connection.getresponse()
    answer = json.load(response)
    connection.close()
    return response.status, response.headers["Retry-After"], answer


def test_a_flood_beyond_the_queue_is_told_to_come_again_and_harms_nobody(
    live: Any, fresh_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batcher, "LONGEST_QUEUE", 4)
    casino = a_casino(tables=20)
    tables = [HttpController(live, device, secret_for(device)) for device in casino.controllers]
    body = b'{"id":1,"do":"coin_in","round":1,"seats":[1,2,3]}'
    with psycopg.connect(fresh_database) as somebody, ThreadPoolExecutor(20) as pool:
        somebody.execute("SELECT 1 FROM jackpot_jackpot FOR UPDATE")  # nothing can be posted for a while
        waiting = [pool.submit(posted, live, table, body) for table in tables]
        while sum(one.done() for one in waiting) < 10:
            time.sleep(0.02)
        somebody.rollback()
        answers = [one.result() for one in waiting]
    sent_away = [(status, again, answer["code"]) for status, again, answer in answers if status != 200]
    assert set(sent_away) == {(503, "1", "busy")}
    assert len(sent_away) >= 10
    for table in tables:
        assert posted(live, table, body)[0] == 200
    auditor = Auditor(live, casino.premises)
    assert auditor.balances()["meter"] == "10042.00"
    assert auditor.proves()


def test_a_controller_that_connects_while_the_floor_is_looked_at_keeps_its_connection(
    live: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the look saw is older than the new connection: it must not take the new one for the old one."""
    casino = a_casino()
    secret = secret_for(casino.controller)
    looked, go_on, controllers_now = threading.Semaphore(0), threading.Event(), watch.controllers_now

    def slow_look() -> dict[str, DeviceStanding]:
        now = controllers_now()
        looked.release()
        go_on.wait(PATIENCE)
        return now

    first = SocketController(live, casino.controller, secret)
    monkeypatch.setattr(watch, "controllers_now", slow_look)
    assert looked.acquire(timeout=PATIENCE)
    second = SocketController(live, casino.controller, secret)
    go_on.set()
    assert looked.acquire(timeout=PATIENCE), "the next look comes when the old one has been judged"
    assert second.say(do="coin_in", round=1, seats=[1])["ok"]
    second.close()
    first.close()


def test_a_box_that_reconnects_in_mid_round_learns_where_it_stands_and_repeats(live: Any) -> None:
    casino = a_casino()
    secret = secret_for(casino.controller)
    before = SocketController(live, casino.controller, secret)
    first = before.say(do="coin_in", round=1, seats=[2, 3])
    before.socket.socket.close()  # a pulled cable: no goodbye
    after = SocketController(live, casino.controller, secret)
    assert after.greeting["open_round"]["round"] == 1
    assert after.say(do="coin_in", round=1, seats=[2, 3]) == {**first, "repeat": True}
    assert after.say(do="end", round=1)["next_round"] == 2
    assert Auditor(live, casino.premises).balances()["meter"] == "10001.40"
    after.close()


def test_an_http_box_that_meets_another_server_process_is_not_taken_for_one_that_miscounts(live: Any) -> None:
    """After a restart, or with two processes behind one address, nobody lost count: a beat must not hold the table."""
    casino = a_casino()
    box = HttpController(live, casino.controller, secret_for(casino.controller))
    box.say(id=1, do="hello", device=casino.controller.code, version="2.0.0", profile="card")
    assert box.say(id=2, do="coin_in", round=1, seats=[1])[0] == 200
    with living(Application()) as other:
        box.live = other
        assert box.say(id=3, do="end", round=1)[0] == 200
        beats = [box.say(id=4, do="beat", rounds=1, coin_ins=1)]
        box.live = live
        beats.append(box.say(id=5, do="beat", rounds=1, coin_ins=1))
    assert [answer.get("why") for _, answer in beats] == [None, None]
    assert box.say(id=6, do="coin_in", round=2, seats=[1])[0] == 200


def test_a_key_that_is_turned_back_and_forth_keeps_the_hit_alive(live: Any) -> None:
    """JPH and back without J-POT changes nothing, however often the supervisor hesitates."""
    casino = a_casino()
    a_card(a_person("supervisor"), number="600000000001", level="supervisor")
    box = HttpController(live, casino.controller, secret_for(casino.controller))
    box.say(do="coin_in", round=1, seats=[2, 6])
    box.say(do="mark", round=1, seat=6, hand="full_house")
    for _ in range(3):
        assert box.say(do="confirm", round=1)[0] == 200
        assert box.say(do="key", key="7", position="RUN")[0] == 200
    assert box.say(do="confirm", round=1)[0] == 200
    assert box.say(do="card", round=1, card="600000000001")[1]["total"] == "10.00"
    assert box.say(do="end", round=1)[0] == 200
