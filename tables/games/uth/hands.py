"""What a seat holds, and the predicates that the pay lines ask for. Pure: cards in, yes or no out."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from types import MappingProxyType

from tables.games.cards import PlayingCard
from tables.games.game import NotInThisGame, TableCards
from tables.games.packs import BetTable, PrintedLine
from tables.games.poker import Category, Hand, best_hand

ACE, KING, QUEEN, JACK = 14, 13, 12, 11
FACES = {KING, QUEEN, JACK}


@dataclass(frozen=True)
class Spot:
    """One seat's two cards, the board in dealing order, and the dealer's two where they are known."""

    hole: tuple[PlayingCard, ...]
    board: tuple[PlayingCard, ...]
    dealer: tuple[PlayingCard, ...] = ()

    @classmethod
    def of(cls, deal: TableCards, seat: int) -> "Spot":
        return cls(deal.cards_of(seat), deal.board, deal.dealer)

    @cached_property
    def hand(self) -> Hand:
        """The best five of seven; of equal fives the one with fewer hole cards, so that naming one means it helped."""
        # The board first: among equal fives `best_hand` names the cards dealt first.
        return best_hand(self.board + self.hole)

    @cached_property
    def dealer_hand(self) -> Hand:
        if not self.dealer:
            raise NotInThisGame("The dealer's two cards are needed to judge this bet.")
        return best_hand(self.board + self.dealer)

    @property
    def beaten(self) -> Hand | None:
        """The hand that lost, the player's or the dealer's; None when they tie."""
        return None if self.hand == self.dealer_hand else min(self.hand, self.dealer_hand)

    @property
    def used_hole_cards(self) -> tuple[PlayingCard, ...]:
        return tuple(card for card in self.hole if card in self.hand.cards)

    @property
    def is_royal_on_flop(self) -> bool:
        return best_hand(self.hole + self.board[:3]).category == Category.ROYAL_FLUSH

    @property
    def is_royal_on_board(self) -> bool:
        return best_hand(self.board).category == Category.ROYAL_FLUSH


Predicate = Callable[[Spot], bool]


def dealer_qualifies(dealer_hand: Hand) -> bool:
    """The dealer plays with a pair or better."""
    return dealer_hand.category >= Category.ONE_PAIR


def winning_line(table: BetTable, spot: Spot) -> PrintedLine | None:
    """The highest line that the spot fulfils; lines stand in rank order."""
    predicates = PREDICATES[table.bet]
    return next((line for line in table.lines if predicates[line.hand](spot)), None)


def _made(category: Category) -> Predicate:
    return lambda spot: spot.hand.category == category


def _was_beaten(category: Category) -> Predicate:
    return lambda spot: spot.beaten is not None and spot.beaten.category == category


def _is_pair(spot: Spot) -> bool:
    return spot.hole[0].rank == spot.hole[1].rank


def _is_suited(spot: Spot) -> bool:
    return spot.hole[0].suit == spot.hole[1].suit


def _are_aces(cards: tuple[PlayingCard, ...]) -> bool:
    return all(card.rank == ACE for card in cards)


def _is_ace_with(spot: Spot, ranks: set[int]) -> bool:
    first, second = sorted((card.rank for card in spot.hole), reverse=True)
    return first == ACE and second in ranks


def _aces_on_both_sides(spot: Spot) -> bool:
    # Any other pair of cards is judged without the dealer; only two aces may win the line above.
    if not spot.dealer and _are_aces(spot.hole):
        raise NotInThisGame("The dealer's two cards are needed: aces on both sides pay the top line.")
    return _are_aces(spot.hole) and _are_aces(spot.dealer)


def _pair_of(spot: Spot, ranks: set[int]) -> bool:
    return _is_pair(spot) and spot.hole[0].rank in ranks


def _by_category(lowest: Category, highest: Category = Category.ROYAL_FLUSH) -> dict[str, Predicate]:
    return {kind.name.lower(): _made(kind) for kind in Category if lowest <= kind <= highest}


# Lines are asked in rank order and the first fulfilled one wins, so "aces" need not rule out "red_aces".
PREDICATES: Mapping[str, Mapping[str, Predicate]] = MappingProxyType(
    {
        "trips": _by_category(Category.THREE_OF_A_KIND),
        "blind": _by_category(Category.STRAIGHT),
        "bad_beat": {
            f"beaten_{kind.name.lower()}": _was_beaten(kind)
            for kind in Category
            if Category.THREE_OF_A_KIND <= kind <= Category.STRAIGHT_FLUSH
        },
        "pairs": {
            "aces_against_aces": _aces_on_both_sides,
            "red_aces": lambda spot: _are_aces(spot.hole) and {card.suit for card in spot.hole} == {"h", "d"},
            "aces": lambda spot: _are_aces(spot.hole),
            "ace_king_suited": lambda spot: _is_suited(spot) and _is_ace_with(spot, {KING}),
            "ace_queen_jack_suited": lambda spot: _is_suited(spot) and _is_ace_with(spot, {QUEEN, JACK}),
            "ace_face_suited": lambda spot: _is_suited(spot) and _is_ace_with(spot, FACES),
            "ace_king_offsuit": lambda spot: not _is_suited(spot) and _is_ace_with(spot, {KING}),
            "ace_queen_jack_offsuit": lambda spot: not _is_suited(spot) and _is_ace_with(spot, {QUEEN, JACK}),
            "ace_face": lambda spot: _is_ace_with(spot, FACES),
            "high_pair": lambda spot: _pair_of(spot, FACES),
            "low_pair": lambda spot: _pair_of(spot, set(range(2, JACK))),
            "pair": _is_pair,
        },
        "progressive": {
            "royal_first_5": lambda spot: spot.is_royal_on_flop,
            "royal_first_7": lambda spot: spot.hand.category == Category.ROYAL_FLUSH and not spot.is_royal_on_board,
            "royal_community": lambda spot: spot.is_royal_on_board,
            **_by_category(Category.FULL_HOUSE, Category.STRAIGHT_FLUSH),
        },
    }
)
KNOWN_HANDS: Mapping[str, frozenset[str]] = MappingProxyType(
    {bet: frozenset(chain(predicates)) for bet, predicates in PREDICATES.items()}
)
