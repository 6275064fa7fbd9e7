"""V10 from outside: controllers over HTTP and WebSocket, people over the API, a sign on the wall."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from tests.builders import a_card, a_casino, a_pay_table, a_person
from tests.controller import SocketController, secret_for
from tests.hands import with_cards
from tests.journeys.visitor import Auditor, BoxSign
from tests.patience import until
from tests.tables.hits.test_hit import REF_B

pytestmark = pytest.mark.race
ASKS = ("see", "read_books", "configure", "override", "approve")
PIN = "274916"


class Evening:
    """Two tables on GRAND at 20,000.00 / 617.25, two people who configure, a box sign."""

    def __init__(self, live: Any, **of_the_jackpot: Any) -> None:
        told = {"meter": "20000.00", "reserve": "617.25", "pay_table": a_pay_table(lines=REF_B), **of_the_jackpot}
        self.casino = a_casino(tables=2, **told)
        self.sign = BoxSign(live, "WALL", self.casino.jackpot)
        self.ann, self.bob = Client(), Client()
        for client, name in ((self.ann, "ann"), (self.bob, "bob")):
            client.force_login(a_person(name, may=ASKS, password="right"))
        a_card(a_person("executive"), number="900000000001", level="executive", pin=PIN)
        self.tables = [SocketController(live, each, secret_for(each)) for each in self.casino.controllers]
        self.rounds = [0, 0]
        self.auditor = Auditor(live, self.casino.premises)

    def close(self) -> None:
        for each in (*self.tables, self.sign):
            each.close()

    def post(self, client: Client, where: str, **words: Any) -> Any:
        answer = client.post(f"/api/v1/jackpots/GRAND/{where}", words, content_type="application/json")
        assert answer.status_code < 300, answer.json()
        return answer.json()

    def waits(self, **changes: Any) -> int:
        """One asks, the other approves; the number of the version that waits."""
        number = self.post(self.ann, "versions/", changes=changes, reason="the season")["change"]["number"]
        version: int = self.post(self.bob, f"changes/{number}/approve/", password="right")["change"]["version"]
        return version

    def coin_ins(self, rounds: int, seats: tuple[int, ...] = (1, 2, 3, 4, 5)) -> str:
        for _ in range(rounds):
            meter = self.coin_in(1, *seats)
            self.says(1, do="end", round=self.rounds[1])
        return meter

    def coin_in(self, table: int, *seats: int) -> str:
        self.rounds[table] += 1
        answer = self.says(table, do="coin_in", round=self.rounds[table], seats=list(seats))
        meter: str = answer["meters"]["GRAND"]
        return meter

    def hit(self, hand: str = "royal", seat: int = 2) -> list[dict[str, Any]]:
        self.coin_in(0, seat)
        number = self.rounds[0]
        self.says(0, do="mark", round=number, seat=seat, hand=hand)
        self.says(0, do="confirm", round=number)
        with_cards("UTH-01", number)
        wins: list[dict[str, Any]] = self.says(0, do="card", round=number, card="900000000001", pin=PIN)["wins"]
        self.says(0, do="end", round=number)
        return wins

    def says(self, table: int, **message: Any) -> dict[str, Any]:
        answer = self.tables[table].say(**message)
        assert answer["ok"], answer
        return answer

    def hands(self, table: int) -> list[str]:
        """Of the next `config` that the server pushes to this table."""
        heard = self.tables[table].pushed
        while not any(push["do"] == "config" for push in heard):
            heard.append(self.tables[table].hear())
        return [hand["code"] for push in heard if push["do"] == "config" for hand in push["hands"]]

    def meter(self) -> tuple[str, str]:
        balances = self.auditor.balances()
        return balances["meter"], balances["reserve"]


@pytest.fixture
def evening(live: Any, request: pytest.FixtureRequest) -> Any:
    played = Evening(live, **getattr(request, "param", {}))
    yield played
    assert played.auditor.proves()
    played.close()


def test_v10_the_new_rate_and_the_new_seed_begin_with_the_reset(evening: Evening) -> None:
    assert evening.waits(rate="60", seed="12000.00") == 2
    assert evening.coin_ins(20) == "20070.00"
    assert [win["amount"] for win in evening.hit()] == ["20070.70"]
    assert evening.meter() == ("12622.30", "0.00")
    assert evening.coin_ins(20) == "12682.30"
    versions = evening.auditor.reads("jackpots/GRAND/versions/")["results"]
    assert [(each["number"], each["in_force"]) for each in versions] == [(2, True), (1, False)]


@pytest.mark.parametrize("evening", [{"limit": "30000.00"}], indirect=True)
def test_the_sign_hears_the_new_limit_and_the_new_lines_with_the_reset(evening: Evening) -> None:
    lines = [{"code": "royal", "name": "Royal flush of the season", "part": "1"}, REF_B[1]]
    evening.waits(seed="12000.00", limit="25000.00", pay_table={"code": "season", "lines": lines})
    evening.coin_ins(1)
    heard = evening.sign.hears(GRAND="20003.50")[-1]["meters"][0]
    assert (heard["limit"], heard["lines"][0]["name"]) == ("30000.00", "Royal flush")
    evening.hit()

    def heard_of_the_reset() -> Any:
        told = evening.sign.hears(GRAND="12617.55")[-1]["meters"][0]
        return told if told["limit"] == "25000.00" else None

    assert until(heard_of_the_reset)["lines"][0]["name"] == "Royal flush of the season"


def test_a_controller_hears_the_new_hands_once_its_round_is_over(evening: Evening) -> None:
    lines = [REF_B[0], {"code": "quads", "name": "Four of a kind", "for_one": 100, "source": "tray"}]
    evening.waits(pay_table={"code": "season", "lines": lines})
    evening.coin_in(1, 4)
    evening.hit()
    assert evening.hands(0) == ["royal", "quads"]
    evening.says(1, do="mark", round=1, seat=4, hand="five")  # its round goes on with the terms of its coin-in
    assert not any(push["do"] == "config" for push in evening.tables[1].pushed)
    evening.says(1, do="unmark", round=1, seat=4, hand="five")
    evening.says(1, do="end", round=1)
    assert evening.hands(1) == ["royal", "quads"]


def test_a_version_that_waits_is_replaced_and_only_the_newer_takes_effect(evening: Evening) -> None:
    evening.waits(seed="12000.00")
    assert evening.waits(seed="13000.00") == 3
    evening.hit()
    assert evening.meter()[0] == "13617.30"
    states = [each["state"] for each in evening.auditor.reads("jackpots/GRAND/changes/?order=number")["results"]]
    assert states == ["replaced", "activated"]


def test_a_back_out_of_the_reset_puts_the_older_terms_back(evening: Evening) -> None:
    evening.waits(rate="60", seed="12000.00")
    evening.hit()
    win = evening.auditor.reads("wins/")["results"][0]["id"]
    words = {"reason": "misdeal", "evidence": "camera 7, 02:14", "card": "900000000001", "pin": PIN}
    undone = evening.ann.post(
        f"/api/v1/wins/{win}/back-out/", words, content_type="application/json",
        headers={"Idempotency-Key": "back-out-0001"},
    )  # fmt: skip
    assert undone.status_code == 200, undone.json()
    assert evening.auditor.reads("jackpots/GRAND/")["version"] == 1
    assert evening.coin_ins(2) == "20007.70"
    evening.hit()
    assert evening.auditor.reads("jackpots/GRAND/")["version"] == 2
