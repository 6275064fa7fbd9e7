"""Lines of the rule sheet, seen from outside: controllers, signs and an auditor, over HTTP and WebSocket."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tables.floor.models.device import Device
from tests.builders import a_casino, a_controller, a_jackpot, a_pay_table, a_table
from tests.controller import HttpController, SocketController, secret_for
from tests.journeys.visitor import Auditor, BoxSign

Talks = Callable[..., dict[str, Any]]


@pytest.fixture(params=["HTTP", "WebSocket"])
def talking(live: Any, request: pytest.FixtureRequest) -> Iterator[Callable[[Device], Talks]]:
    """The same words over either wire; what was connected is closed at the end."""
    with contextlib.ExitStack() as closing:

        def connected(device: Device) -> Talks:
            secret = secret_for(device)
            if request.param == "HTTP":
                controller = HttpController(live, device, secret)
                return lambda **message: controller.say(**message)[1]
            socket = SocketController(live, device, secret)
            closing.callback(socket.close)
            return lambda **message: socket.say(**{**message, "id": 7})

        yield connected


def test_v2_the_meter_keeps_the_fraction_and_the_sign_promises_the_cent(live: Any, talking: Any) -> None:
    casino = a_casino(meter="10000.00", rate="17.33", reserve_rate="0")
    sign = BoxSign(live, "WALL", casino.jackpot)
    sign.hears(GRAND="10000.00")
    answer = talking(casino.controller)(id=1, do="coin_in", round=1, seats=[2, 4, 6])
    assert answer["meters"] == {"GRAND": "10000.5199"}
    heard = sign.hears(GRAND="10000.51")
    assert [meter["reason"] for meter in heard[-1]["meters"]] == [None]
    auditor = Auditor(live, casino.premises)
    assert auditor.balances()["meter"] == "10000.5199"
    assert auditor.reads("jackpots/GRAND/")["shown"] == "10000.51"
    assert auditor.proves()
    sign.close()


def test_v3_the_same_round_three_times_counts_once_and_other_seats_are_a_clash(live: Any, talking: Any) -> None:
    casino = a_casino()
    says = talking(casino.controller)
    answers = [says(id=5, do="coin_in", round=1, seats=seats) for seats in ([1, 2, 5], [5, 2, 1], [1, 2, 5])]
    assert [answer.pop("repeat") for answer in answers] == [False, True, True]
    assert len({json.dumps(answer) for answer in answers}) == 1
    clash = says(id=6, do="coin_in", round=1, seats=[1, 2, 6])
    assert (clash["ok"], clash["code"]) == (False, "clash")
    assert "seats 1, 2 and 5" in clash["why"]
    auditor = Auditor(live, casino.premises)
    assert auditor.balances()["meter"] == "10002.10"
    assert auditor.entries() == 2
    assert auditor.proves()


def test_v11_what_the_limit_does_not_take_is_overflow(live: Any, talking: Any) -> None:
    casino = a_casino(meter="24999.50", limit="25000.00", reserve_rate="5")
    says = talking(casino.controller)
    meters = []
    for number in range(1, 11):
        meters.append(says(id=number, do="coin_in", round=number, seats=[3])["meters"]["GRAND"])
        assert says(id=number, do="end", round=number)["ok"]
    assert meters == ["25000.00"] * 10
    auditor = Auditor(live, casino.premises)
    balances = auditor.balances()
    assert (balances["meter"], balances["overflow"], balances["reserve"]) == ("25000.00", "6.50", "0.50")
    assert auditor.proves()


def test_v19_one_wager_feeds_two_jackpots_and_is_counted_once(live: Any, talking: Any) -> None:
    only_a_part = a_pay_table(code="mini", lines=[{"code": "royal_flush", "name": "Royal flush", "part": "1"}])
    grand = a_jackpot("GRAND", rate="60", reserve_rate="0")
    mini = a_jackpot("MINI", meter="500.00", rate="10", reserve_rate="0", pay_table=only_a_part)
    device = a_controller(a_table("UTH-01", grand, mini))
    sign = BoxSign(live, "WALL", grand, mini)
    sign.hears(GRAND="10000.00", MINI="500.00")
    answer = talking(device)(id=1, do="coin_in", round=1, seats=[7])
    assert answer["meters"] == {"GRAND": "10000.60", "MINI": "500.10"}
    assert answer["coin_in"] == {"seats": [7], "total": "1.00"}
    sign.hears(GRAND="10000.60", MINI="500.10")
    auditor = Auditor(live, grand.premises)
    assert len(auditor.reads("rounds/")["results"]) == 1
    assert (auditor.balances("GRAND")["contributed"], auditor.balances("MINI")["contributed"]) == ("-0.60", "-0.10")
    assert auditor.proves("GRAND", "MINI")
    sign.close()
