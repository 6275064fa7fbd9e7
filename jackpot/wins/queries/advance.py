"""A meter that an award left dry begins anew at the seed as a house advance; docs/decisions say when and how."""

from __future__ import annotations

from jackpot.books.models.entry import Entry
from jackpot.books.rules.advance import ADVANCING
from jackpot.books.rules.entry_kind import EntryKind
from jackpot.books.rules.movement import NOTHING, Movement, taken_back
from jackpot.money import units_of
from jackpot.wins.models import Win


def repayment_after(jackpot_id: int, coin_in_seq: int) -> Entry | None:
    """What a coin-in repaid of a house advance: its entry follows at once."""
    return Entry.objects.filter(jackpot_id=jackpot_id, seq=coin_in_seq + 1, kind=EntryKind.REPAY).first()


def advance_of(win: Win) -> Movement:
    """What the house advanced when this win left the meter dry."""
    rows = Entry.objects.filter(jackpot_id=win.jackpot_id, win_id=win.pk, kind=EntryKind.ADVANCE)
    found = rows.filter(seq__gt=win.award_seq).first() if win.award_seq is not None else None
    return NOTHING if found is None else found.movement


def still_owed(win: Win, of_all: int) -> Movement:
    """What of the win's advance its back-out takes back, of all that its jackpot still owes."""
    return taken_back(advance_of(win), of_all)


def owed_before(jackpot_id: int, seq: int) -> int:
    """What the house had advanced and not got back before this entry, re-added."""
    kinds = [*ADVANCING, EntryKind.BACK_OUT, EntryKind.VOID, EntryKind.RECOUNT]
    rows = Entry.objects.filter(jackpot_id=jackpot_id, seq__lt=seq, kind__in=kinds).order_by("seq")
    owed, lent, repaid = 0, dict[int | None, Movement](), dict[int | None, int]()
    for number, kind, win_id, corrects, house in rows.values_list("seq", "kind", "win_id", "corrects", "house"):
        units = units_of(house)
        if kind == EntryKind.BACK_OUT:
            owed += taken_back(lent.pop(win_id, NOTHING), owed).house
        elif kind in ADVANCING:
            owed -= units
            if kind == EntryKind.ADVANCE:
                lent[win_id] = Movement(meter=-units, house=units)
            else:
                repaid[number] = units
        else:
            # Taking a coin-in back takes back what it repaid: that is owed again.
            owed += repaid.pop(corrects, 0)
    return owed
