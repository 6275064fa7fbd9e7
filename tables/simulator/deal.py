"""A dealer with one real deck: fifty-two cards, two for each player and the dealer, five on a shared board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

DECK: Final = tuple(rank + suit for rank in "23456789TJQKA" for suit in "cdhs")
HOLE_CARDS: Final = 2
BOARD_CARDS: Final = 5


@dataclass(frozen=True, slots=True)
class Deal:
    """One round's cards. `stub` is what was not dealt, so that all fifty-two are accounted for."""

    hands: Mapping[int, tuple[str, ...]]
    dealer: tuple[str, ...]
    board: tuple[str, ...]
    stub: tuple[str, ...]

    def every_card(self) -> list[str]:
        held = [card for hand in self.hands.values() for card in hand]
        return [*held, *self.dealer, *self.board, *self.stub]

    def __str__(self) -> str:
        hands = "  ".join(f"{seat}: {' '.join(cards)}" for seat, cards in self.hands.items())
        return f"board {' '.join(self.board)}  dealer {' '.join(self.dealer)}  {hands}"


def deal(random: Random, seats: Sequence[int]) -> Deal:
    """From the dealer's left to the right, then the dealer, then the board."""
    deck = list(DECK)
    random.shuffle(deck)
    cards = iter(deck)
    hands = {seat: tuple(next(cards) for _ in range(HOLE_CARDS)) for seat in sorted(seats)}
    dealer = tuple(next(cards) for _ in range(HOLE_CARDS))
    board = tuple(next(cards) for _ in range(BOARD_CARDS))
    return Deal(hands, dealer, board, tuple(cards))
