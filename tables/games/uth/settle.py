"""A whole round settled: every seat, every wager, in order, each decision with its reason."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Literal

from jackpot.money import Money
from tables.games.cards import PlayingCard, WrongNumberOfCards, cards_in_words
from tables.games.game import NotInThisGame, TableCards
from tables.games.limits import BetRefused
from tables.games.packs import BetTable
from tables.games.player_dealer import PlayerBank, action_order
from tables.games.poker import Hand, best_hand
from tables.games.uth.decide import Meter, Outcome, WagerDecision, decide
from tables.games.uth.hands import Spot, dealer_qualifies
from tables.games.uth.rules import MULTIPLES, Action, HouseRules, refuse_unplayable

Result = Literal["win", "lose", "tie", "fold"]
AFTER_THE_BASE = ("trips", "bad_beat", "pairs", "progressive")


@dataclass(frozen=True, slots=True)
class SeatPlay:
    """What one seat held, did and had at stake."""

    seat: int
    cards: tuple[PlayingCard, ...]
    action: Action
    wagers: Mapping[str, Fraction]


@dataclass(frozen=True, slots=True)
class PlayerDealer:
    """The seat that banks the round, and its wager."""

    seat: int
    wager: Fraction


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """All that settling needs: cards, seats, the pay tables in force, the bank and the meter where there is one."""

    board: tuple[PlayingCard, ...]
    dealer: tuple[PlayingCard, ...]
    seats: tuple[SeatPlay, ...]
    tables: Mapping[str, BetTable] = field(default_factory=dict)
    bank: PlayerDealer | None = None
    meter: Money | None = None
    digits: int = 2  # of the currency that the meter pays


@dataclass(frozen=True, slots=True)
class SeatResult:
    """One seat's hand against the dealer's, and its decisions in the order in which they were taken."""

    seat: int
    hand: Hand
    result: Result
    decisions: tuple[WagerDecision, ...]

    def net(self, wager: str) -> Fraction:
        return next(decision.net for decision in self.decisions if decision.wager == wager)

    @property
    def nets(self) -> dict[str, Fraction]:
        return {decision.wager: decision.net for decision in self.decisions}

    @property
    def total(self) -> Fraction:
        return sum(self.nets.values(), Fraction(0))


@dataclass(frozen=True, slots=True)
class RoundResult:
    """The round as the dealer settled it, seats in order."""

    dealer_hand: Hand
    qualifies: bool
    seats: tuple[SeatResult, ...]
    player_dealer_net: Fraction | None = None

    def seat(self, number: int) -> SeatResult:
        return next(seat for seat in self.seats if seat.seat == number)


def settle(played: PlayedRound, rules: HouseRules) -> RoundResult:
    """Settles seat after seat. The house covers everything; a player-dealer as far as its wager reaches."""
    _refuse_round(played, rules)
    dealer_hand = best_hand(played.board + played.dealer)
    bank = PlayerBank(played.bank.wager, rules.model) if played.bank else None
    meter = Meter(played.meter, rules.fixed_awards_from, played.digits)
    # Bank and meter live through the whole round: who is settled first may leave less to who comes later.
    by_number = {seat.seat: seat for seat in played.seats}
    settled = tuple(
        _settle_seat(by_number[number], played, rules, bank, meter) for number in settling_order(played, rules)
    )
    return RoundResult(dealer_hand, dealer_qualifies(dealer_hand), settled, bank.won if bank else None)


def settling_order(played: PlayedRound, rules: HouseRules) -> tuple[int, ...]:
    """Which seat is settled first. With a player-dealer always from its left; otherwise as the switch says."""
    numbers = [seat.seat for seat in played.seats]
    if played.bank:
        # The bank may run dry, so who comes first is a matter of money and no switch of a house.
        return action_order(rules.seats, played.bank.seat, numbers)
    match rules.settling_order:
        case "right_to_left":
            return tuple(sorted(numbers, reverse=True))
        case "clockwise":
            return tuple(sorted(numbers))
        case listed:
            missing = sorted(set(numbers) - set(listed))
            if missing:
                raise BetRefused(f"Seat {missing[0]} has no place in the settling order {', '.join(map(str, listed))}.")
            return tuple(number for number in listed if number in numbers)


def _settle_seat(
    seat: SeatPlay, played: PlayedRound, rules: HouseRules, bank: PlayerBank | None, meter: Meter
) -> SeatResult:
    spot = Spot(seat.cards, played.board, played.dealer)
    result = _result(seat, spot)
    stakes = dict(seat.wagers)
    if seat.action != "fold":
        stakes["play"] = seat.wagers["ante"] * MULTIPLES[seat.action]
    decisions = tuple(
        _covered(decide(wager, stakes[wager], result, spot, played.tables, rules, meter), bank)
        for wager in _order(result, rules)
        if wager in stakes
    )
    return SeatResult(seat.seat, spot.hand, result, decisions)


def _result(seat: SeatPlay, spot: Spot) -> Result:
    if seat.action == "fold":
        return "fold"
    if spot.hand == spot.dealer_hand:
        return "tie"
    return "win" if spot.hand > spot.dealer_hand else "lose"


def _order(result: Result, rules: HouseRules) -> tuple[str, ...]:
    base = ("ante", "play", "blind")
    if result == "lose" and rules.losers_order == "play_ante_blind":
        base = ("play", "ante", "blind")
    return base + AFTER_THE_BASE


def _covered(decision: WagerDecision, bank: PlayerBank | None) -> WagerDecision:
    """What the player-dealer's wager reaches; the rest of the wager goes back to the player."""
    if bank is None or decision.net == 0:
        return decision
    moved = bank.pay(decision.net) if decision.net > 0 else -bank.collect(-decision.net)
    if moved == decision.net:
        return decision
    # A wager partly covered stays won or lost; only one that nothing covers goes back whole.
    outcome: Outcome = "returned" if moved == 0 else decision.outcome
    reason = f"{decision.reason} The player-dealer's wager does not reach further: the uncovered part is returned."
    return replace(decision, net=moved, outcome=outcome, reason=reason, uncovered=abs(decision.net - moved))


