"""Rounds to practise on: dealt by chance, or so that a chosen situation comes about."""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType

from tables.games.cards import DECK, PlayingCard
from tables.games.limits import BetRefused
from tables.games.packs import BetTable
from tables.games.poker import Category, best_hand
from tables.games.uth.hands import ACE, JACK, KING
from tables.games.uth.rules import Action
from tables.games.uth.settle import PlayedRound, PlayerDealer, RoundResult, SeatPlay

STAKES = (5, 10, 15, 25)
BONUSES = ("trips", "bad_beat", "pairs", "progressive")
MOST_BONUSES = 3  # beside the base game: a player wagers on four games at most
TRIES = 3000  # the rarest that is not stacked comes once in some thirty rounds with one player
HIGH_STAKE = Fraction(200)
LOW_STAKE = Fraction(20)
Stack = Callable[[random.Random, Sequence[int]], Mapping[int, PlayingCard]]


@dataclass(frozen=True, slots=True)
class PracticeSituation:
    """What shall happen in a practice round, and how the deck is helped where it would hardly ever."""

    key: str
    words: str
    happens: Callable[[RoundResult], bool] = lambda _: True
    stack: Stack = lambda _dice, _seats: {}
    wagers: tuple[str, ...] = ()  # what the seats must bet on
    folds: bool = False  # the first seat gives up whatever it holds
    banks: tuple[str, ...] = ("house", "player_dealer")
    players: int = 1
    bank_wager: Fraction = HIGH_STAKE


def deal_practice(
    seed: int,
    seats: Sequence[int],
    tables: Mapping[str, BetTable],
    bank: PlayerDealer | None = None,
    situation: PracticeSituation | None = None,
) -> PlayedRound:
    """A round that always comes the same for the same seed: every seat bets, plays by a plain rule of thumb, and
    wagers on some of the bets that have a pay table."""
    dice = random.Random(seed)
    asked = situation or SITUATIONS["any"]
    marked = dice.sample(list(seats), len(seats))
    fixed = asked.stack(dice, [seats.index(seat) for seat in marked])
    left = iter([card for card in dice.sample(DECK, len(DECK)) if card not in fixed.values()])
    deck = [fixed.get(place) or next(left) for place in range(7 + 2 * len(seats))]
    board = tuple(deck[:5])
    plays = tuple(
        _play(dice, seat, tuple(deck[place : place + 2]), board, _bets(dice, tables, bank, asked, marked.index(seat)))
        for seat, place in zip(seats, range(7, len(deck), 2), strict=True)
    )
    if asked.folds:
        plays = tuple(
            SeatPlay(one.seat, one.cards, "fold", one.wagers) if one.seat == marked[0] else one for one in plays
        )
    return PlayedRound(board, tuple(deck[5:7]), plays, tables, bank)


def refuse_situation(situation: PracticeSituation, bank: str, players: int) -> None:
    """A situation that this bank or so few players cannot bring about."""
    if bank not in situation.banks:
        who = "the house banks" if situation.banks == ("house",) else "a player banks"
        raise BetRefused(f"“{situation.words}” is played where {who}. Choose that bank, or another situation.")
    if players < situation.players:
        raise BetRefused(f"“{situation.words}” needs {situation.players} players at least. Choose more players.")


def _bets(
    dice: random.Random, tables: Mapping[str, BetTable], bank: PlayerDealer | None, asked: PracticeSituation, place: int
) -> dict[str, Fraction]:
    stake = Fraction(dice.choice(STAKES))
    wagers = {"ante": stake, "blind": stake}
    # Where a player banks, the house may have no interest in the game, so no jackpot hangs there.
    offered = [bet for bet in BONUSES if bet in tables and not (bet == "progressive" and bank)]
    wanted = [bet for bet in offered if dice.random() < 0.5]
    if place < asked.players:
        wanted = [*(bet for bet in asked.wagers if bet in offered), *(bet for bet in wanted if bet not in asked.wagers)]
    # What the situation asks for stands first, so the limit of four games never cuts it off.
    for bet in wanted[:MOST_BONUSES]:
        # A bonus bet that needs another one beside it is left out where that one was not made.
        if all(need in wagers for need in tables[bet].needs):
            wagers[bet] = Fraction(1) if bet == "progressive" else Fraction(5)
    return wagers


