"""The simulator reads cards by itself; the product's own games, which it may not import, must agree with it."""

from __future__ import annotations

from random import Random

import pytest

from tables.games.cards import parse_card
from tables.games.packs import BetTable
from tables.games.registry import find_game
from tables.games.uth.hands import Spot, winning_line
from tables.simulator.deal import DECK, WONDERS, SimulatedDeal, deal, stacked
from tables.simulator.hands import hands_in, hits_of
from tests.tables.simulator.test_deal import whole_deck

PROGRESSIVE = ("royal_first_5", "royal_first_7", "royal_community", "straight_flush", "four_of_a_kind", "full_house")


@pytest.fixture(scope="module")
def table() -> BetTable:
    return find_game("uth").table("progressive", "PT01")


def by_the_games(table: BetTable, hole: tuple[str, ...], board: tuple[str, ...]) -> list[str]:
    cards = [tuple(parse_card(text) for text in part) for part in (hole, board)]
    line = winning_line(table, Spot(*cards))
    return [] if line is None else [line.hand]


@pytest.mark.parametrize(
    ("hole", "board", "hand"),
    [
        ("Ah Kh", "Qh Jh Th 2c 2d", "royal_first_5"),
        ("Ah 2c", "Kh Qh Jh Th 3d", "royal_first_7"),
        ("2c 2d", "Ah Kh Qh Jh Th", "royal_community"),
        ("Ah 2h", "3h 4h 5h Kd Qd", "straight_flush"),
        ("9s 8s", "Ts Js Qs As Ah", "straight_flush"),
        ("9c 9d", "9h 9s 2c 2d 2h", "four_of_a_kind"),
        ("9c 9d", "9h 2c 2d 2h Kd", "full_house"),
        ("9c 9d", "9h 3c 2d 4h Kd", None),
        ("Ah Kh", "Qh Jh Td 2h 2d", None),
    ],
)
def test_hands_as_people_read_them(table: BetTable, hole: str, board: str, hand: str | None) -> None:
    told = tuple(hole.split()), tuple(board.split())
    assert hands_in(*told) == ([hand] if hand else []) == by_the_games(table, *told)


def test_the_games_read_ten_thousand_dealt_and_stacked_hands_alike(table: BetTable) -> None:
    random = Random(7)
    for number in range(1000):
        dealt = deal(random, range(1, 8)) if number % 2 else stacked(random, range(1, 8), random.randint(1, 7))
        for hole in dealt.hands.values():
            assert hands_in(hole, dealt.board) == by_the_games(table, hole, dealt.board), (hole, dealt.board)


@pytest.mark.parametrize("wonder", WONDERS)
def test_a_stacked_deck_is_a_whole_deck_with_a_wonder_in_it(wonder: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tables.simulator.deal.WONDERS", [wonder])
    dealt = stacked(Random(3), [1, 3, 4, 7], 4)
    assert whole_deck(dealt) == sorted(DECK)
    assert hits_of(dealt, [4], PROGRESSIVE)


def test_a_hand_on_the_board_is_everybodys_who_has_a_chip_and_only_of_hands_that_pay() -> None:
    board = ("Ah", "Kh", "Qh", "Jh", "Th")
    dealt = SimulatedDeal({1: ("2c", "2d"), 3: ("4c", "5d"), 6: ("8c", "8d")}, ("9c", "9d"), board, ())
    assert hits_of(dealt, [1, 6], PROGRESSIVE) == {1: "royal_community", 6: "royal_community"}
    assert hits_of(dealt, [1, 6], ["straight_flush"]) == {}
