"""What a simulated dealer and supervisor say, and what they do when they are refused."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from random import Random
from typing import Any, cast

import pytest

from tables.simulator import hits as hits_module
from tables.simulator.deal import SimulatedDeal
from tables.simulator.desk import ApiSession
from tables.simulator.hits import Happened, Hits, HitTable, Staff, TableAward
from tables.simulator.pace import Pace
from tables.simulator.wires import Answer, ServerRefusal

FULL_HOUSE = Hits(
    7, {3: "full_house"}, SimulatedDeal({3: ("9c", "9d")}, ("2c", "3c"), ("9h", "4c", "4d", "Kd", "2d"), ()),
    ["straight_flush", "full_house"],
)  # fmt: skip
WIN = {"win": 5, "slip": 8, "jackpot": "GRAND", "amount": "10.00", "state": "owed"}
NINE, TWO, EXECUTIVE = ("6009", ""), ("6002", ""), ("6003", "3301")


class House:
    """Answers like a server; `refuse` holds refusals for the first times that a verb is said."""

    def __init__(self, refuse: Mapping[str, list[str]] | None = None, level: str = "supervisor") -> None:
        self.said: list[dict[str, Any]] = []
        self._refuse = {verb: list(codes) for verb, codes in (refuse or {}).items()}
        self._level = level

    async def say(self, words: Mapping[str, Any]) -> Answer:
        self.said.append(dict(words))
        codes = self._refuse.get(words["do"], [])
        if codes:
            raise ServerRefusal(code := codes.pop(0), f"{code}: that is why.")
        match words["do"]:
            case "confirm":
                return {"hits": [{"id": 3, "hand": "full_house"}], "card": self._level, "people": 1}
            case "card" | "j_pot":
                return {"missing": None, "wins": [WIN]}
            case "key":
                return {"hits": [{"id": 3, "hand": "full_house"}], "wins": [WIN] if words["position"] == "RUN" else []}
        return {}

    def verbs(self) -> list[str]:
        return [str(words.get("position", words["do"])) for words in self.said]

    def cards(self) -> list[str]:
        return [words["card"] for words in self.said if "card" in words]


@pytest.fixture(autouse=True)
def straight(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody errs and nobody waits, unless the test says so."""
    for chance in ("WRONG_KEY", "NOT_CONFIRMED", "JAMS"):
        monkeypatch.setattr(hits_module, chance, 0.0)
    monkeypatch.setattr(hits_module, "ASK_AGAIN", 0.001)


def table(house: House, profile: str = "card", staff: Staff | None = None) -> HitTable:
    people = staff or Staff([NINE, TWO], [EXECUTIVE])
    return HitTable(house.say, asyncio.sleep, people, profile, "17", Random(1), Pace(), Happened())


def settle(at: HitTable) -> list[TableAward]:
    return asyncio.run(at.settle(FULL_HOUSE))


def test_a_card_table_marks_confirms_and_swipes():
    house = House()
    assert settle(table(house)) == [TableAward(5, "GRAND", "10.00", 8)]
    assert house.verbs() == ["mark", "confirm", "card"]


def test_a_key_table_turns_to_jph_logs_and_turns_back():
    house = House()
    assert settle(table(house, "key")) == [TableAward(5, "GRAND", "10.00", 8)]
    assert house.verbs() == ["mark", "JPH", "j_pot", "RUN"]


def test_a_wrong_mark_is_another_hand_and_is_taken_back(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(hits_module, "WRONG_KEY", 1.0)
    house = House()
    at = table(house)
    settle(at)
    assert [(words["do"], words["hand"]) for words in house.said[:3]] == [
        ("mark", "straight_flush"), ("unmark", "straight_flush"), ("mark", "full_house"),
    ]  # fmt: skip
    assert at.happened.unmarked == 1


def test_whoever_is_not_first_asks_again_until_the_earlier_hit_is_settled():
    house = House({"card": ["queue", "queue", "queue"]})
    at = table(house)
    assert settle(at) == [TableAward(5, "GRAND", "10.00", 8)]
    assert house.verbs() == ["mark", "confirm", *["card"] * 4]
    assert at.happened.queued == 1


def test_a_queue_without_end_is_left_with_its_sentence(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(hits_module, "LONGEST_QUEUE", -1.0)
    with pytest.raises(ServerRefusal, match="queue: that is why"):
        settle(table(House({"card": ["queue"]})))


def test_a_blocked_card_gives_way_to_the_next_and_is_not_tried_again():
    house, people = House({"card": ["card_blocked"]}), Staff([NINE], [EXECUTIVE])
    at = table(house, staff=people)
    settle(at)
    settle(at)
    assert house.cards() == ["6009", "6003", "6003"]


def test_a_sum_that_grew_over_the_threshold_is_taken_to_the_executive():
    house = House({"card": ["level", "level"]})
    settle(table(house))
    assert house.cards()[-1] == "6003"


def test_when_nobody_is_left_to_approve_the_last_refusal_says_why():
    with pytest.raises(ServerRefusal, match=r"Nobody is left to approve: locked: that is why\."):
        settle(table(House({"card": ["locked"]}), staff=Staff([NINE], [])))


def test_what_somebody_approved_meanwhile_is_won_all_the_same():
    assert settle(table(House({"card": ["approved"]}))) == []


@pytest.mark.parametrize("profile", ["card", "key"])
def test_a_hit_that_is_not_confirmed_leaves_nothing_lit(profile: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(hits_module, "NOT_CONFIRMED", 1.0)
    house = House()
    assert settle(table(house, profile)) == []
    ends = {"card": ["mark", "confirm", "reject"], "key": ["mark", "JPH", "RUN", "unmark"]}
    assert house.verbs() == ends[profile]


def test_a_supervisor_types_the_cards_of_a_rare_hand():
    dealt = SimulatedDeal({2: ("Ah", "Kh"), 5: ("2c", "2d")}, ("3c", "4c"), ("Qh", "Jh", "Th", "9c", "9d"), ())
    assert Hits(7, {2: "royal_first_5"}, dealt, ["royal_first_5"]).cards() == {
        "board": "Qh Jh Th 9c 9d", "seats": [{"seat": 2, "cards": "Ah Kh"}],
    }  # fmt: skip


class PitIsFaster:
    async def acts(self, path: str, words: Mapping[str, Any]) -> Answer:
        raise ServerRefusal("approved", f"{path} with {len(words)} words: it is approved.")


def test_cards_that_somebody_at_the_pit_has_entered_and_approved_are_no_trouble(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(hits_module, "CARDS_ENTERED", ("full_house",))
    house = House({"card": ["approved"]})
    at = table(house)
    at.floor = cast(ApiSession, PitIsFaster())
    assert settle(at) == []


def test_a_voided_round_takes_its_marks_along():
    house = House()
    at = table(house)
    asyncio.run(at.void(7))
    assert house.said == [
        {"do": "void", "round": 7, "reason": "shuffler malfunction", "card": house.cards()[0]},
    ]  # fmt: skip
    assert at.happened.voided == 1
