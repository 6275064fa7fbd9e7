"""Which hands a pay line asks for, told apart as far as two lines can overlap: what checks of their order look at."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from math import comb

from tables.games.cards import DECK, PlayingCard, parse_cards
from tables.games.uth.hands import ACE, PREDICATES, Spot

# Equally likely deals over which the chances of a bet are counted; each line's part of them is a whole number.
DEALS = {
    "trips": comb(52, 7),
    "progressive": comb(52, 2) * comb(50, 3) * comb(47, 2),  # hole cards, flop, turn and river
    "pairs": comb(52, 2) * comb(50, 2),
    "blind": comb(52, 5) * comb(47, 2) * comb(45, 2),
    "bad_beat": comb(52, 5) * comb(47, 2) * comb(45, 2),
}
OTHERS = parse_cards("2c 3d")  # a dealer's hand that no line asks for
ROYAL_LINES = frozenset({"royal_first_5", "royal_first_7", "royal_community"})


@cache
def situations(bet: str, hand: str) -> frozenset[int | str]:
    """Every situation that fulfils a hand of a bet. Hands by their category exclude each other; hole cards and the
    places of a royal are looked at one by one."""
    if bet == "pairs":
        return frozenset(place for place, spot in enumerate(_hole_spots()) if PREDICATES[bet][hand](spot))
    if hand in ROYAL_LINES:
        return frozenset(place for place, spot in enumerate(royal_spots()) if PREDICATES[bet][hand](spot))
    return frozenset({hand})


@cache
def royal_spots() -> tuple[Spot, ...]:
    """A royal lies on five of the seven places dealt: 21 ways, each as likely as any five given cards."""
    return tuple(_royal_on(places) for places in combinations(range(7), 5))


def _royal_on(places: tuple[int, ...]) -> Spot:
    left, rest = iter(parse_cards("Ah Kh Qh Jh Th")), iter(OTHERS)
    cards = tuple(next(left) if place in places else next(rest) for place in range(7))
    return Spot(cards[:2], cards[2:])


@cache
def _hole_spots() -> tuple[Spot, ...]:
    """All pairs of hole cards; the dealer's matter to two aces alone."""
    return tuple(spot for hole in combinations(DECK, 2) for spot in _against(hole))


def _against(hole: tuple[PlayingCard, ...]) -> Iterator[Spot]:
    # One dealer's hand that wins nothing stands for all others: no line but two aces looks at it.
    yield Spot(hole, (), OTHERS)
    if all(card.rank == ACE for card in hole):
        yield Spot(hole, (), tuple(card for card in DECK if card.rank == ACE and card not in hole))
