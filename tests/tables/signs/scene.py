"""A small floor with signs, and somebody who listens."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from websockets.sync.client import ClientConnection, connect

from jackpot.books.models.jackpot import Jackpot
from jackpot.property.models.property import Property
from tables.floor.models.device import Device
from tables.floor.models.sign import Sign
from tables.floor.models.table import Table
from tables.rounds.actions.round import post_messages
from tables.rounds.rules.round import CoinInRequest, DeviceRequest, PostedAnswer
from tables.setup.actions.floor import DeviceFacts, register_device
from tests.builders import a_controller, a_jackpot, a_property, a_sign, a_table
from tests.controller import secret_for
from tests.patience import PATIENCE


class Floor:
    """One table that feeds GRAND, and the sign WALL-1 that shows it."""

    def __init__(self, *, demo: bool = True, meter: str = "20000.00", **terms: Any) -> None:
        self.premises: Property = a_property("DEMO", demo=demo, name="Reference Card Room")
        self.jackpot: Jackpot = a_jackpot("GRAND", meter=meter, premises=self.premises, name="Grand", **terms)
        self.table: Table = a_table("UTH-01", self.jackpot)
        self.controller: Device = a_controller(self.table)
        secret_for(self.controller)
        self.sign: Sign = a_sign("WALL-1", self.jackpot, notice="Progressive wager 1.00")
        self.round = 0

    def coin_in(self, seats: str = "12357") -> int:
        """Every round is counted and left open: a sign does not care."""
        self.round += 1
        self.ended()
        answer = post_messages(
            [DeviceRequest("UTH-01", self.controller.id, self.round, CoinInRequest(self.round, seats))]
        )[0]
        assert isinstance(answer, PostedAnswer), answer
        return self.round

    def ended(self) -> None:
        from tables.rounds.rules.round import EndRequest

        if self.round > 1:
            post_messages([DeviceRequest("UTH-01", self.controller.id, self.round, EndRequest(self.round - 1))])

    def void(self, round_number: int) -> None:
        from tables.hits.actions.undo import void_round

        void_round(table_code="UTH-01", round_number=round_number, reason="shuffler malfunction", by="tests")


def a_sign_device(sign: Sign, code: str = "SIGN-1") -> Device:
    return register_device(code=code, facts=DeviceFacts(kind="sign", sign=sign.code), by="tests")


def hear(socket: ClientConnection, timeout: float = PATIENCE) -> dict[str, Any]:
    """The next whole words; beats are let pass."""
    while True:
        heard: dict[str, Any] = json.loads(socket.recv(timeout=timeout))
        if "meters" in heard:
            return heard


def hear_until(socket: ClientConnection, amount: str, timeout: float = PATIENCE) -> dict[str, Any]:
    while (heard := hear(socket, timeout))["meters"][0]["amount"] != amount:
        pass
    return heard


@contextmanager
def listening(live: Any, code: str = "WALL-1", **headers: str) -> Iterator[ClientConnection]:
    with connect(f"{live.ws_url}/ws/signs/{code}", additional_headers=headers, compression=None) as socket:
        yield socket


def get(live: Any, path: str, headers: Mapping[str, str] | None = None) -> tuple[int, str]:
    request = urllib.request.Request(live.url + path, headers=dict(headers or {}))
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code, refused.read().decode()
