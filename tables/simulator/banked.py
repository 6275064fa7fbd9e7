"""A hand that a player banks, as a simulated table deals it: bets, the cards, and what each wager is due.

The cards are compared by a few lines of our own; a test holds them against the product's game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

from tables.simulator.hands import RANKS
from tables.simulator.script import PlannedRound

ANTE: Final = 50
BANK_WAGER: Final = 1_000
PAIR: Final = 1
# What a winning blind is paid, by how the hand ranks: for one unit, in halves (a flush pays three to two).
STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH, ROYAL_FLUSH = 4, 5, 6, 7, 8, 9
BLIND_PAYS: Final = {STRAIGHT: 2, FLUSH: 3, FULL_HOUSE: 6, FOUR: 20, STRAIGHT_FLUSH: 100, ROYAL_FLUSH: 1000}

Rank = tuple[int, list[int]]


@dataclass(frozen=True, slots=True)
class SimulatedBank:
    """The words of `action` and `settle` for one hand."""

    bank: dict[str, Any]
    bets: list[dict[str, Any]]
    results: list[dict[str, Any]]


def banked_hand(plan: PlannedRound, offered: int | None) -> SimulatedBank | None:
    """Whom the bank is offered to takes it, if there; else the first who sits. Somebody has to bet against it."""
    seated = sorted(plan.deal.hands)
    if len(seated) < 2:
        return None
    banker = offered if offered in seated else seated[0]
    others = [seat for seat in seated if seat != banker]
    bank = {"seat": banker, "wager": str(BANK_WAGER)}
    bets = [{"seat": seat, "wagers": {"ante": str(ANTE), "blind": str(ANTE)}} for seat in others]
    against = best(plan.deal.hands[banker], plan.deal.board)
    return SimulatedBank(bank, bets, [_result(seat, plan, against) for seat in others])


def _result(seat: int, plan: PlannedRound, against: Rank) -> dict[str, Any]:
    """A pair or an ace is played for four antes, anything better than the board for one, the rest is folded."""
    hole, mine = plan.deal.hands[seat], best(plan.deal.hands[seat], plan.deal.board)
    times = 4 if hole[0][0] == hole[1][0] or "A" in hole[0] + hole[1] else 1 if mine > best((), plan.deal.board) else 0
    if not times:
        return {"seat": seat, "due": {"ante": str(-ANTE), "blind": str(-ANTE)}}
    compared = (mine > against) - (mine < against)
    qualified = against[0] >= PAIR
    due = {
        "ante": compared * ANTE if qualified else 0,
        "play": compared * times * ANTE,
        "blind": BLIND_PAYS.get(mine[0], 0) * ANTE // 2 if compared > 0 else compared * ANTE,
    }
    return {"seat": seat, "play": str(times * ANTE), "due": {name: str(amount) for name, amount in due.items()}}


def best(hole: Sequence[str], board: Sequence[str]) -> Rank:
    """The highest five of the cards that are there."""
    return max(_rank(five) for five in combinations([*hole, *board], 5))


def _rank(five: Sequence[str]) -> Rank:
    ranks = sorted((RANKS.index(card[0]) for card in five), reverse=True)
    counts = sorted(Counter(ranks).items(), key=lambda each: (each[1], each[0]), reverse=True)
    shape, order = [count for _, count in counts], [rank for rank, _ in counts]
    flush = len({card[1] for card in five}) == 1
    if ranks == [12, 3, 2, 1, 0]:
        ranks = order = [3, 2, 1, 0, -1]
    straight = shape[0] == 1 and ranks[0] - ranks[4] == 4
    if straight and flush:
        return (ROYAL_FLUSH if ranks[0] == len(RANKS) - 1 else STRAIGHT_FLUSH), order
    if shape[0] == 4:
        return FOUR, order
    if shape[:2] == [3, 2]:
        return FULL_HOUSE, order
    if flush or straight:
        return (FLUSH if flush else STRAIGHT), order
    return {(3, 1): 3, (2, 2): 2, (2, 1): PAIR}.get((shape[0], shape[1]), 0), order
