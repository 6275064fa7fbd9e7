"""Whatever stands half-way still stands after anything that may happen to it, and goes on from there.

Each state of both profiles × a server that knows nothing any more, a new line of the device, a wrong key, a wrong card;
and all of them together × kill -9 of the web process and of PostgreSQL.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http.client import HTTPException
from types import SimpleNamespace
from typing import Any

import pytest

from config.asgi import Application
from jackpot.books.actions import post as of_books
from jackpot.wins.models import Win
from proving.house import ProvingHouse, house
from tables.floor.models.table import Profile
from tables.rounds.queries import floor_facts
from tests.builders import CARD_PIN
from tests.controller import HttpController, SocketController
from tests.indoors import Indoors, indoors_open
from tests.jackpot.books.api_scene import signed_in
from tests.living import Live, living
from tests.patience import PATIENCE, until
from tests.tables.gateway.test_refusals import EXECUTIVE, PIN, SUPERVISOR, Box, dual

PIT = ("see", "run_tables", "verify", "approve")


@dataclass(frozen=True)
class HalfWay:
    """A state, how it is reached, what the pit's board says of it, and how it comes to its end."""

    profile: str
    play: Callable[[Box], Any]
    pit: str
    finish: Callable[[Box], Any]


def seats_said(box: Box) -> None:
    client = signed_in("verify", username="seats")
    body = {"hand": "full_house", "seats": [2]}
    answer = client.post("/api/v1/rounds/UTH-01/1/seats/", body, content_type="application/json")
    assert answer.status_code == 200, answer.content


def by_key(box: Box, *, turned: bool = False) -> None:
    if not turned:
        box.told("key", key="17", position="JPH")
    box.told("j_pot")
    box.told("key", key="17", position="RUN")


def by_card(box: Box, card: str = SUPERVISOR, **pin: str) -> None:
    box.told("card", round=1, card=card, **pin)


def parks(box: Box) -> None:
    box.runs()
    box.marks()
    box.told("park", round=1, card=EXECUTIVE, pin=PIN, reason="disputed")


def logs(box: Box) -> None:
    box.at_jph()
    box.told("j_pot")


HALF_WAY: Mapping[str, HalfWay] = {
    "marked": HalfWay(
        Profile.CARD, lambda box: (box.runs(), box.marks()), "the dealer marks; wait for CONFIRM or JPH",
        lambda box: (box.told("confirm", round=1), by_card(box)),
    ),
    "after CONFIRM, before the card": HalfWay(Profile.CARD, Box.asks, "waits for a card", by_card),
    "one of two signatures": HalfWay(
        Profile.CARD, dual, "waits for a card", lambda box: by_card(box, EXECUTIVE, pin=PIN)
    ),
    "parked": HalfWay(Profile.CARD, parks, "the round is over; settle it", by_card),
    "lit": HalfWay(
        Profile.KEY, lambda box: (box.runs(), box.told("mark", round=1, hand="full_house")), "say which seats hold it",
        lambda box: (seats_said(box), by_key(box)),
    ),
    "lit, key at JPH": HalfWay(
        Profile.KEY, Box.lit_at_jph, "say which seats hold it",
        lambda box: (seats_said(box), by_key(box, turned=True)),
    ),
    "key at JPH with marks": HalfWay(
        Profile.KEY, Box.at_jph, "waits for a card", lambda box: by_key(box, turned=True)
    ),
    "after J-POT, before RUN": HalfWay(
        Profile.KEY, logs, "approved; turn the key to RUN", lambda box: box.told("key", key="17", position="RUN")
    ),
}  # fmt: skip


def greeting(box: Box) -> dict[str, Any]:
    """What hello says: the open round, its hits, what is parked, the key."""
    return told_by(box.told("hello", device=box.casino.controller.code, version="2.0.0", profile="card"))


def told_by(hello: Mapping[str, Any]) -> dict[str, Any]:
    return {word: hello[word] for word in ("next_round", "open_round", "parked", "key_at_jph", "meters")}


def a_new_server(box: Box) -> None:
    """Another process that has served nobody yet: nothing of what the first one remembered is left."""
    before = greeting(box)
    forget_everything()
    with indoors_open() as other:
        box.box.live = other
        assert greeting(box) == greeting(box) == before


def forget_everything() -> None:
    floor_facts.forget_links()
    vars(of_books)["_versions"].clear()


def a_wrong_key(box: Box) -> None:
    assert box.say("key", key="99", position="JPH")["ok"] is False
    if greeting(box)["key_at_jph"]:
        assert box.say("key", key="99", position="RUN")["code"] == "wrong_key"


def a_wrong_card(box: Box) -> None:
    assert box.say("card", round=1, card="123456789")["code"] == "pin_needed"


