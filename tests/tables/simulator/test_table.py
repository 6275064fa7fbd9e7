"""A simulated controller at a bad line: what was acknowledged is never said again, what was not always is."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from functools import partial
from typing import Any

import pytest

from tables.simulator import table as tables
from tables.simulator.journal import BoxJournal
from tables.simulator.pace import Pace
from tables.simulator.script import Crowd, planned_rounds
from tables.simulator.table import TablePlayer, Tally
from tables.simulator.wires import Answer, AnswerLost, ServerRefusal


class House:
    """The server's side: counts each round once, loses answers and refuses where the test says so."""

    def __init__(self, *, lose: Mapping[int, str] | None = None, refuse: Mapping[int, str] | None = None) -> None:
        self.said: list[dict[str, Any]] = []
        self.rounds: dict[int, list[int]] = {}
        self.open_round: int | None = None
        self.hellos = 0
        self._lose, self._refuse = dict(lose or {}), dict(refuse or {})

    async def hello(self) -> Answer:
        self.hellos += 1
        still_open = None if self.open_round is None else {"round": self.open_round}
        due = self.open_round or len(self.rounds) + 1
        return {"ok": True, "seats": 7, "next_round": due, "open_round": still_open, "meters": {"GRAND": "1.00"}}

    async def ask(self, message: Mapping[str, Any]) -> Answer:
        await asyncio.sleep(0)
        self.said.append(dict(message))
        place = len(self.said)
        refusal = self._refuse.get(place) or self._refuse.get(0)
        if refusal:
            raise ServerRefusal(refusal, f"{refusal}: that is why.")
        lost = self._lose.get(place)
        if lost == "before":
            raise AnswerLost("gone")
        answer = self._answer(message)
        if lost == "after":
            raise AnswerLost("gone")
        return answer

    def _answer(self, message: Mapping[str, Any]) -> Answer:
        number = message.get("round")
        match message["do"]:
            case "coin_in":
                assert number is not None
                repeat = number in self.rounds
                assert not repeat or self.rounds[number] == message["seats"], "a repeat has the same seats"
                assert repeat or number == len(self.rounds) + 1, "rounds have no gap"
                self.rounds[number], self.open_round = message["seats"], number
                return {"ok": True, "repeat": repeat, "meters": {"GRAND": "1.00"}}
            case "end":
                self.open_round = None
                return {"ok": True, "next_round": number + 1, "repeat": False}
            case _:
                return {"ok": True}

    async def close(self) -> None:
        """The line is gone."""


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "SHORTEST_PAUSE", 0.001)
    monkeypatch.setattr(tables, "LONGEST_PAUSE", 0.002)
    monkeypatch.setattr(tables, "PATIENCE", 0.03)


def play(
    house: House,
    rounds: int = 5,
    *,
    pace: Pace | None = None,
    stop_after: float | None = None,
    badge: str = "",
    journal: BoxJournal | None = None,
) -> Tally:
    async def evening() -> Tally:
        stop = asyncio.Event()
        if stop_after is not None:
            asyncio.get_running_loop().call_later(stop_after, stop.set)
        script = partial(planned_rounds, 1, "T-1", crowd=Crowd(2, 6))
        player = TablePlayer("T-1", lambda: house, script, pace or Pace(), stop, badge)
        player.journal = player.journal if journal is None else journal
        return await player.play(None if stop_after is not None else rounds)

    return asyncio.run(evening())


def chips(house: House) -> int:
    return sum(len(seats) for seats in house.rounds.values())


def test_five_rounds_are_ten_messages():
    house = House()
    tally = play(house)
    assert [said["do"] for said in house.said] == ["coin_in", "end"] * 5
    assert (tally.rounds, tally.chips, tally.repeats, tally.losses) == (5, chips(house), 0, 0)


@pytest.mark.parametrize("place", range(1, 11))
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_lost_answer_is_asked_for_again_with_the_same_body(place: int, when: str):
    house = House(lose={place: when})
    tally = play(house)
    assert house.said[place - 1] == house.said[place]
    assert (tally.rounds, tally.chips, tally.losses) == (5, chips(house), 1)
    assert len(house.rounds) == 5
    assert (len(house.said), house.hellos) == (11, 2)


def test_a_repeat_is_counted_once():
    house = House(lose={1: "after", 2: "after", 3: "after"})
    tally = play(house, 1)
    assert (tally.rounds, tally.repeats, tally.chips) == (1, 1, chips(house))


def test_an_open_round_of_the_evening_before_is_ended_first():
    house = House()
    house.rounds[1], house.open_round = [3], 1
    tally = play(house, 1)
    assert [(said["do"], said["round"]) for said in house.said] == [("end", 1), ("coin_in", 2), ("end", 2)]
    assert tally.rounds == 1