def _play(
    dice: random.Random,
    seat: int,
    hole: tuple[PlayingCard, ...],
    board: tuple[PlayingCard, ...],
    wagers: Mapping[str, Fraction],
) -> SeatPlay:
    action = _rule_of_thumb(hole, board)
    # Now and then somebody gives up a hand too early: folded seats whose bonus bets win are what dealers miss.
    gives_up = action == "1x" and dice.random() < 0.25
    return SeatPlay(seat, hole, "fold" if gives_up else action, wagers)


def _rule_of_thumb(hole: tuple[PlayingCard, ...], board: tuple[PlayingCard, ...]) -> Action:
    """Not perfect play, only plausible: high cards raise early, a pair of one's own on the flop, anything made late."""
    ranks = sorted((card.rank for card in hole), reverse=True)
    if ranks[0] == ACE or ranks[0] == ranks[1] or (ranks[0] == KING and ranks[1] >= 5):
        return "4x"
    if set(ranks) & {card.rank for card in board[:3]}:
        return "2x"
    return "1x" if best_hand(board + hole).category >= Category.ONE_PAIR else "fold"


def _hole(index: int) -> tuple[int, int]:
    return 7 + 2 * index, 8 + 2 * index


def _placed(places: Iterable[int], cards: Iterable[PlayingCard]) -> dict[int, PlayingCard]:
    return dict(zip(places, cards, strict=True))


def _royal(dice: random.Random, seats: Sequence[int]) -> Mapping[int, PlayingCard]:
    """Two of it in the hand and three on the flop."""
    suit = dice.choice("cdhs")
    cards = [card for card in DECK if card.suit == suit and card.rank >= 10]
    return _placed((*_hole(seats[0]), 0, 1, 2), dice.sample(cards, 5))


def _pairs_under_trips(dice: random.Random, seats: Sequence[int]) -> Mapping[int, PlayingCard]:
    """Three of a kind on the board, a pair in two hands: two full houses."""
    board, *pairs = dice.sample(range(2, ACE), 3)
    of_rank = {rank: dice.sample([card for card in DECK if card.rank == rank], 4) for rank in (board, *pairs)}
    fixed = _placed((0, 1, 2), of_rank[board][:3])
    for index, rank in zip(seats, pairs, strict=False):
        fixed |= _placed(_hole(index), of_rank[rank][:2])
    return fixed


def _trips_on_board(dice: random.Random, seats: Sequence[int]) -> Mapping[int, PlayingCard]:
    """Three of a kind in the middle and two low cards that their owner gives up."""
    rank = dice.randrange(6, JACK)
    three = dice.sample([card for card in DECK if card.rank == rank], 3)
    low = dice.sample([card for card in DECK if card.rank < 6], 2)
    return _placed((0, 1, 2, *_hole(seats[0])), (*three, *low))


def _won(result: RoundResult, wager: str, *, folded: bool = False) -> int:
    return sum(
        one.wager == wager and one.outcome == "won"
        for seat in result.seats
        if not folded or seat.result == "fold"
        for one in seat.decisions
    )


def _falls_short(result: RoundResult) -> bool:
    return any(one.uncovered for seat in result.seats for one in seat.decisions)


_ALL = (
    PracticeSituation("any", "As the cards fall"),
    PracticeSituation("dealer_fails", "The bank does not qualify", lambda result: not result.qualifies),
    PracticeSituation("tie", "Equal hands", lambda result: any(seat.result == "tie" for seat in result.seats)),
    PracticeSituation(
        "bad_beat", "A bad beat", lambda result: _won(result, "bad_beat") > 0, wagers=("trips", "bad_beat")
    ),
    PracticeSituation(
        "folded_winner",
        "A folded seat's bonus bet wins",
        lambda result: _won(result, "trips", folded=True) > 0,
        _trips_on_board,
        ("trips", "bad_beat"),
        folds=True,
    ),
    PracticeSituation(
        "royal",
        "A royal flush",
        lambda result: any(seat.hand.category == Category.ROYAL_FLUSH for seat in result.seats),
        _royal,
        ("progressive",),
    ),
    PracticeSituation(
        "several_hits",
        "Several seats hit the progressive",
        lambda result: _won(result, "progressive") > 1,
        _pairs_under_trips,
        ("progressive",),
        banks=("house",),
        players=2,
    ),
    PracticeSituation(
        "bank_short", "The bank does not reach", _falls_short, banks=("player_dealer",), bank_wager=LOW_STAKE
    ),
)
SITUATIONS: Mapping[str, PracticeSituation] = MappingProxyType({one.key: one for one in _ALL})
