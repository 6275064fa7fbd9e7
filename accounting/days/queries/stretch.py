"""Where a gaming day lies in the books of a jackpot: found by a handful of keys, however long the books are."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from accounting.days.rules.equation import Holdings
from jackpot.books.models.entry import Entry
from jackpot.books.models.jackpot import Jackpot
from jackpot.books.queries import RisingColumn, numbers_of_day
from jackpot.books.rules.advance import ADVANCING, Advances
from jackpot.books.rules.entry_kind import EntryKind
from jackpot.money import units_of

OWING: Final = tuple(sorted({*ADVANCING, EntryKind.VOID, EntryKind.RECOUNT, EntryKind.AWARD, EntryKind.BACK_OUT}))


@dataclass(frozen=True, slots=True)
class BooksStretch:
    """The entries behind `after` up to `upto` of one jackpot; empty where both are the same."""

    after: int
    upto: int

    def __bool__(self) -> bool:
        return self.upto > self.after


def stretch_of(jackpot: Jackpot, day: date) -> BooksStretch:
    """The entries of a gaming day."""
    return BooksStretch(*numbers_of_day(jackpot, day))


def last_before(jackpot: Jackpot, at: datetime) -> int:
    """The last entry before a moment; 0 where there was none."""
    return bisect_left(RisingColumn(jackpot, "occurred_at"), at)


def holdings_after(jackpot: Jackpot, seq: int) -> Holdings:
    """What the books say stood in meter, reserve and overflow after an entry; before the first there is nothing."""
    row = Entry.objects.filter(jackpot=jackpot, seq=seq).first()
    if row is None:
        return Holdings()
    return Holdings(row.after.meter, row.after.reserve, row.after.overflow, owed_after(jackpot, seq))


def owed_after(jackpot: Jackpot, seq: int) -> int:
    """What of house advances was owed after an entry; a jackpot that never began anew owes nothing."""
    # The row knows what is owed now; only of the past is it added up again.
    if seq >= jackpot.last_seq:
        return units_of(jackpot.advance)
    rows = Entry.objects.filter(jackpot=jackpot, seq__lte=seq)
    # Most jackpots never had an advance: they are spared the walk over their books.
    if not rows.filter(kind=EntryKind.ADVANCE).exists():
        return 0
    advances = Advances()
    for row in rows.filter(kind__in=OWING).order_by("seq").select_related("version").iterator():
        win, corrects = str(row.win_id or ""), str(row.corrects or "")
        advances.after(row.seq, EntryKind(row.kind), win, corrects, row.movement, row.version.value)
    return advances.owed
