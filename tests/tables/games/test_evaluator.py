"""The fast evaluator against the readable one."""

import time
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from tables.games.cards import DECK
from tables.games.evaluator import CLASSES, categories, evaluate
from tables.games.poker import Hand, best_hand


def dealt(hands: int, size: int, seed: int = 7) -> NDArray[np.uint8]:
    deck = np.random.default_rng(seed).random((hands, 52)).argpartition(size, axis=1)
    return deck[:, :size].astype(np.uint8)


def by_hand(cards: NDArray[np.uint8]) -> list[Hand]:
    return [best_hand([DECK[card] for card in row]) for row in cards]


@pytest.mark.parametrize("size", [5, 6, 7])
def test_it_names_the_category_as_the_readable_twin_does(size: int) -> None:
    cards = dealt(3_000, size)
    assert categories(evaluate(cards)).tolist() == [hand.category for hand in by_hand(cards)]


@pytest.mark.parametrize("size", [5, 6, 7])
def test_it_orders_hands_as_the_readable_twin_does(size: int) -> None:
    cards = dealt(3_000, size, seed=11)
    values = evaluate(cards)
    ladder = sorted(zip(by_hand(cards), values.tolist(), strict=True), key=lambda pair: pair[1])
    for (lower, low), (higher, high) in pairwise(ladder):
        assert (lower == higher, lower <= higher) == (low == high, True)


def test_the_lowest_hand_is_class_one_and_the_royal_flush_the_last() -> None:
    seven_high, royal = "2c 3c 4c 5d 7h", "Ah Kh Qh Jh Th"
    rows = [[card.index for card in DECK if str(card) in text] for text in (seven_high, royal)]
    assert evaluate(np.array(rows)).tolist() == [1, CLASSES]


@pytest.mark.parametrize("shape", [(3, 4), (3, 8), (7,)])
def test_other_numbers_of_cards_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="rows of 5, 6 or 7 card indexes"):
        evaluate(np.zeros(shape, dtype=np.uint8))


def test_no_row_gives_no_value() -> None:
    assert len(evaluate(np.zeros((0, 7), dtype=np.uint8))) == 0


def test_it_looks_at_three_million_hands_of_seven_in_a_second_on_one_core() -> None:
    cards = dealt(200_000, 7)
    evaluate(cards)
    started = time.process_time()
    evaluate(cards)
    assert len(cards) / (time.process_time() - started) > 3_000_000
