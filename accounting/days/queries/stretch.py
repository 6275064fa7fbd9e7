"""Where a gaming day lies in the books of a jackpot: found by a handful of keys, however long the books are."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final, overload

from accounting.days.rules.equation import Holdings
from jackpot.books.models.entry import Entry
from jackpot.books.models.jackpot import Jackpot
from jackpot.books.rules.advance import ADVANCING, COUNTED_AGAIN, Advances
from jackpot.money import units_of

OWING: Final = tuple(sorted({*ADVANCING, *COUNTED_AGAIN, "award", "back_out"}))


@dataclass(frozen=True, slots=True)
class BooksStretch:
    """The entries behind `after` up to `upto` of one jackpot; empty where both are the same."""

    after: int
    upto: int

    def __bool__(self) -> bool:
        return self.upto > self.after


class _Days(Sequence[date]):
    """The gaming days of the entries in their order: they never go back, so a day is found by halving."""

    def __init__(self, jackpot: Jackpot) -> None:
        self.rows = Entry.objects.filter(jackpot=jackpot)
        self.last = jackpot.last_seq

    def __len__(self) -> int:
        return self.last

    @overload
    def __getitem__(self, place: int) -> date: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[date]: ...
    def __getitem__(self, place: int | slice) -> date | Sequence[date]:
        assert isinstance(place, int), "a day is found entry by entry"
        return self.rows.values_list("gaming_day", flat=True).get(seq=place + 1)


def stretch_of(jackpot: Jackpot, day: date) -> BooksStretch:
    """The entries of a gaming day."""
    days = _Days(jackpot)
    after = bisect_left(days, day)
    return BooksStretch(after, bisect_left(days, date.fromordinal(day.toordinal() + 1), after))


def holdings_after(jackpot: Jackpot, seq: int) -> Holdings:
    """What the books say stood in meter, reserve and overflow after an entry; before the first there is nothing."""
    row = Entry.objects.filter(jackpot=jackpot, seq=seq).first()
    if row is None:
        return Holdings()
    return Holdings(row.after.meter, row.after.reserve, row.after.overflow, owed_after(jackpot, seq))


def owed_after(jackpot: Jackpot, seq: int) -> int:
    """What of house advances was owed after an entry; a jackpot that never began anew owes nothing."""
    if seq >= jackpot.last_seq:
        return units_of(jackpot.advance)
    rows = Entry.objects.filter(jackpot=jackpot, seq__lte=seq)
    if not rows.filter(kind="advance").exists():
        return 0
    advances = Advances()
    for row in rows.filter(kind__in=OWING).order_by("seq").select_related("version").iterator():
        win, corrects = str(row.win_id or ""), str(row.corrects or "")
        advances.after(row.seq, row.kind, win, corrects, row.movement, row.version.value)
    return advances.owed
