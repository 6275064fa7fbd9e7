"""Cards as people write them: "Ah" is the ace of hearts."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from types import MappingProxyType

RANKS = "23456789TJQKA"
SUITS = "cdhs"
RANK_NAMES: Mapping[str, str] = MappingProxyType(
    dict(zip(RANKS, ("2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king", "ace"), strict=True))
)
SUIT_NAMES: Mapping[str, str] = MappingProxyType(
    dict(zip(SUITS, ("clubs", "diamonds", "hearts", "spades"), strict=True))
)
# Card pads and pasted texts use the signs, filled or in outline, and tablets put a colour mark behind them
# (the variation selectors U+FE0E and U+FE0F); everything inside uses the letters.
_SIGNS = str.maketrans("♣♦♥♠♧♢♡♤❤", SUITS * 2 + "h", "\ufe0e\ufe0f\u200b\u200d")


class CardsRefused(ValueError):
    """Cards that cannot lie on the table as written."""


class NotACard(CardsRefused):
    """A text that names no card."""


class CardTwice(CardsRefused):
    """One card in two places."""


class WrongNumberOfCards(CardsRefused):
    """Too many or too few cards."""


@dataclass(frozen=True, slots=True, order=True)
class PlayingCard:
    """One card; rank 2 to 14, the ace is 14. `index` runs 0 to 51, by rank and then by suit."""

    rank: int
    suit: str

    def __str__(self) -> str:
        return RANKS[self.rank - 2] + self.suit

    @property
    def index(self) -> int:
        return (self.rank - 2) * 4 + SUITS.index(self.suit)

    @property
    def name(self) -> str:
        return f"{RANK_NAMES[RANKS[self.rank - 2]]} of {SUIT_NAMES[self.suit]}"


DECK: tuple[PlayingCard, ...] = tuple(PlayingCard(rank, suit) for rank in range(2, 15) for suit in SUITS)


def parse_card(text: str) -> PlayingCard:
    """One card from "Ah", "ah", "10h" or "A♥"; anything else is refused in a sentence."""
    if not isinstance(text, str):
        raise NotACard(f"{str(text)[:20]} is not a card. Write a card as rank and suit, for example Ah.")
    written = text.translate(_SIGNS).strip()
    # "10h" is how people write it, "Th" is how the rules store it.
    rank = written[:-1].upper().replace("10", "T")
    suit = written[-1:].lower()
    shown = text[:20]
    if written[:1].upper() in (*RANKS, "1") and not (suit and suit in SUITS):
        raise NotACard(f"“{shown}” is not a card: the suit must be c, d, h or s, or its sign.")
    if len(rank) != 1 or rank not in RANKS or not suit or suit not in SUITS:
        raise NotACard(f"“{shown}” is not a card: the rank must be one of A K Q J T 9 8 7 6 5 4 3 2.")
    return _known(rank, suit)


def parse_cards(
    cards: str | Iterable[str | PlayingCard], count: int | None = None, whose: str = "the hand"
) -> tuple[PlayingCard, ...]:
    """Cards from one text ("Ah Kh", "AhKh", "Ah,Kh") or a list, in order, each once, and as many as asked for."""
    written: Iterable[str | PlayingCard] = _pieces(cards) if isinstance(cards, str) else cards
    read = tuple(card if isinstance(card, PlayingCard) else parse_card(card) for card in written)
    # Before the number of cards: who typed one of them twice wants to hear which.
    refuse_twice({whose: read})
    if count is not None and len(read) != count:
        raise WrongNumberOfCards(f"{whose[:1].upper()}{whose[1:]} has {cards_in_words(len(read))}; it needs {count}.")
    return read


def refuse_twice(places: Mapping[str, Sequence[PlayingCard]]) -> None:
    """No card may lie in two places, nor twice in one."""
    seen: dict[PlayingCard, str] = {}
    for place, card in chain.from_iterable(((place, card) for card in cards) for place, cards in places.items()):
        if card in seen:
            where = f"twice in {place}" if seen[card] == place else f"in {seen[card]} and in {place}"
            raise CardTwice(f"The {card.name} ({card}) is {where}. One deck holds it once.")
        seen[card] = place


@cache
def _known(rank: str, suit: str) -> PlayingCard:
    return DECK[RANKS.index(rank) * 4 + SUITS.index(suit)]


def _pieces(text: str) -> list[str]:
    pieces = [piece for piece in re.split(r"[\s,;/·-]+", text.translate(_SIGNS)) if piece]
    return list(chain.from_iterable(_split(piece) for piece in pieces))


def _split(piece: str) -> list[str]:
    """ "AhKh" written without a space; a piece of other shape is left whole so that the refusal can quote it."""
    run = re.fullmatch(r"(?:(?:10|\w)[cdhs])+", piece, re.IGNORECASE)
    return re.findall(r"(?:10|\w)[cdhs]", piece, re.IGNORECASE) if run else [piece]


def cards_in_words(number: int) -> str:
    return "1 card" if number == 1 else f"{number} cards"
