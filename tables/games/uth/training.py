"""Rounds to practise on, and the correction of what a trainee settled."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tables.games.cards import DECK, PlayingCard
from tables.games.limits import dollars
from tables.games.packs import BetTable
from tables.games.poker import Category, best_hand
from tables.games.procedure import Scene
from tables.games.uth.hands import ACE, KING, dealer_qualifies
from tables.games.uth.rules import Action
from tables.games.uth.settle import PlayedRound, PlayerDealer, RoundResult, SeatPlay

STAKES = (5, 10, 15, 25)


@dataclass(frozen=True, slots=True)
class Correction:
    """One wager as the trainee settled it, beside what is right, with the reason."""

    seat: int
    wager: str
    given: Fraction | None
    due: Fraction
    why: str

    @property
    def right(self) -> bool:
        return self.given == self.due


def deal_practice(
    seed: int, seats: Sequence[int], tables: Mapping[str, BetTable], bank: PlayerDealer | None = None
) -> PlayedRound:
    """A round that always comes the same for the same seed: every seat bets, plays by a plain rule of thumb, and
    wagers on some of the bets that have a pay table."""
    dice = random.Random(seed)
    deck = dice.sample(DECK, len(DECK))
    board, dealer = tuple(deck[:5]), tuple(deck[5:7])
    places = range(7, 7 + 2 * len(seats), 2)
    plays = tuple(
        _play(dice, seat, tuple(deck[place : place + 2]), board, tables, bank)
        for seat, place in zip(seats, places, strict=True)
    )
    return PlayedRound(board, dealer, plays, tables, bank)


def scene_of(played: PlayedRound, shuffler: str, table_seats: int = 7) -> Scene:
    """The same round for the procedure walker."""
    return Scene(
        shuffler=shuffler,
        bank="player_dealer" if played.bank else "house",
        seats=tuple(seat.seat for seat in played.seats),
        progressive=any("progressive" in seat.wagers for seat in played.seats),
        player_dealer=played.bank.seat if played.bank else None,
        folded=frozenset(seat.seat for seat in played.seats if seat.action == "fold"),
        dealer_fails=not dealer_qualifies(best_hand(played.board + played.dealer)),
        table_seats=table_seats,
    )


def correct(result: RoundResult, given: Mapping[int, Mapping[str, Fraction]]) -> tuple[Correction, ...]:
    """Every wager of the round in settling order: what the trainee said, what is right, and why."""
    return tuple(
        Correction(
            seat.seat,
            decision.wager,
            given.get(seat.seat, {}).get(decision.wager),
            decision.net,
            f"{decision.reason} {_in_words(decision.net)}",
        )
        for seat in result.seats
        for decision in seat.decisions
    )


def _play(
    dice: random.Random,
    seat: int,
    hole: tuple[PlayingCard, ...],
    board: tuple[PlayingCard, ...],
    tables: Mapping[str, BetTable],
    bank: PlayerDealer | None,
) -> SeatPlay:
    stake = Fraction(dice.choice(STAKES))
    wagers = {"ante": stake, "blind": stake}
    for bet in ("trips", "bad_beat", "pairs"):
        if bet in tables and dice.random() < 0.5 and all(need in wagers for need in tables[bet].needs):
            wagers[bet] = Fraction(5)
    if "progressive" in tables and bank is None and dice.random() < 0.5:
        wagers["progressive"] = Fraction(1)
    return SeatPlay(seat, hole, _rule_of_thumb(hole, board), wagers)


def _rule_of_thumb(hole: tuple[PlayingCard, ...], board: tuple[PlayingCard, ...]) -> Action:
    """Not perfect play, only plausible: high cards raise early, a pair of one's own on the flop, anything made late."""
    ranks = sorted((card.rank for card in hole), reverse=True)
    if ranks[0] == ACE or ranks[0] == ranks[1] or (ranks[0] == KING and ranks[1] >= 5):
        return "4x"
    if set(ranks) & {card.rank for card in board[:3]}:
        return "2x"
    return "1x" if best_hand(board + hole).category >= Category.ONE_PAIR else "fold"


def _in_words(net: Fraction) -> str:
    if net == 0:
        return "Nothing is paid or taken."
    return f"Pay {dollars(net)}." if net > 0 else f"Take {dollars(-net)}."