@pytest.mark.parametrize("happens", [a_new_server, a_wrong_key, a_wrong_card], ids=lambda happens: happens.__name__)
@pytest.mark.parametrize("name", HALF_WAY)
def test_it_still_stands_and_goes_on(indoors: Indoors, name: str, happens: Callable[[Box], None]) -> None:
    state = HALF_WAY[name]
    box = Box(indoors, state.profile)
    box.casino.table.refresh_from_db()
    state.play(box)
    before = greeting(box)
    happens(box)
    box.box.live = indoors
    assert greeting(box) == before
    comes_to_its_end(box, state)


@pytest.mark.parametrize("name", HALF_WAY)
def test_it_still_stands_on_a_new_line_to_another_server(live: Live, name: str) -> None:
    """Over the wires: the line breaks, the box connects to a server that knows nothing, and connects once more."""
    state = HALF_WAY[name]
    box = Box(live, state.profile)
    box.casino.table.refresh_from_db()
    state.play(box)
    before = greeting(box)
    forget_everything()
    with living(Application()) as other:
        for _ in range(2):
            line = SocketController(other, box.casino.controller, box.box.secret)
            line.close()
            assert told_by(line.greeting) == before
    comes_to_its_end(box, state)


def comes_to_its_end(box: Box, state: HalfWay) -> None:
    assert state.pit in signed_in(*PIT, username="pit").get("/pit/").content.decode()
    state.finish(box)
    assert [(win.seat, win.state, str(win.amount_money)) for win in Win.objects.filter(seat__gt=0)] == [
        (2, "owed", "10.00")
    ]
    assert box.told("end", round=1)["next_round"] == 2


class Mortal:
    """A controller of a house that is killed: says the same again until somebody answers."""

    def __init__(self, ours: ProvingHouse, made: Mapping[str, str]) -> None:
        table = SimpleNamespace(code=made["place"])
        device: Any = SimpleNamespace(code=made["device"], table=table)
        self.ours, self.code = ours, made["place"]
        self.box = HttpController(Live(ours.ports[0]), device, bytes.fromhex(made["secret"]))

    def told(self, do: str, **words: Any) -> dict[str, Any]:
        given_up = time.monotonic() + PATIENCE
        while True:
            until(self.all_run)  # else the socket takes a call that nobody answers
            try:
                status, answer = self.box.say(id=1, do=do, **words)
            except (OSError, HTTPException):
                status, answer = 503, {}
            if status != 503:
                assert answer["ok"], answer
                return answer
            assert time.monotonic() < given_up, "the house did not come back"
            time.sleep(0.02)

    def all_run(self) -> bool:
        self.ours.look_after()
        return all(child.alive for child in self.ours.children)

    def stands(self) -> dict[str, Any]:
        answer = self.told("hello", device=self.box.device.code, version="2.0.0", profile="card")
        return {word: answer[word] for word in ("next_round", "open_round", "parked", "key_at_jph")}

    def asks(self) -> None:
        self.told("coin_in", round=1, seats=[2, 5])
        self.told("mark", round=1, seat=2, hand="four_of_a_kind")
        self.told("confirm", round=1)

    def parks(self) -> None:
        self.asks()
        self.told("park", round=1, card=EXECUTIVE, pin=PIN, reason="disputed")

    def lights(self) -> None:
        self.told("coin_in", round=1, seats=[2, 5])
        self.told("mark", round=1, hand="four_of_a_kind")

    def marks_at_jph(self) -> None:
        self.told("coin_in", round=1, seats=[2, 5])
        self.told("mark", round=1, seat=2, hand="four_of_a_kind")
        self.told("key", key="17", position="JPH")

    def logs(self) -> None:
        self.told("coin_in", round=1, seats=[2, 5])
        self.told("mark", round=1, seat=2, hand="four_of_a_kind")
        self.told("key", key="18", position="JPH")
        self.told("j_pot")


@pytest.mark.drill
def test_it_still_stands_after_kill_9_of_the_server_and_of_the_database() -> None:
    """One table in each state; then the web process dies, then PostgreSQL as in a power cut; then all goes on."""
    with house() as ours:
        made = json.loads(ours.run("tests.journeys.half_way_scene"))
        ours.open_door()
        asked, parked, lit, at_jph, logged = tables = [Mortal(ours, each) for each in made]
        for table, play in zip(tables, ("asks", "parks", "lights", "marks_at_jph", "logs"), strict=True):
            getattr(table, play)()
        before = [table.stands() for table in tables]
        for kill in (lambda: ours.kill_web(0.0), ours.kill_postgres):
            kill()
            assert [table.stands() for table in tables] == before
        asked.told("card", round=1, card=SUPERVISOR, pin=CARD_PIN)
        parked.told("card", round=1, card=SUPERVISOR, pin=CARD_PIN)
        at_jph.told("j_pot")
        at_jph.told("key", key="17", position="RUN")
        logged.told("key", key="18", position="RUN")
        lit.told("unmark", round=1, hand="four_of_a_kind")
        assert [table.told("end", round=1)["next_round"] for table in tables] == [2] * 5
        assert json.loads(ours.run("proving.proof", "0"))["findings"] == []
