"""For good: on its closing reading. The money has thirty days to find another home."""

from __future__ import annotations

from typing import Any

from jackpot.adjusting.actions.frame import AdjustmentKind, LedgerStep
from jackpot.adjusting.actions.transfer import transfer_key, transferred
from jackpot.adjusting.models import Adjustment
from jackpot.adjusting.rules.adjusting import Adjusting, transfer_by
from jackpot.books.actions.post import Books
from jackpot.books.rules.entry_kind import EntryKind
from jackpot.books.rules.movement import NOTHING
from jackpot.money import Money
from jackpot.refusals import NotAllowedNow, NotUnderstood
from jackpot.wins.queries.row_meters import row_meters_of


class RetireJackpot(AdjustmentKind):
    """The sign's figure is read, the books must show the same; a transfer may go with it."""

    kind = Adjusting.RETIRE

    def steps(self, books: Books, row: Adjustment) -> list[LedgerStep]:
        head, reading = books.heads[row.its_jackpot_id], row.reading_money
        if reading is None:
            raise NotUnderstood("Write the closing reading: the figure that the sign shows.", "reading")
        # Cut as the sign cuts it: the meter holds parts of a cent that no sign ever shows.
        if reading != Money(head.balances.meter).shown(books.terms(row.its_jackpot_id).digits):
            # Which figure it should be is not told: a reading is taken from the sign, or it checks nothing.
            why = f"The closing reading {reading} is not what the books of {head.code} show."
            raise NotAllowedNow(f"{why} Suspend it, then read its sign again.", "reading")
        moves = transferred(books, row, None) if row.other_id else []
        return [*moves, LedgerStep(row.its_jackpot_id, EntryKind.RETIRE, NOTHING)]

    def key(self, books: Books, row: Adjustment, step: LedgerStep) -> str:
        return transfer_key(books, row, step)

    def beside(self, row: Adjustment) -> dict[str, Any]:
        """The meters of its rows belong to the closing reading."""
        return {"rows": [meter.plain() for meter in row_meters_of([row.its_jackpot])[row.its_jackpot_id]]}

    def moves_state(self, row: Adjustment, head: Any) -> dict[str, Any]:  # noqa: ARG002  each kind takes what it needs
        return {"retired_at": head.now, "transfer_by": transfer_by(head.gaming_day)}
