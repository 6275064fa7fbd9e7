"""Poker hands, one at a time: readable first. `tables/games/evaluator.py` is the fast twin for millions."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import total_ordering
from typing import assert_never

from tables.games.cards import RANK_NAMES, RANKS, PlayingCard, WrongNumberOfCards, refuse_twice


class Category(IntEnum):
    """The ten kinds of hand, from the lowest to the highest."""

    HIGH_CARD = 0
    ONE_PAIR = 1
    TWO_PAIR = 2
    THREE_OF_A_KIND = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    FOUR_OF_A_KIND = 7
    STRAIGHT_FLUSH = 8
    ROYAL_FLUSH = 9

    @property
    def printed(self) -> str:
        """As the rule sheets print it: "Four of a kind"."""
        return self.name.replace("_", " ").capitalize()


@total_ordering
@dataclass(frozen=True, slots=True)
class Hand:
    """The best five cards. Hands compare by category and then by ranks; suits never count."""

    category: Category
    ranks: tuple[int, ...]
    cards: tuple[PlayingCard, ...] = field(compare=False)

    def __lt__(self, other: "Hand") -> bool:
        return (self.category, self.ranks) < (other.category, other.ranks)

    @property
    def described(self) -> str:
        """The hand as a dealer announces it: "Full house, kings over fives"."""
        top, following = _plural(self.ranks[0]), self.ranks[-1]
        match self.category:
            case Category.ROYAL_FLUSH:
                return self.category.printed
            case Category.FULL_HOUSE:
                return f"{self.category.printed}, {top} over {_plural(following)}"
            case Category.TWO_PAIR:
                return f"{self.category.printed}, {top} and {_plural(self.ranks[2])}"
            case Category.ONE_PAIR:
                return f"Pair of {top}"
            case Category.THREE_OF_A_KIND | Category.FOUR_OF_A_KIND:
                return f"{self.category.printed}, {top}"
            case Category.HIGH_CARD | Category.STRAIGHT | Category.FLUSH | Category.STRAIGHT_FLUSH:
                return f"{self.category.printed}, {_rank_name(self.ranks[0])} high"
            case _:
                assert_never(self.category)

    @property
    def text(self) -> str:
        return " ".join(str(card) for card in self.cards)


def best_hand(cards: Sequence[PlayingCard]) -> Hand:
    """The best five of five, six or seven cards. Among equal fives it names the cards dealt first."""
    if not 5 <= len(cards) <= 7:
        raise WrongNumberOfCards(f"A poker hand is made of 5, 6 or 7 cards, not of {len(cards)}.")
    refuse_twice({"the hand": cards})
    # A straight flush may hide beside a higher straight of mixed suits, so suited cards are looked at first.
    flush = _flush(cards)
    straight_flush = _straight(flush) if flush else None
    if straight_flush:
        return straight_flush
    groups = _groups(cards)
    shape = (len(groups[0]), len(groups[1]))
    if shape[0] == 4:
        return _of_groups(Category.FOUR_OF_A_KIND, groups[:1], cards)
    if shape[0] == 3 and shape[1] >= 2:
        return _full_house(groups)
    if flush:
        return _top_five(Category.FLUSH, flush)
    straight = _straight(cards)
    if straight:
        return Hand(Category.STRAIGHT, straight.ranks, straight.cards)
    return _by_pairs(shape, groups, cards)


def _by_pairs(shape: tuple[int, int], groups: list[list[PlayingCard]], cards: Sequence[PlayingCard]) -> Hand:
    match shape:
        case (3, _):
            return _of_groups(Category.THREE_OF_A_KIND, groups[:1], cards)
        case (2, 2):
            return _of_groups(Category.TWO_PAIR, groups[:2], cards)
        case (2, _):
            return _of_groups(Category.ONE_PAIR, groups[:1], cards)
        case _:
            return _top_five(Category.HIGH_CARD, cards)


def _groups(cards: Sequence[PlayingCard]) -> list[list[PlayingCard]]:
    """The cards of each rank, the largest group first and the higher rank first among equals."""
    counts = Counter(card.rank for card in cards)
    ranks = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
    return [[card for card in cards if card.rank == rank] for rank in ranks]


def _flush(cards: Sequence[PlayingCard]) -> list[PlayingCard] | None:
    suit, number = Counter(card.suit for card in cards).most_common(1)[0]
    return [card for card in cards if card.suit == suit] if number >= 5 else None


def _straight(cards: Sequence[PlayingCard]) -> Hand | None:
    """The highest straight, ace low as the five-high one; named straight flush, for the caller to rename."""
    # Reversed, so that of two cards of one rank the one dealt first is named.
    first = {card.rank: card for card in reversed(cards)}
    if 14 in first:
        first[1] = first[14]
    for top in range(14, 4, -1):
        run = tuple(range(top, top - 5, -1))
        if all(rank in first for rank in run):
            category = Category.ROYAL_FLUSH if top == 14 else Category.STRAIGHT_FLUSH
            return Hand(category, run, tuple(first[rank] for rank in run))
    return None


def _full_house(groups: list[list[PlayingCard]]) -> Hand:
    # Of two threes the lower serves as the pair; of several pairs the highest.
    three, pair = groups[0], max(groups[1:], key=lambda group: (len(group) >= 2, group[0].rank))[:2]
    used = (*three, *pair)
    return Hand(Category.FULL_HOUSE, tuple(card.rank for card in used), used)


def _of_groups(category: Category, groups: list[list[PlayingCard]], cards: Sequence[PlayingCard]) -> Hand:
    """Pairs, threes and fours, filled up to five with the highest of the rest."""
    made = [card for group in groups for card in group]
    rest = sorted((card for card in cards if card not in made), key=lambda card: -card.rank)
    used = (*made, *rest[: 5 - len(made)])
    return Hand(category, tuple(card.rank for card in used), used)


def _top_five(category: Category, cards: Sequence[PlayingCard]) -> Hand:
    used = tuple(sorted(cards, key=lambda card: -card.rank)[:5])
    return Hand(category, tuple(card.rank for card in used), used)


def _rank_name(rank: int) -> str:
    return _WORDS.get(rank) or RANK_NAMES[RANKS[rank - 2]]


def _plural(rank: int) -> str:
    return "sixes" if rank == 6 else f"{_rank_name(rank)}s"


_WORDS = dict(zip(range(2, 11), ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"], strict=True))