def _refuse_round(played: PlayedRound, rules: HouseRules) -> None:
    if len(played.board) != 5 or len(played.dealer) != 2:
        raise WrongNumberOfCards("To settle, the board must lie complete with 5 cards and the dealer must show 2.")
    numbers = [seat.seat for seat in played.seats]
    if len(numbers) != len(set(numbers)):
        raise NotInThisGame("A seat stands twice in the round.")
    for seat in played.seats:
        _refuse_seat(seat, played, rules)
    # Made only to be refused: a card in two places is named there.
    TableCards(played.board, {seat.seat: seat.cards for seat in played.seats}, played.dealer)


def _refuse_seat(seat: SeatPlay, played: PlayedRound, rules: HouseRules) -> None:
    if not 1 <= seat.seat <= rules.seats:
        raise NotInThisGame(f"There is no seat {seat.seat}; this table has seats 1 to {rules.seats}.")
    if played.bank and seat.seat == played.bank.seat:
        raise NotInThisGame(f"Seat {seat.seat} banks this round and does not play against itself.")
    if len(seat.cards) != 2:
        raise WrongNumberOfCards(f"Seat {seat.seat} has {cards_in_words(len(seat.cards))}; it needs 2.")
    if seat.action not in MULTIPLES:
        raise BetRefused(f"{seat.action!r} is no action; a player folds or plays 1x, 2x, 3x or 4x.")
    refuse_unplayable(seat.wagers, played.tables)
    if played.bank and "progressive" in seat.wagers:
        raise BetRefused("A jackpot cannot hang on a player-dealer table: the house may have no interest in its game.")
