"""A win held against its own entries before money or paper leaves on it: its row alone is believed by nobody."""

from __future__ import annotations

from typing import Final

from jackpot.books.models.entry import Entry
from jackpot.books.rules.entry_kind import EntryKind
from jackpot.canonical import request_of
from jackpot.money import Money, units_of
from jackpot.refusals import NotAllowedNow
from jackpot.wins.models import Signature, Win
from jackpot.wins.rules.award_record import logged_forms

CODE: Final = "unlike_entry"
_PAYS: Final = (EntryKind.AWARD, EntryKind.DIFFERENCE)


def refuse_unlike_its_entry(win: Win) -> None:
    """Amount, slip, seat and hand are those that the books sealed; else nobody pays or prints it."""
    told = unlike_its_entry(win)
    if told:
        why = f"Slip {win.slip} is not what the books say: {told}. Somebody changed it behind the books."
        raise NotAllowedNow(f"{why} Do not pay it; call an engineer, who begins with manage.py prove.", CODE)


def unlike_its_entry(win: Win) -> str:
    """What differs, in words; empty where the row says what its entries say."""
    if win.amount is None or win.slip is None:
        return "it has no amount or no number"
    units = units_of(win.amount)
    if win.award_seq is not None:
        entry = Entry.objects.filter(jackpot_id=win.jackpot_id, seq=win.award_seq).first()
        if entry is None or entry.win_id != win.pk or entry.kind not in _PAYS:
            return f"entry {win.award_seq} is not its award"
        awarded = units_of(entry.winners)
        if awarded != units:
            return f"its amount is {Money(units)}, entry {entry.seq} awarded {Money(awarded)}"
    if win.difference_of_id is None and not _logged(win, units):
        return "its seat, hand, number, slip or amount is not what was approved, or not by whom"
    return ""


def _logged(win: Win, units: int) -> bool:
    """The request of its `log` seals what was approved; the shorter ones are from before requests said all of it."""
    # Between its mark and its award, where its `log` must lie: the books themselves may be long.
    rows = Entry.objects.filter(jackpot_id=win.jackpot_id, win_id=win.pk, kind=EntryKind.LOG, seq__gte=win.mark_seq)
    if win.award_seq is not None:
        rows = rows.filter(seq__lt=win.award_seq)
    people = win.signatures.filter(part=Signature.Part.APPROVE).values_list("operator_id", flat=True)
    given = {bytes(each) for each in rows.values_list("request", flat=True)}
    forms = logged_forms(win.pk, people, win.seat, win.line, win.envy_of_id, win.number, win.slip, units)
    return bool(given & {request_of(each) for each in forms})
