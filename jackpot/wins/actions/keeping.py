"""What an approval writes beside its entries: words, numbers and wins, in the trip that writes the books."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from jackpot.books.actions.post import Books
from jackpot.canonical import canonical
from jackpot.database.raw import Question
from jackpot.people.models import Card, Operator
from jackpot.property.models.property import Property
from jackpot.wins.actions.standing import Standing
from jackpot.wins.models import Signature, Win

SIGN: Final = """
INSERT INTO jackpot_signature (win_id, operator_id, card_id, level, part, at, why) VALUES (%s, %s, %s, %s, %s, %s, '')
"""
NUMBERS: Final = "UPDATE jackpot_slipcounter SET next_slip = %s, next_win = %s WHERE premises_id = %s"
_KEPT: Final = (
    "state", "amount", "number", "slip", "place", "premises_id", "ranked", "frozen_seq", "cards_checked", "logged_at",
    "gaming_day", "award_seq", "moved_at",
)  # fmt: skip
KEEP: Final = f"UPDATE jackpot_win SET {', '.join(f'{name} = %s' for name in _KEPT)}, paper = %s::jsonb WHERE id = %s"


def sign(books: Books, win: Win, operator: Operator, card: Card | None, level: int) -> None:
    """One person's approval of one win, at the time of the act."""
    now = books.heads[win.jackpot_id].now
    values = (win.id, operator.pk, None if card is None else card.pk, level, Signature.Part.APPROVE.value, now)
    books.keep(("word", win.id, operator.pk), lambda: (SIGN, values))


def keep_numbers(books: Books, standing: Standing, premises: Property, wins: Sequence[Win]) -> None:
    """Win and slip numbers in the order of the act, without a gap."""
    assert standing.numbers is not None, "whoever approves has asked for the numbers with the locks"
    slip, number = standing.numbers
    for place, win in enumerate(wins):
        win.slip, win.number = slip + place, number + place
    values = (slip + len(wins), number + len(wins), premises.pk)
    books.keep("numbers", lambda: (NUMBERS, values))


def keep(books: Books, win: Win) -> None:
    """The win as it stands when the books are left."""
    books.keep(("win", win.id), lambda: _kept(win))


def _kept(win: Win) -> Question:
    return KEEP, (*(_plain(getattr(win, name)) for name in _KEPT), canonical(win.paper), win.id)


def _plain(value: object) -> object:
    """A choice is written by its value."""
    return str(value) if isinstance(value, str) else value
