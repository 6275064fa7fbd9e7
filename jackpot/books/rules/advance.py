"""What the house advanced and has not got back, re-added entry by entry: each advance, repayment and contra."""

from __future__ import annotations

from typing import Final, assert_never

from jackpot.books.rules import movement
from jackpot.books.rules.entry_kind import EntryKind
from jackpot.books.rules.movement import NOTHING, Balances, Movement
from jackpot.money import Money
from jackpot.terms.rules.terms import Terms

ADVANCING: Final = frozenset({EntryKind.ADVANCE, EntryKind.REPAY})


class Advances:
    """The advance account of one jackpot's proof. `due_next` is what the entry after a coin-in must repay."""

    def __init__(self) -> None:
        self.owed = 0
        self.due_next = NOTHING
        self._of_wins: dict[str, Movement] = {}
        self._repayments: dict[int, int] = {}
        self._awarded = ("", 0)

    def due(self, seq: int, kind: EntryKind, win: str, before: Balances, terms: Terms) -> Movement:
        """An advance follows the award that left the meter dry; a repayment follows its coin-in."""
        if kind is EntryKind.REPAY:
            return self.due_next
        dry = not Money(before.meter).shown(terms.digits)
        follows = terms.policy.dry_meter == "restart" and dry and self._awarded == (win, seq - 1)
        return movement.advance(before, terms) if follows else NOTHING

    def taken_back(self, win: str) -> Movement:
        """What of a win's advance its back-out turns round."""
        return movement.taken_back(self._of_wins.get(win, NOTHING), self.owed)

    def after(
        self, seq: int, kind: EntryKind | None, win: str, corrects: str, moved: Movement, terms: Terms | None
    ) -> None:  # fmt: skip
        """Goes on from an entry as it is written; None is a kind that the books do not know."""
        self.due_next = NOTHING
        match kind:
            case EntryKind.COIN_IN if self.owed and terms is not None:
                self.due_next = movement.repay(chips(moved, terms), self.owed, max(moved.meter, 0), terms)
            case EntryKind.AWARD:
                self._awarded = (win, seq)
            case EntryKind.ADVANCE:
                self.owed -= moved.house
                self._of_wins[win] = moved
            case EntryKind.REPAY:
                self.owed -= moved.house
                self._repayments[seq] = moved.house
            case EntryKind.BACK_OUT:
                self.owed += self.taken_back(win).house
                self._of_wins.pop(win, None)
            case EntryKind.VOID | EntryKind.RECOUNT:
                self.owed += self._repayments.pop(int(corrects or 0), 0)
            case (
                None | EntryKind.COIN_IN | EntryKind.OPENING | EntryKind.TAKE_OVER | EntryKind.PAY | EntryKind.RECEIPT
                | EntryKind.CONFIGURE | EntryKind.ADJUST | EntryKind.DIFFERENCE | EntryKind.TRANSFER_OUT
                | EntryKind.TRANSFER_IN | EntryKind.SUSPEND | EntryKind.RESUME | EntryKind.RETIRE | EntryKind.MARK
                | EntryKind.UNMARK | EntryKind.ASSIGN | EntryKind.ASK | EntryKind.RELEASE | EntryKind.OUTRANK
                | EntryKind.REJECT | EntryKind.FALL | EntryKind.PARK | EntryKind.CLAIM | EntryKind.PASS_QUEUE
                | EntryKind.REJOIN | EntryKind.OVERRIDE | EntryKind.LOG
            ):  # fmt: skip
                pass
            case _:
                assert_never(kind)


def chips(found: Movement, terms: Terms) -> int:
    """How many whole chips a contribution is; a round without a chip has no entry, so at least one."""
    each = terms.contribution.units
    return max(-found.contributed // each, 1) if each else 1
