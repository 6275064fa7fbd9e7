"""A coin-in and an end go past the task, over HTTP and over a line; what is in doubt goes the ordinary way."""

from __future__ import annotations

from typing import Any

import pytest

from tables.gateway import straight
from tests.builders import a_casino
from tests.controller import HttpController, SocketController, secret_for

Taken = list[str]


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> Taken:
    """The verbs that went without a task."""
    seen, count = Taken(), straight.count

    def noted(services: Any, speaker: Any, message: Any, *more: Any) -> None:
        seen.append(message.do)
        count(services, speaker, message, *more)

    monkeypatch.setattr(straight, "count", noted)
    return seen


def test_a_signed_coin_in_and_its_end_have_no_task(live: Any, taken: Taken) -> None:
    casino = a_casino()
    box = HttpController(live, casino.controller, secret_for(casino.controller))
    assert box.say(id=1, do="coin_in", round=1, seats=[1])[0] == 200  # of a device that nobody knew yet
    assert taken == []
    assert box.say(id=2, do="end", round=1) == (
        200,
        {"id": 2, "repeat": False, "ok": True, "round": 1, "state": "ended", "next_round": 2},
    )
    assert box.say(id=3, do="coin_in", round=2, seats=[1, 2])[1]["meters"] == {"GRAND": "10002.10"}
    assert taken == ["end", "coin_in"]
    status, gap = box.say(id=4, do="coin_in", round=9, seats=[1])
    assert (status, gap["code"], taken[2:]) == (409, "round_open", ["coin_in"])


def test_what_is_in_doubt_is_said_by_the_ordinary_way(live: Any, taken: Taken) -> None:
    casino = a_casino()
    box = HttpController(live, casino.controller, secret_for(casino.controller))
    assert box.say(id=1, do="hello", version="2.0.0", profile="card")[0] == 200
    asked = b'{"id":2,"do":"coin_in","round":1,"seats":[1]}'
    assert box.send(asked, signature="0" * 64)[1]["code"] == "signature"
    assert box.send(asked, sequence="1")[1]["code"] == "replay"
    assert box.send(asked, time="1")[1]["code"] == "clock"
    for said in (b"nothing", b'{"id":3,"do":"coin_in","round":0,"seats":[1]}', b'{"id":3,"do":"beat","x":1}'):
        assert box.send(said)[1]["code"] == "not_a_message"
    assert taken == []


def test_a_line_that_said_hello_counts_without_its_task(live: Any, taken: Taken) -> None:
    casino = a_casino()
    box = SocketController(live, casino.controller, secret_for(casino.controller))
    assert box.say(do="coin_in", round=1, seats=[3])["round"] == 1
    assert box.say(do="coin_in", round=1, seats=[3])["repeat"] is True
    assert box.say(do="beat", rounds=0, coin_ins=2)["link"] == "up"
    assert box.say(do="end", round=1)["next_round"] == 2
    assert taken == ["coin_in", "coin_in", "end"]
    box.close()
