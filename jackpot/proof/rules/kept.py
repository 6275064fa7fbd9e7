"""Entries of which more than the books speaks: payments, the reading of an old system, what two people signed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from jackpot.books.rules.entry_kind import EntryKind
from jackpot.books.rules.kinds import STATES, TRANSFERS
from jackpot.books.rules.movement import Balances, Movement

if TYPE_CHECKING:
    from jackpot.proof.rules.proof import EntryRow

KEPT: Final = STATES | TRANSFERS | {
    EntryKind.TAKE_OVER, EntryKind.ADJUST, EntryKind.DIFFERENCE, EntryKind.BACK_OUT, EntryKind.PAY,
    EntryKind.RECEIPT,
}  # fmt: skip


class KeptEntry(NamedTuple):
    """Kept while the books stream by, to be held against what stands beside them."""

    row: EntryRow
    moved: Movement
    before: Balances
