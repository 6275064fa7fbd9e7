"""What the house advanced and has not got back, re-added entry by entry: each advance, repayment and contra."""

from __future__ import annotations

from typing import Final

from jackpot.books.rules import movement
from jackpot.books.rules.movement import NOTHING, Balances, Movement
from jackpot.money import Money
from jackpot.terms.rules.terms import Terms

ADVANCING: Final = frozenset({"advance", "repay"})
COUNTED_AGAIN: Final = frozenset({"void", "recount"})


class Advances:
    """The advance account of one jackpot's proof. `due_next` is what the entry after a coin-in must repay."""

    def __init__(self) -> None:
        self.owed = 0
        self.due_next = NOTHING
        self._of_wins: dict[str, Movement] = {}
        self._repayments: dict[int, int] = {}
        self._awarded = ("", 0)

    def due(self, seq: int, kind: str, win: str, before: Balances, terms: Terms) -> Movement:
        """An advance follows the award that left the meter dry; a repayment follows its coin-in."""
        if kind == "repay":
            return self.due_next
        dry = not Money(before.meter).shown(terms.digits)
        follows = terms.policy.dry_meter == "restart" and dry and self._awarded == (win, seq - 1)
        return movement.advance(before, terms) if follows else NOTHING

    def taken_back(self, win: str) -> Movement:
        """What of a win's advance its back-out turns round."""
        return movement.taken_back(self._of_wins.get(win, NOTHING), self.owed)

    def after(self, seq: int, kind: str, win: str, corrects: str, moved: Movement, terms: Terms | None) -> None:
        """Goes on from an entry as it is written."""
        self.due_next = NOTHING
        if kind == "coin_in" and self.owed and terms is not None:
            self.due_next = movement.repay(chips(moved, terms), self.owed, max(moved.meter, 0), terms)
        elif kind == "award":
            self._awarded = (win, seq)
        elif kind == "advance":
            self.owed -= moved.house
            self._of_wins[win] = moved
        elif kind == "repay":
            self.owed -= moved.house
            self._repayments[seq] = moved.house
        elif kind == "back_out":
            self.owed += self.taken_back(win).house
            self._of_wins.pop(win, None)
        elif kind in COUNTED_AGAIN:
            self.owed += self._repayments.pop(int(corrects or 0), 0)


def chips(found: Movement, terms: Terms) -> int:
    """How many whole chips a contribution is; a round without a chip has no entry, so at least one."""
    each = terms.meter_part.units + terms.reserve_part.units
    return max(-found.contributed // each, 1) if each else 1
