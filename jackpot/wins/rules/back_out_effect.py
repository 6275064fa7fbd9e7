"""The books of a jackpot as they would stand without some of its awards: how far each balance would be from what it is.

Everything that came since counts again from the other balances: awards by their own rule, coin-ins at the limit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from jackpot.books.rules.movement import Balances, Movement
from jackpot.terms.rules.terms import Terms
from jackpot.wins.rules.frozen_overflow import OverflowReturn, still_frozen
from jackpot.wins.rules.settlement import Award, Hit, Pot, settle


@dataclass(frozen=True, slots=True)
class BalanceGap:
    """What the balances would hold more (+) or less (−) than they do."""

    meter: int = 0
    reserve: int = 0
    overflow: int = 0

    def stand(self, found: Balances) -> Balances:
        """The balances as they would be."""
        return replace(
            found, meter=found.meter + self.meter, reserve=found.reserve + self.reserve,
            overflow=found.overflow + self.overflow,
        )  # fmt: skip

    def moved(self, would: Movement, was: Movement) -> BalanceGap:
        """After an entry that would have moved something else than it did."""
        return BalanceGap(
            self.meter + would.meter - was.meter,
            self.reserve + would.reserve - was.reserve,
            self.overflow + would.overflow - was.overflow,
        )


TOGETHER: Final = BalanceGap()


@dataclass(frozen=True, slots=True)
class PaidRound:
    """The hits of one round as they were paid, by which terms, and what stood at their frozen entry and first award."""

    hits: Sequence[Hit]
    seats: Sequence[int]
    terms: Terms
    reset_by: Terms
    in_force: Terms
    stood: Balances
    before: Balances


class NeedlessAdvances:
    """What the house lent to dry meters and would not have lent: later coin-ins would not repay it.

    A repayment falls on the earliest such advance first; with one advance at a time that is exact.
    """

    def __init__(self) -> None:
        self._advances: dict[int, int] = {}
        self._unpaid: dict[int, tuple[int, int]] = {}

    def lend(self, win: int, units: int) -> None:
        """An advance of this win that would not have been, or would have been smaller."""
        if units > 0:
            self._advances[win] = units

    def taken_back(self, win: int) -> None:
        """By the back-out of its win."""
        self._advances.pop(win, None)

    def repaid(self, seq: int, was: Movement) -> Movement:
        """What a coin-in's repayment would have been."""
        for win, left in self._advances.items():
            units = min(left, was.house)
            if units:
                self._advances[win] = left - units
                self._unpaid[seq] = (win, units)
                return Movement(meter=was.meter + units, house=was.house - units)
        return was

    def repaid_anew(self, seq: int) -> int:
        """The contra of a repayment: how much of it had not been."""
        win, units = self._unpaid.pop(seq, (0, 0))
        if units:
            self._advances[win] = self._advances.get(win, 0) + units
        return units


def paid_again(
    act: PaidRound, then: BalanceGap, now: BalanceGap, since: Movement, resets: Iterable[OverflowReturn]
) -> list[Award]:
    """What the act would have paid: `then` at its frozen entry, `now` at its first award.

    `since` is what hits that rank before it would have moved in between, `resets` what of the overflow they took back.
    """
    stood, live = then.stand(act.stood), now.stand(act.before)
    pot = Pot(
        live, stood.meter + since.meter, max(stood.reserve + since.reserve, 0),
        still_frozen(stood.overflow, resets), act.reset_by, act.in_force,
    )  # fmt: skip
    return settle(pot, act.hits, act.terms, act.seats)


def coined(apart: BalanceGap, meter: int, counted: Movement, raised: int, terms: Terms) -> BalanceGap:
    """After a run of coin-ins from this meter on: a limit may have held back less of them, or more.

    `raised` is what they would have brought to a meter without a limit; their order does not matter.
    """
    if terms.limit is None:
        return apart
    stood = meter + apart.meter
    would = max(stood, min(terms.limit.units, stood + raised)) - stood
    over = raised - would if terms.policy.overflow != "revenue" else 0
    return apart.moved(Movement(meter=would, overflow=over, house=-would - over), counted)