@pytest.mark.parametrize("code", ["gap", "clash", "round_open"])
def test_after_a_disagreement_it_says_hello_and_plays_the_same_hand(code: str):
    house = House(refuse={1: code})
    tally = play(house, 1)
    assert house.said[0]["seats"] == house.said[1]["seats"]
    assert (tally.rounds, tally.refusals, house.hellos) == (1, 1, 2)


def test_books_that_other_work_holds_are_waited_for():
    tally = play(House(refuse={1: "books_held", 4: "books_held"}))
    assert (tally.rounds, tally.refusals, tally.ended) == (5, 2, "")


def test_a_table_that_stays_held_is_left_after_a_while():
    tally = play(House(refuse={0: "held"}))
    assert (tally.rounds, tally.ended) == (0, "T-1: held: that is why.")


def test_endless_play_waits_until_the_table_is_released():
    house = House(refuse=dict.fromkeys(range(1, 40), "held"))
    tally = play(house, pace=Pace(endless=True), stop_after=0.3)
    assert tally.rounds > 0


@pytest.mark.parametrize("code", ["blocked", "wrong_table", "goodbye", "not_enrolled"])
def test_what_waiting_does_not_cure_ends_the_table_with_its_sentence(code: str):
    tally = play(House(refuse={3: code}))
    assert (tally.rounds, tally.ended) == (1, f"T-1: {code}: that is why.")


def test_a_dead_server_is_left_after_a_while():
    tally = play(House(lose=dict.fromkeys(range(1, 500), "before")))
    assert tally.ended == "T-1: gone"
    assert tally.losses > 3


def test_a_stop_ends_the_round_that_was_counted():
    house = House()
    play(house, pace=Pace(speed=70.0, endless=True), stop_after=0.5)
    assert house.open_round is None
    assert house.said[-1]["do"] == "end"


def test_a_stop_does_not_wait_for_a_server_that_never_answers(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(tables, "LAST_MOMENT", 0.02)

    class Mute(House):
        async def ask(self, message: Mapping[str, Any]) -> Answer:
            return await asyncio.get_running_loop().create_future()  # type: ignore[no-any-return]

    tally = play(Mute(), pace=Pace(endless=True), stop_after=0.05)
    assert tally.ended == "T-1: No answer came in time."


def test_a_pause_at_the_table_beats():
    house = House()
    play(house, 1, pace=Pace(speed=40.0))
    assert [said["do"] for said in house.said] == ["coin_in", "beat", "end"]


def test_the_dealer_badges_in_and_out():
    house = House()
    play(house, 1, badge="600000000101")
    assert [said["do"] for said in house.said] == ["dealer", "coin_in", "end", "dealer"]
    assert (house.said[0]["in"], house.said[-1]["in"]) == (True, False)


def test_a_dealer_whom_nobody_knows_stops_no_table():
    tally = play(House(refuse={1: "card_unknown"}), 1, badge="600000000101")
    assert (tally.rounds, tally.refusals, tally.ended) == (1, 1, "")


def test_an_hour_is_played_at_the_pace_of_the_floor():
    pace = Pace(speed=1.0)
    assert (pace.betting, pace.playing) == (21.0, 49.0)
    assert (Pace().betting, Pace().playing) == (0.0, 0.0)


class RestoredHouse(House):
    """Its books lost every round after the second; journals bring them back, two in a message."""

    def lose(self) -> None:
        self.rounds = {number: seats for number, seats in self.rounds.items() if number <= 2}
        self.lost = True

    lost = False

    async def hello(self) -> Answer:
        return await super().hello() | ({"restored": {"from": 1}} if self.lost else {})

    def _answer(self, message: Mapping[str, Any]) -> Answer:
        if message["do"] != "journal":
            return super()._answer(message)
        new = [each for each in message["rounds"] if each["round"] > len(self.rounds)][:2]
        self.rounds |= {each["round"]: each["seats"] for each in new}
        self.lost = len(self.rounds) < message["last_round"]
        state = "missing" if self.lost else "agrees"
        return {"restored": state, "posted": len(new), "from": len(self.rounds) + 1, "why": state}


def test_after_a_restore_the_journal_comes_before_anything_else() -> None:
    house = RestoredHouse()
    journal = BoxJournal()
    play(house, 7, journal=journal)
    played = dict(house.rounds)
    house.lose()
    tally = play(house, 2, journal=journal)
    assert {number: house.rounds[number] for number in played} == played
    assert (len(house.rounds), tally.rounds) == (9, 2)
    told = [message for message in house.said if message["do"] == "journal"]
    assert [message["rounds"][0]["round"] for message in told] == [1, 5, 7]
