"""A demo person at a browser, as a program: signs in once, asks again after a loss, says why it was refused."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import pytest

from jackpot.wins.models import Win
from tables.simulator import desk as desks
from tables.simulator.cage import Cage
from tables.simulator.desk import ApiSession, Login
from tables.simulator.hits import TableAward
from tables.simulator.pace import Pace
from tables.simulator.wires import AnswerLost, ServerRefusal
from tests.builders import a_person
from tests.scenes_wins import WinFloor

CASHIER = Login("cashier", "plain words for a cashier")


def a_cashier(live: Any) -> ApiSession:
    a_person(CASHIER.username, may=("see", "pay"), password=CASHIER.password)
    return ApiSession(live.url, CASHIER)


def test_a_slip_is_paid_once_and_the_second_time_is_told_why(live: Any):
    win = WinFloor().royal()
    assert (win.slip, win.number) != (None, None)
    desk = a_cashier(live)
    path = f"/api/v1/wins/{win.pk}/pay/"

    async def twice() -> list[Any]:
        first = await desk.acts(path, {"method": "cash"}, "simulated-slip-1")
        with pytest.raises(ServerRefusal, match="was paid on") as refused:
            await desk.acts(path, {"method": "cash"}, "simulated-slip-2")
        return [first["repeat"], refused.value.code]

    assert asyncio.run(twice()) == [False, "paid"]
    assert Win.objects.get(pk=win.pk).state == "paid"


def test_the_cage_pays_who_comes_and_names_a_slip_that_is_not_there(live: Any):
    win = WinFloor().royal()
    assert win.slip is not None
    assert win.number is not None
    desk = a_cashier(live)

    async def evening() -> Cage:
        cage = Cage(desk, Pace(), asyncio.Event(), Random(1))
        cage.bring(TableAward(win.number or 0, "GRAND", str(win.amount_money), win.slip or 0))
        cage.nobody_comes_any_more()
        await cage.serve()
        return cage

    cage = asyncio.run(evening())
    assert ([won.slip for won in cage.paid], cage.troubles) == ([win.slip], [])


def test_a_wrong_password_is_said_once_and_the_cage_stays_closed(live: Any):
    async def evening() -> Cage:
        cage = Cage(ApiSession(live.url, Login("nobody", "wrong")), Pace(), asyncio.Event(), Random(1))
        for number in (1, 2):
            cage.bring(TableAward(number, "GRAND", "10.00", number))
        cage.nobody_comes_any_more()
        await cage.serve()
        return cage

    (trouble,) = asyncio.run(evening()).troubles
    assert trouble.startswith("Nobody pays slips at the cage: nobody cannot sign in")


def test_a_server_that_is_gone_is_asked_a_few_times(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(desks, "PAUSE", 0.001)
    with pytest.raises(AnswerLost):
        asyncio.run(ApiSession("http://127.0.0.1:1", CASHIER).reads("/api/v1/wins/"))
