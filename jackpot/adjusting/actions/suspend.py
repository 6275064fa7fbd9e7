"""No coin-in counts until the jackpot is resumed; a resumed one plays again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from jackpot.adjusting.actions.frame import AdjustmentKind, LedgerStep
from jackpot.adjusting.models import Adjustment
from jackpot.adjusting.rules.adjusting import Adjusting
from jackpot.books.actions.post import Books
from jackpot.books.models.jackpot import Jackpot
from jackpot.books.rules.entry_kind import EntryKind
from jackpot.books.rules.movement import NOTHING
from jackpot.refusals import NotAllowedNow

_STANDS_WHILE: Final[list[Callable[[Jackpot], str]]] = []


class SuspendJackpot(AdjustmentKind):
    """A round that runs is settled; then the jackpot stands still."""

    kind = Adjusting.SUSPEND

    def steps(self, books: Books, row: Adjustment) -> list[LedgerStep]:  # noqa: ARG002  each kind takes what it needs
        return [LedgerStep(row.its_jackpot_id, EntryKind(self.code), NOTHING)]


class ResumeJackpot(SuspendJackpot):
    """The way back, unless a room above still has a reason why it stands."""

    kind = Adjusting.RESUME

    def check_asked(self, row: Adjustment) -> None:
        for why_not in _STANDS_WHILE:
            if why := why_not(row.its_jackpot):
                raise NotAllowedNow(why, "stands")


def stands_while(why_not: Callable[[Jackpot], str]) -> None:
    """A room above says, in a sentence, why a jackpot is not resumed yet; nothing where it may be."""
    _STANDS_WHILE.append(why_not)
