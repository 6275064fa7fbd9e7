"""A crowd at the pages takes neither the database's lines nor the tables' time, and is answered in a sentence."""

from __future__ import annotations

import asyncio
import json
import urllib.error
import urllib.request
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import psycopg
import pytest

from config import turns
from config.turns import AT_ONCE, OF_ONE_ADDRESS, CallersInTurn, Crowded
from tests.builders import a_casino
from tests.controller import HttpController, secret_for
from tests.patience import PATIENCE, until

LINES = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'"


def asked(url: str) -> tuple[int, bytes]:
    """With a cookie of a session, so that the page has to look for it."""
    try:
        with urllib.request.urlopen(
            urllib.request.Request(url, headers={"Cookie": f"sessionid={'a' * 32}"}), timeout=PATIENCE
        ) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code, refused.read()


def test_two_hundred_callers_of_one_address_leave_the_floor_its_lines(
    live: Any, fresh_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "LONGEST_WAIT", 1.0)
    casino = a_casino()
    box = HttpController(live, casino.controller, secret_for(casino.controller))
    with psycopg.connect(fresh_database) as somebody, ThreadPoolExecutor(200) as crowd:
        (before,) = somebody.execute(LINES).fetchone() or (0,)
        somebody.execute("LOCK TABLE django_session IN ACCESS EXCLUSIVE MODE")
        callers = [crowd.submit(asked, f"{live.url}/{path}") for path in ("", "api/v1/jackpots/") * 100]
        until(lambda: sum(each.done() for each in callers) >= 200 - OF_ONE_ADDRESS, "those who were turned away")
        (now,) = somebody.execute(LINES).fetchone() or (0,)
        assert now - before <= OF_ONE_ADDRESS + 2, "a line for each caller"
        assert box.say(do="coin_in", round=1, seats=[1, 2])[0] == 200
        with urllib.request.urlopen(f"{live.url}/api/v1/health", timeout=PATIENCE) as health:
            assert health.status == 200
        away = [each.result() for each in callers if each.done()]
        assert {status for status, _ in away} == {503}
        told = {body for _, body in away}
        assert told == {turns.TO_PEOPLE, turns.TO_PROGRAMS}
        assert json.loads(turns.TO_PROGRAMS)["code"] == "busy"
        somebody.rollback()
        assert {each.result()[0] for each in callers} <= {200, 302, 401, 403, 503}
    assert asked(f"{live.url}/sign-in/")[0] == 200, "and afterwards everything is as before"


async def holding(held: CallersInTurn, address: str, over: asyncio.Event, path: str = "/") -> None:
    async with held.turn(address, path):
        await over.wait()


def run(play: Callable[[CallersInTurn], Any]) -> None:
    async def played() -> None:
        await play(CallersInTurn())

    asyncio.run(played())


def test_one_address_never_holds_all_the_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "LONGEST_WAIT", 0.05)

    async def play(held: CallersInTurn) -> None:
        over = asyncio.Event()
        greedy = [asyncio.ensure_future(holding(held, "a", over)) for _ in range(AT_ONCE * 2)]
        turned_away = []
        while len(turned_away) < AT_ONCE * 2 - OF_ONE_ADDRESS:
            await asyncio.sleep(0.005)
            turned_away = [each for each in greedy if each.done()]
        assert len(turned_away) == AT_ONCE * 2 - OF_ONE_ADDRESS
        assert all(isinstance(each.exception(), Crowded) for each in turned_away)
        async with held.turn("b", "/"):
            over.set()
        await asyncio.gather(*greedy, return_exceptions=True)
        assert held._lines == {}, "nobody is remembered for ever"

    run(play)


def test_who_comes_on_top_of_a_long_line_is_turned_away_at_once() -> None:
    async def play(held: CallersInTurn) -> None:
        over = asyncio.Event()
        line = [
            asyncio.ensure_future(holding(held, "a", over)) for _ in range(OF_ONE_ADDRESS + turns.MOST_WAITING)
        ]  # fmt: skip
        await asyncio.sleep(0)
        with pytest.raises(Crowded):
            await holding(held, "a", over)
        over.set()
        await asyncio.gather(*line)

    run(play)


def test_what_a_balancer_asks_never_waits() -> None:
    async def play(held: CallersInTurn) -> None:
        over = asyncio.Event()
        everybody = [asyncio.ensure_future(holding(held, str(each), over)) for each in range(AT_ONCE)]
        await asyncio.sleep(0)
        async with asyncio.timeout(PATIENCE):
            for path in turns.NEVER_WAIT:
                async with held.turn("balancer", path):
                    pass
        over.set()
        await asyncio.gather(*everybody)

    run(play)


def test_a_caller_who_gives_up_gives_its_turn_back() -> None:
    async def play(held: CallersInTurn) -> None:
        over = asyncio.Event()
        for _ in range(3):
            gone = [asyncio.ensure_future(holding(held, "a", over)) for _ in range(OF_ONE_ADDRESS + 3)]
            await asyncio.sleep(0)
            for each in gone:
                each.cancel()
            await asyncio.gather(*gone, return_exceptions=True)
        over.set()
        await asyncio.wait_for(holding(held, "a", over), PATIENCE)

    run(play)
