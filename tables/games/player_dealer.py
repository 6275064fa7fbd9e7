"""A player deals and banks: who acts first, who banks next, and how far the bank's wager reaches."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import takewhile
from typing import Literal, assert_never

Model = Literal["net", "gross"]
HANDS_IN_A_ROW = 2


class BankRefused(ValueError):
    """A seat that cannot bank, or seats that are none; the message says why."""


def action_order(seats: int, player_dealer: int, occupied: Collection[int]) -> tuple[int, ...]:
    """From the left of the player-dealer, clockwise round the table. Seats count from the dealer's left."""
    _refuse_seats(seats, {player_dealer, *occupied})
    # The dealer faces the players, so higher seat numbers lie clockwise from the bank.
    ring = [(player_dealer - 1 + step) % seats + 1 for step in range(1, seats)]
    return tuple(seat for seat in ring if seat in occupied)


def next_banker(
    seats: int, banker: int, hands_in_a_row: int, occupied: Collection[int], declining: Collection[int] = ()
) -> int | None:
    """Who is offered the bank for the next hand: the same seat until its second hand in a row, then the next seat
    clockwise that takes it. None when nobody may: the table then waits, the house never banks."""
    _refuse_seats(seats, {banker, *occupied})
    willing = set(occupied) - set(declining)
    if banker in willing and hands_in_a_row < HANDS_IN_A_ROW:
        return banker
    return next((seat for seat in action_order(seats, banker, occupied) if seat in willing), None)


def refuse_third_hand(bankers: Sequence[int], seat: int) -> None:
    """Nobody banks more than two hands in a row; `bankers` is who banked so far, the last one last."""
    if len(bankers) >= HANDS_IN_A_ROW and all(banker == seat for banker in bankers[-HANDS_IN_A_ROW:]):
        raise BankRefused(f"Seat {seat} has banked two hands in a row. Offer the bank to the next seat, clockwise.")


def passed_over(seats: int, before: tuple[int, int], banker: int, occupied: Collection[int]) -> tuple[int, ...]:
    """Seats in the hand to which the bank came first and that did not take it. `before` is who banked the last hand,
    and which in a row that was."""
    seat, in_a_row = before
    again = (seat,) if seat in occupied and in_a_row < HANDS_IN_A_ROW else ()
    offered = (*again, *action_order(seats, seat, occupied))
    return tuple(takewhile(lambda each: each != banker, offered))


@dataclass(slots=True)
class PlayerBank:
    """The player-dealer's wager while a round is settled.

    Net: collections refill it, so it can neither lose more than the wager nor win more than the wager.
    Gross: every dollar paid or collected uses the wager up. Under both, an exhausted bank settles nothing more.
    """

    wager: Fraction
    model: Model = "net"
    won: Fraction = Fraction(0)
    used: Fraction = Fraction(0)
    exhausted: bool = False

    def __post_init__(self) -> None:
        if self.wager <= 0:
            raise BankRefused("The player-dealer has no wager. It must stand before the first card.")

    def pay(self, due: Fraction) -> Fraction:
        """Pays a winner as far as the wager reaches; returns what was paid."""
        paid = self._covered(due, self.wager + self.won)
        self.won -= paid
        return self._used(paid)

    def collect(self, due: Fraction) -> Fraction:
        """Collects a losing wager as far as the bank may still win; returns what was collected."""
        taken = self._covered(due, self.wager - self.won)
        self.won += taken
        return self._used(taken)

    def _covered(self, due: Fraction, net_room: Fraction) -> Fraction:
        if self.exhausted:
            return Fraction(0)
        match self.model:
            case "net":
                return min(due, net_room)
            case "gross":
                return min(due, self.wager - self.used)
            case _:
                assert_never(self.model)

    def _used(self, amount: Fraction) -> Fraction:
        self.used += amount
        # Net, a bank at its winning cap still pays: only an empty bank ends the settling.
        empty = self.won == -self.wager if self.model == "net" else self.used == self.wager
        self.exhausted = self.exhausted or empty
        return amount


def _refuse_seats(seats: int, named: Collection[int]) -> None:
    wrong = sorted(seat for seat in named if not 1 <= seat <= seats)
    if wrong:
        raise BankRefused(f"There is no seat {wrong[0]}; this table has seats 1 to {seats}.")
