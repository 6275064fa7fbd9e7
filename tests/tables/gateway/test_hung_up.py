"""A hello that waited long for the database, and whose box has hung up meanwhile, ends no newer line."""

from __future__ import annotations

import json
import threading
from typing import Any

import pytest
from websockets.sync.client import connect

from tables.floor.models.device import Device
from tables.gateway import together
from tables.gateway.messages import proof_of
from tables.gateway.pool import in_own_connection
from tests.builders import a_casino
from tests.controller import SocketController, secret_for
from tests.patience import PATIENCE, until


def said_hello(live: Any, device: Device, secret: bytes, *, then: str = "") -> Any:
    """A socket that has said hello, and perhaps more, and has heard nothing yet."""
    assert device.table is not None
    path = f"/ws/tables/{device.table.code}"
    socket = connect(live.ws_url + path, compression=None).__enter__()
    nonce = json.loads(socket.recv(timeout=PATIENCE))["nonce"]
    proof = proof_of(secret, nonce, path, device.code, "2.0.0")
    words = {"id": 7, "do": "hello", "device": device.code, "version": "2.0.0", "profile": "card", "proof": proof}
    socket.send(json.dumps(words))
    if then:
        socket.send(then)
    return socket


def test_a_hello_that_was_given_up_takes_nobodys_place(live: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    casino = a_casino()
    secret = secret_for(casino.controller)
    waits, go_on, ended = threading.Event(), threading.Event(), threading.Event()

    def slow_once(work: Any, **told: Any) -> Any:
        look_up = in_own_connection(work, **told)
        if "greetings" not in told or waits.is_set():
            return look_up

        def slowly() -> Any:
            waits.set()
            go_on.wait(PATIENCE)
            try:
                return look_up()
            finally:
                ended.set()

        return slowly

    monkeypatch.setattr(together, "in_own_connection", slow_once)
    given_up = said_hello(live, casino.controller, secret)
    assert waits.wait(PATIENCE)
    given_up.socket.close()
    newer = SocketController(live, casino.controller, secret)
    assert newer.greeting["ok"]
    mine = Device.objects.get(pk=casino.controller.pk).connection
    until(lambda: newer.say(do="beat")["ok"])
    go_on.set()
    assert ended.wait(PATIENCE)
    assert newer.say(do="coin_in", round=1, seats=[1])["ok"]
    assert Device.objects.get(pk=casino.controller.pk).connection == mine
    newer.close()


def test_what_is_said_right_behind_the_hello_is_heard(live: Any) -> None:
    casino = a_casino()
    box = said_hello(
        live, casino.controller, secret_for(casino.controller), then='{"id":8,"do":"coin_in","round":1,"seats":[1,2]}'
    )
    heard = {}
    while 8 not in heard:
        told = json.loads(box.recv(timeout=PATIENCE))
        heard[told.get("id")] = told
    assert (heard[7]["ok"], heard[8]["ok"]) == (True, True)
    box.close()
