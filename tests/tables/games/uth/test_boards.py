"""Boards up to suits, and every hole pair against every other."""

import random

import numpy as np
import pytest

from tables.games.cards import parse_cards
from tables.games.evaluator import evaluate
from tables.games.uth.boards import (
    AGAINST,
    ALL_BOARDS,
    BOARDS,
    Contest,
    canonical_boards,
    cards_left,
    contest,
    hole_places,
    hole_values,
    suit_patterns,
)


def indexes(cards: str) -> list[int]:
    return [card.index for card in parse_cards(cards)]


def test_the_weights_of_the_canonical_boards_make_all_boards() -> None:
    boards, weights = canonical_boards()
    assert (len(boards), weights.sum()) == (BOARDS, ALL_BOARDS)


def test_boards_that_differ_only_in_suits_share_a_pattern() -> None:
    same = np.array([sorted(indexes("Ah Kh 2c 7d 9h")), sorted(indexes("As Ks 2d 7h 9s"))], dtype=np.uint8)
    other = np.array([sorted(indexes("Ah Kc 2c 7d 9h"))], dtype=np.uint8)
    first, second = suit_patterns(same)
    assert first == second != suit_patterns(other)[0]


@pytest.mark.parametrize("board", ["2c 3d 7h 9s Kd", "Ah Kh Qh 4h 2c", "7c 7d 7h 7s 2c", "Th Jh Qh Kh Ah"])
def test_hole_values_are_those_of_the_evaluator(board: str) -> None:
    boards = np.array([indexes(board)], dtype=np.uint8)
    rest = cards_left(boards)
    first, second = hole_places()
    sevens = np.column_stack([rest[0, first], rest[0, second], np.repeat(boards, len(first), axis=0)])
    assert (hole_values(boards, rest)[0] == evaluate(sevens)).all()


def met_one_by_one(values: list[int], hole: int) -> tuple[int, int, int]:
    first, second = (places.tolist() for places in hole_places())
    mine = {first[hole], second[hole]}
    others = [value for value, a, b in zip(values, first, second, strict=True) if not {a, b} & mine]
    assert len(others) == AGAINST
    lower, higher = (sum(value < values[hole] for value in others), sum(value > values[hole] for value in others))
    return lower, higher, sum(value <= 1277 for value in others)


@pytest.mark.parametrize("board", ["2c 3d 7h 9s Kd", "Ah Kh Qh 4h 2c", "7c 7d 8h 8s 2c", "Th Jh Qh Kh Ah"])
def test_a_contest_counts_what_counting_one_by_one_finds(board: str) -> None:
    boards = np.array([indexes(board)], dtype=np.uint8)
    values = hole_values(boards, cards_left(boards))
    met: Contest = contest(values)
    for hole in random.Random(3).sample(range(1081), 40):
        found = (met.below[0, hole], met.above[0, hole], met.without_pair[0, hole])
        assert found == met_one_by_one(values[0].tolist(), hole)
