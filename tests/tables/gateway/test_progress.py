"""A box is told of its own hits, its lamps and what it waits for, while the pit decides."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

from jackpot.trail.models import Trail
from tables.hits.actions import hit
from tables.hits.actions.park import park
from tests.builders import AT_BOX
from tests.controller import SocketController
from tests.hands import with_cards
from tests.patience import PATIENCE
from tests.tables.gateway.test_refusals import EXECUTIVE, PIN, SUPERVISOR, Box, stands


class Listens:
    """A box at UTH-01 that remembers the newest of each push."""

    def __init__(self, live: Any) -> None:
        self.people = Box(live)
        self.box = SocketController(live, self.people.casino.controller, self.people.box.secret)
        self.newest: dict[str, Any] = {}

    def says(self, do: str, **words: Any) -> dict[str, Any]:
        answer = self.box.say(do=do, **words)
        assert answer["ok"], answer
        return answer

    def asks(self) -> None:
        self.says("mark", round=1, seat=2, hand="four")
        self.says("confirm", round=1)
        self.hears("notice", "notice", "Four of a kind at seat 2: waiting for approval, here or on the pit page.")

    def hears(self, push: str, word: str, what: Any) -> Any:
        """Listens until the newest push of this kind says that."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            for heard in self.box.pushed:
                self.newest[heard["do"]] = heard
            self.box.pushed.clear()
            if push in self.newest and self.newest[push][word] == what:
                return self.newest[push]
            try:
                self.box.pushed.append(self.box.hear())
            except TimeoutError:
                break
        raise AssertionError(f"{push} never said {word} = {what}; last {self.newest.get(push)}")


@pytest.fixture
def box(live: Any) -> Iterator[Listens]:
    listening = Listens(live)
    yield listening
    listening.box.close()


PLACE = {"table_code": "UTH-01", "round_number": 1}


def test_lamps_follow_the_chips_the_lock_and_the_win(box: Listens) -> None:
    box.says("spots", spots="010010x")
    box.hears("lamps", "lamps", ["off", "chip", "off", "off", "chip", "off", "fault"])
    box.says("coin_in", round=1, seats=[2, 5], spots="0100100")
    box.hears("lamps", "lamps", ["off", "counted", "off", "off", "counted", "off", "off"])
    box.says("mark", round=1, seat=2, hand="full_house")
    box.says("confirm", round=1)
    box.hears("notice", "notice", "Full house at seat 2: waiting for approval, here or on the pit page.")
    hit.swipe(**PLACE, card=SUPERVISOR, at_table=True, source=AT_BOX)
    box.hears("lamps", "lamps", ["off", "winner", "off", "off", "counted", "off", "off"])
    told = box.hears("notice", "notice", "The meter has moved. Pay by the win page, then end the round.")
    assert told["do"] == "notice"
    assert [(each["state"], each["slip"]) for each in box.newest["win"]["hits"]] == [("owed", 1)]
    box.says("end", round=1)
    box.hears("lamps", "lamps", ["off"] * 7)
    box.hears("win", "hits", [])
    box.hears("notice", "notice", "")


def test_what_the_pit_rejects_or_parks_is_heard_at_the_table(box: Listens) -> None:
    box.says("coin_in", round=1, seats=[2, 5])
    box.asks()
    hit.reject(**PLACE, by="Test Supervisor", why="a pair")
    box.hears("win", "hits", [])
    box.asks()
    with_cards(**PLACE)
    park(**PLACE, card=EXECUTIVE, pin=PIN, reason="the player waits for a lawyer")
    box.hears("notice", "notice", "Four of a kind at seat 2: open at the pit.")
    assert [each["round"] for each in box.newest["win"]["parked"]] == [1]
    hit.swipe(**PLACE, card=EXECUTIVE, pin=PIN)
    box.hears("notice", "notice", "")


def test_in_the_key_profile_a_key_takes_a_round_back_where_there_is_no_card_reader(indoors: Any) -> None:
    box = Box(indoors, "key")
    box.runs()
    assert box.told("recount", round=1, seats=[2], key="17")["revision"] == 2
    assert box.told("void", round=1, reason="shuffler malfunction", key="17")["state"] == "void"
    assert set(Trail.objects.filter(subject="UTH-01/1").values_list("actor", flat=True)) == {"Test Supervisor"}


@pytest.mark.parametrize(
    ("profile", "words", "code"),
    [
        ("key", {"key": "18"}, "key_unknown"),
        ("key", {}, "pin_needed"),
        ("card", {"key": "17"}, "profile"),
    ],
)
def test_a_key_that_speaks_for_nobody_takes_nothing_back(
    indoors: Any, profile: str, words: dict[str, str], code: str
) -> None:
    box = Box(indoors, profile)
    box.runs()
    before = stands()
    assert box.say("void", round=1, reason="shuffler malfunction", **words)["code"] == code
    assert stands() == before
