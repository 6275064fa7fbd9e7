"""No coin-in counts until the jackpot is resumed; a resumed one plays again."""

from __future__ import annotations

from jackpot.adjusting.actions.frame import AdjustmentKind, LedgerStep
from jackpot.adjusting.models import Adjustment
from jackpot.adjusting.rules.adjusting import Adjusting
from jackpot.books.actions.post import Books
from jackpot.books.rules.entry_kind import EntryKind
from jackpot.books.rules.movement import NOTHING


class SuspendJackpot(AdjustmentKind):
    """A round that runs is settled; then the jackpot stands still."""

    kind = Adjusting.SUSPEND

    def steps(self, books: Books, row: Adjustment) -> list[LedgerStep]:  # noqa: ARG002  each kind takes what it needs
        return [LedgerStep(row.its_jackpot_id, EntryKind(self.code), NOTHING)]


class ResumeJackpot(SuspendJackpot):
    """The way back."""

    kind = Adjusting.RESUME
