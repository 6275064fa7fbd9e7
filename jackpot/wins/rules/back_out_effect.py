"""The books of a jackpot as they would stand without some of its awards: how far each balance would be from what it is.

Everything that came since counts again from the other balances: awards by their own rule, coin-ins at the limit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from jackpot.books.rules.advance import chips
from jackpot.books.rules.movement import NOTHING, Balances, Movement, coin_in, contra, repay
from jackpot.terms.rules.terms import Terms
from jackpot.wins.rules.settlement import Award, Hit, OverflowReturn, Pot, settle, still_frozen


@dataclass(frozen=True, slots=True)
class BalanceGap:
    """What the balances would hold more (+) or less (−) than they do."""

    meter: int = 0
    reserve: int = 0
    overflow: int = 0

    def stand(self, found: Balances) -> Balances:
        """The balances as they would be."""
        return found._replace(
            meter=found.meter + self.meter, reserve=found.reserve + self.reserve,
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


@dataclass(frozen=True, slots=True)
class OtherCoinIn:
    """What a coin-in would have moved, and what it would have repaid of a house advance."""

    moved: Movement
    repaid: Movement = NOTHING

    def taken_back(self, before: Balances, terms: Terms) -> Movement:
        """By a void or a recount: first the repayment, then the coin-in."""
        lent_again = contra(self.repaid, before, terms) if self.repaid.house else NOTHING
        return lent_again.with_also(contra(self.moved, before.after(lent_again), terms))


def other_coin_in(counted: Movement, before: Balances, owed: int, terms: Terms) -> OtherCoinIn:
    """The same chips from other balances, with what would be owed of house advances there."""
    spots = chips(counted, terms)
    moved = coin_in(spots, terms, before.meter)
    return OtherCoinIn(moved, repay(spots, owed, max(moved.meter, 0), terms) if owed > 0 else NOTHING)


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
