"""A meter that an award left dry begins anew at the seed as a house advance; docs/decisions say when and how."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from jackpot.books.actions.post import Books, EntryReference
from jackpot.books.models.entry import Entry
from jackpot.books.rules.entry_kind import EntryKind
from jackpot.books.rules.movement import NOTHING, Balances, Movement, taken_back
from jackpot.money import Money
from jackpot.wins.models import Win
from jackpot.wins.rules.settlement import Award


def begin_anew(books: Books, jackpot_id: int, award: Award, about: EntryReference) -> Balances | None:
    """Posts the advance right after the award that made it due, as an entry of its own; the balances then."""
    if award.advance == NOTHING:
        return None
    assert about.win_id is not None, "an advance is made for a win"
    return books.advance(jackpot_id, award.advance, replace(about, key=f"advance/{about.win_id}")).after


def paper_of(award: Award) -> Mapping[str, Any]:
    """What the page prints of the two switches; nothing where they said nothing."""
    told: dict[str, Any] = {}
    if award.advance != NOTHING:
        told["advance"] = str(Money(award.advance.meter))
    if award.compared is not None:
        told["next_row"] = {
            "code": award.compared.line.code, "name": award.compared.line.name,
            "pays": str(award.compared.line.award), "worth": str(award.compared.worth),
            "own": str(award.compared.own), "basis": str(award.compared.basis),
        }  # fmt: skip
    return told


def repayment_after(jackpot_id: int, coin_in_seq: int) -> Entry | None:
    """What a coin-in repaid of a house advance: its entry follows at once."""
    return Entry.objects.filter(jackpot_id=jackpot_id, seq=coin_in_seq + 1, kind=EntryKind.REPAY).first()


def advance_of(win: Win) -> Movement:
    """What the house advanced when this win left the meter dry."""
    rows = Entry.objects.filter(jackpot_id=win.jackpot_id, win_id=win.pk, kind=EntryKind.ADVANCE)
    found = rows.filter(seq__gt=win.award_seq).first() if win.award_seq is not None else None
    return NOTHING if found is None else found.movement


def still_owed(books: Books, win: Win) -> Movement:
    """What of the win's advance its back-out takes back."""
    return taken_back(advance_of(win), books.heads[win.jackpot_id].advance)
