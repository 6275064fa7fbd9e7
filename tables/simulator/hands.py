"""What a seat's cards are worth on the progressive, read independently of the product's own games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from tables.simulator.deal import SimulatedDeal

RANKS: Final = "23456789TJQKA"
ROYAL: Final = frozenset("TJQKA")
RUNS: Final = [frozenset(f"A{RANKS}"[start : start + 5]) for start in range(10)]


def hits_of(deal: SimulatedDeal, chips: Sequence[int], offered: Collection[str]) -> Mapping[int, str]:
    """The highest offered hand of every seat with a chip; a hand on the board is everybody's."""
    found = {seat: [hand for hand in hands_in(deal.hands[seat], deal.board) if hand in offered] for seat in chips}
    return {seat: hands[0] for seat, hands in found.items() if hands}


def hands_in(hole: Sequence[str], board: Sequence[str]) -> list[str]:
    """The one hand that two cards and the board make, by the code of its pay line; a list, for it may be none."""
    seven = [*hole, *board]
    if _is_royal([*hole, *board[:3]]):
        return ["royal_first_5"]
    if _is_royal(board):
        return ["royal_community"]
    if _is_royal(seven):
        return ["royal_first_7"]
    if any(run <= ranks for ranks in _by_suit(seven) for run in RUNS):
        return ["straight_flush"]
    return _of_ranks(seven)


def _of_ranks(seven: Sequence[str]) -> list[str]:
    counts = sorted(Counter(card[0] for card in seven).values(), reverse=True)
    if counts[0] == 4:
        return ["four_of_a_kind"]
    return ["full_house"] if counts[0] == 3 and counts[1] >= 2 else []


def _is_royal(cards: Sequence[str]) -> bool:
    return any(ranks >= ROYAL for ranks in _by_suit(cards))


def _by_suit(cards: Sequence[str]) -> list[set[str]]:
    return [{card[0] for card in cards if card[1] == suit} for suit in "cdhs"]
