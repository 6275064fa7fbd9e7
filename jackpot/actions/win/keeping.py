"""What an approval writes beside its entries: words, numbers and wins, in the trip that writes the books."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from jackpot.actions.post import Books
from jackpot.actions.raw import Question, ask_together
from jackpot.models import Card, Operator, Property, Signature, Win
from jackpot.rules.canonical import canonical

SIGN: Final = """
INSERT INTO jackpot_signature (win_id, operator_id, card_id, level, part, at, why) VALUES (%s, %s, %s, %s, %s, %s, '')
"""
NUMBERS: Final = """
INSERT INTO jackpot_slipcounter AS c (premises_id, next_slip, next_win) VALUES (%s, 1 + %s, 1 + %s)
ON CONFLICT (premises_id) DO UPDATE SET next_slip = c.next_slip + %s, next_win = c.next_win + %s
RETURNING next_slip, next_win
"""
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


def keep_numbers(premises: Property, wins: Sequence[Win]) -> None:
    """Win and slip numbers in the order of the act; their row is locked last and for no longer than the act's end."""
    many = len(wins)
    next_slip, next_win = ask_together([(NUMBERS, (premises.pk, many, many, many, many))])[0][0]
    for place, win in enumerate(wins):
        win.slip, win.number = next_slip - many + place, next_win - many + place


def keep(books: Books, win: Win) -> None:
    """The win as it stands when the books are left."""
    books.keep(("win", win.id), lambda: _kept(win))


def _kept(win: Win) -> Question:
    return KEEP, (*(_plain(getattr(win, name)) for name in _KEPT), canonical(win.paper), win.id)


def _plain(value: object) -> object:
    """A choice is written by its value."""
    return str(value) if isinstance(value, str) else value
