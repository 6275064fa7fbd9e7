"""T12: the power goes between the card and the slip, and once within the card: one award, one number, one page.

Played with the figures of a seed (own_figures.py).
"""

from __future__ import annotations

import contextlib
import json
import threading
import time
from decimal import Decimal
from http.client import HTTPException
from typing import Any

import pytest

from proving.house import ProvingHouse, house
from tests.journeys.own_figures import Meter
from tests.journeys.power_cut_scene import CAGE
from tests.journeys.test_half_way import Mortal
from tests.journeys.visitor import Visitor
from tests.patience import PATIENCE, until
from tests.tables.gateway.test_refusals import EXECUTIVE, PIN


def asks(ours: ProvingHouse, table: Mortal, seat: int, *others: int) -> None:
    """A royal at this seat, its cards entered, CONFIRM pressed."""
    table.told("coin_in", round=1, seats=[seat, *others])
    table.told("mark", round=1, seat=seat, hand="royal_first_5")
    table.told("confirm", round=1)
    ours.run("tests.journeys.power_cut_scene", table.code, "1")


def swiped(table: Mortal) -> dict[str, Any]:
    """Said until somebody answers; a card whose award stands already is refused with the number of its slip."""
    while True:
        until(table.all_run)
        with contextlib.suppress(OSError, HTTPException):
            status, answer = table.box.say(id=1, do="card", round=1, card=EXECUTIVE, pin=PIN)
            if status != 503:
                told: dict[str, Any] = answer
                return told
        time.sleep(0.02)


def paid(answer: dict[str, Any]) -> list[tuple[int, str, int]]:
    return [(win["seat"], win["amount"], win["slip"]) for win in answer["wins"]]


def meter(table: Mortal) -> str:
    told = table.told("hello", device=table.box.device.code, version="2.0.0", profile="card")
    stands: str = told["meters"]["GRAND"]
    return stands


def power_cut(ours: ProvingHouse) -> None:
    """Database and web die in one moment; the launcher's supervisor brings both back."""
    ours.kill_postgres()
    ours.kill_web(0.0)
    ours.look_after()


def cut_within_the_card(ours: ProvingHouse, table: Mortal) -> None:
    def swipe() -> None:
        with contextlib.suppress(OSError, HTTPException):
            table.box.say(id=1, do="card", round=1, card=EXECUTIVE, pin=PIN)

    swiping = threading.Thread(target=swipe)
    swiping.start()
    time.sleep(0.004)
    power_cut(ours)
    swiping.join(PATIENCE)


def printed(ours: ProvingHouse, table: Mortal, slip: int, **why: str) -> tuple[int, str, int]:
    """What the window prints for this slip: status, the copy's own word, its slip."""
    until(table.all_run)
    cage = Visitor(f"http://127.0.0.1:{ours.ports[0]}", "cage", CAGE)
    status, told = cage.posts(f"slips/{slip}/copies/", form="letter", **why)
    return status, told.get("copy", told.get("code", "")), told.get("slip", slip)


@pytest.mark.drill
def test_t12_a_power_cut_between_card_and_slip_leaves_one_award_and_an_original() -> None:
    """MD 36.05.03.23; N.J.A.C. 13:69E-1.39B (h): the state before it, with no copy that calls itself another one."""
    figures = Meter.of("T12")
    with house() as ours:
        made = json.loads(ours.run("tests.journeys.power_cut_scene", json.dumps(figures.terms())))
        ours.open_door()
        first, second = (Mortal(ours, each) for each in made)
        seats = figures.seats(least=2)
        asks(ours, first, *seats)
        figures.counts(seats)
        won = [figures.is_won()]
        assert paid(swiped(first)) == [(seats[0], won[0], 1)]
        power_cut(ours)
        again = swiped(first)
        assert (again["code"], "is slip 1, approved by" in again["why"]) == ("approved", True)
        assert printed(ours, first, 1) == (201, "ORIGINAL", 1)
        assert printed(ours, first, 1) == (409, "reason", 1)
        assert first.told("end", round=1)["next_round"] == 2
        assert meter(first) == figures.exact
        seats = figures.seats(least=3)[::-1]
        asks(ours, second, *seats)
        figures.counts(seats)
        won.append(figures.is_won())
        cut_within_the_card(ours, second)
        after = swiped(second)
        assert after.get("code") == "approved" or paid(after) == [(seats[0], won[1], 2)]
        assert printed(ours, second, 2) == (201, "ORIGINAL", 2)
        assert second.told("end", round=1)["next_round"] == 2
        assert meter(second) == figures.exact
        assert json.loads(ours.run("proving.proof", "0"))["findings"] == []
        with ours.connect() as books:
            rows = books.execute("SELECT slip, amount::text FROM jackpot_win WHERE slip IS NOT NULL ORDER BY 1")
            assert [(slip, Decimal(amount)) for slip, amount in rows] == [
                (slip, Decimal(each)) for slip, each in enumerate(won, 1)
            ]
