"""A dealer with one real deck: fifty-two cards, two for each player and the dealer, five on a shared board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

DECK: Final = tuple(rank + suit for rank in "23456789TJQKA" for suit in "cdhs")
HOLE_CARDS: Final = 2
BOARD_CARDS: Final = 5

# Two cards in the hand and the first of the board, by rank and the number of a suit that is drawn.
WONDERS: Final[Sequence[tuple[tuple[str, ...], tuple[str, ...]]]] = (
    (("A0", "K0"), ("Q0", "J0", "T0")),
    (("A0", "21"), ("K0", "Q0", "J1", "J0", "T0")),
    ((), ("A0", "K0", "Q0", "J0", "T0")),
    (("90", "80"), ("70", "60", "50")),
    (("90", "91"), ("92", "93")),
    (("90", "91"), ("92", "40", "41")),
    (("90", "40"), ("91", "92", "41")),
)


@dataclass(frozen=True, slots=True)
class SimulatedDeal:
    """One round's cards. `stub` is what was not dealt, so that all fifty-two are accounted for."""

    hands: Mapping[int, tuple[str, ...]]
    dealer: tuple[str, ...]
    board: tuple[str, ...]
    stub: tuple[str, ...]

    def __str__(self) -> str:
        hands = "  ".join(f"{seat}: {' '.join(cards)}" for seat, cards in self.hands.items())
        return f"board {' '.join(self.board)}  dealer {' '.join(self.dealer)}  {hands}"


def deal(random: Random, seats: Sequence[int]) -> SimulatedDeal:
    """From the dealer's left to the right, then the dealer, then the board."""
    deck = list(DECK)
    random.shuffle(deck)
    return _dealt(deck, seats)


def stacked(random: Random, seats: Sequence[int], lucky: int) -> SimulatedDeal:
    """A deck somebody prepared: whoever sits at the lucky seat, or everybody, sees a rare hand."""
    hole, board = random.choice(WONDERS)
    suits = random.sample("cdhs", 4)
    wanted = {name: name[0] + suits[int(name[1])] for name in (*hole, *board)}
    deck = [card for card in DECK if card not in wanted.values()]
    random.shuffle(deck)
    on_board = [wanted[name] for name in board] + [deck.pop() for _ in range(BOARD_CARDS - len(board))]
    in_hand = [wanted[name] for name in hole] + [deck.pop() for _ in range(HOLE_CARDS - len(hole))]
    before = HOLE_CARDS * sorted(seats).index(lucky)
    deck[before:before] = in_hand
    after_hands = HOLE_CARDS * (len(seats) + 1)
    deck[after_hands:after_hands] = on_board
    return _dealt(deck, seats)


def _dealt(deck: Sequence[str], seats: Sequence[int]) -> SimulatedDeal:
    cards = iter(deck)
    hands = {seat: tuple(next(cards) for _ in range(HOLE_CARDS)) for seat in sorted(seats)}
    dealer = tuple(next(cards) for _ in range(HOLE_CARDS))
    board = tuple(next(cards) for _ in range(BOARD_CARDS))
    return SimulatedDeal(hands, dealer, board, tuple(cards))
