"""Somebody holds one jackpot's row: its tables are told to come again, and no other table waits for it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from django.test import Client

from jackpot.books.actions import holding
from tables.gateway import batcher
from tests.builders import a_controller, a_jackpot, a_pay_table, a_person, a_property, a_table
from tests.controller import HttpController, secret_for
from tests.patience import until

ROYALS = [{"code": "royal_first_5", "name": "Royal flush, first 5 cards", "part": "1"}]


@pytest.fixture
def floor(live: Any) -> Iterator[tuple[HttpController, HttpController, HttpController]]:
    """A table on GRAND alone, one on both, one on MINI alone."""
    house = a_property()
    small = [{"code": "straight_flush", "name": "Straight flush", "part": "1"}]
    grand = a_jackpot("GRAND", premises=house, rate="30", pay_table=a_pay_table(lines=ROYALS))
    mini = a_jackpot("MINI", premises=house, rate="10", reserve_rate="0", pay_table=a_pay_table(lines=small))
    tables = [a_table("T-1", grand), a_table("T-2", grand, mini), a_table("T-3", mini)]
    devices = [a_controller(table) for table in tables]
    a, b, c = (HttpController(live, device, secret_for(device)) for device in devices)
    yield a, b, c
    holding.HELD.clear()


def test_one_held_row_stops_only_its_own_tables(
    floor: tuple[HttpController, HttpController, HttpController], fresh_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits, look = list[Any](), holding.look_for_held  # a batch looks after it has waited its second for a lock
    monkeypatch.setattr(holding, "look_for_held", lambda of: (waits.append(of), look(of)))
    on_grand, on_both, on_mini = floor
    client = Client()
    client.force_login(a_person("manager", may=("see", "run_tables"), premises=a_property()))
    with psycopg.connect(fresh_database) as somebody:
        somebody.execute("SELECT 1 FROM jackpot_jackpot WHERE code = 'MINI' FOR UPDATE")
        answers = {box.device.code: box.say(do="coin_in", round=1, seats=[1, 2]) for box in (on_mini, on_both)}
        assert {(status, told["code"]) for status, told in answers.values()} == {(503, "books_held")}
        assert "MINI" in answers["T-3-C"][1]["why"]
        waited = len(waits)
        for number in range(1, 11):
            assert on_grand.say(do="coin_in", round=number, seats=[1])[0] == 200
            assert on_grand.say(do="end", round=number)[0] == 200
            assert on_both.say(do="coin_in", round=1, seats=[1, 2])[0] == 503
        assert (waited > 0, len(waits)) == (True, waited), "nobody waits a second time"
        assert "MINI is held." in client.get("/pit/").content.decode()
        assert client.get("/api/v1/ready").json()["held"] == ["MINI"]
        somebody.rollback()
    for box in (on_mini, on_both):
        until(lambda box=box: box.say(do="coin_in", round=1, seats=[1, 2])[0] == 200)  # type: ignore[misc]
    assert client.get("/api/v1/ready").json()["held"] == []


def test_a_batch_whose_commit_hangs_is_left_alone_and_who_waits_is_told(
    floor: tuple[HttpController, HttpController, HttpController], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where no standby is left: the commit never returns, and a device hears “unknown” instead of nothing."""
    monkeypatch.setattr(batcher, "ANSWER_WITHIN", 0.5)
    go_on, post = threading.Event(), batcher.post_messages

    def hanging(batch: Any) -> Any:
        outcomes = post(batch)
        go_on.wait(30)
        return outcomes

    monkeypatch.setattr(batcher, "post_messages", hanging)
    on_grand, on_both, _ = floor
    status, told = on_grand.say(do="coin_in", round=1, seats=[1])
    assert (status, told["code"]) == (503, "unknown")
    status, told = on_both.say(do="coin_in", round=1, seats=[1])
    assert (status, told["code"]) == (503, "unknown")
    go_on.set()
    monkeypatch.setattr(batcher, "post_messages", post)
    assert until(lambda: on_grand.say(do="coin_in", round=1, seats=[1]))[1]["repeat"] is True
