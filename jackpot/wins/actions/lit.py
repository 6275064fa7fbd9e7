"""A lit key: a hand seen at the table whose seats are said later. Its rank is the entry of its first mark."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from jackpot.books.actions.post import Books
from jackpot.people.models import Actor
from jackpot.wins.actions import life
from jackpot.wins.models import Win
from jackpot.wins.queries.of_round import wins_of
from jackpot.wins.rules.round_ref import RoundRef
from jackpot.wins.rules.win_life import LIT, Act, WinState


def lit_keys(place: RoundRef, line: str) -> Sequence[Win]:
    """The lit keys of a hand, one a jackpot: those still without seats, and those whose seats stand marked."""
    rows = list(wins_of(place).filter(line=line).select_related("version").order_by("jackpot_id", "id"))
    standing = {(win.jackpot_id, win.mark_seq) for win in rows if win.seat != LIT and win.state == WinState.MARKED}
    return [win for win in rows if win.seat == LIT and _is_on(win, standing)]


def put_on_seats(books: Books, lit: Win, seats: Sequence[int], by: Actor) -> None:
    """These seats hold the hand and no others: each gets a mark with the rank and the frozen point of the lit key."""
    line = lit.version.value.pay_table.line(lit.line)
    place = RoundRef(lit.table_code, lit.round_number)
    held = wins_of(place).filter(jackpot_id=lit.jackpot_id, line=lit.line, state=WinState.MARKED)
    marked = {win.seat: win for win in held.exclude(seat=LIT).select_for_update()}
    for seat in sorted(set(seats) - set(marked)):
        win = life.mark(
            books, jackpot_id=lit.jackpot_id, version_id=lit.version_id, place=place, seat=seat, line=line,
            by=lit.marker or lit.marked_by,  # whoever lit the key saw the hand, not whoever says its seats
        )  # fmt: skip
        win.mark_seq, win.frozen_seq, win.marked_at = lit.mark_seq, lit.frozen_seq, lit.marked_at
        win.save(update_fields=["mark_seq", "frozen_seq", "marked_at"])
    _take_off([marked[seat] for seat in sorted(set(marked) - set(seats))], books, by)
    if lit.state == WinState.MARKED:
        life.move_on(books, lit, Act.ASSIGN, by)


def put_out(books: Books, place: RoundRef, line: str, by: Actor) -> Sequence[Win]:
    """The hand key again: off, with whatever seats it had."""
    lit = list(wins_of(place).filter(line=line, state=WinState.MARKED).select_for_update())
    _take_off(lit, books, by)
    return lit


def _take_off(wins: Iterable[Win], books: Books, by: Actor) -> None:
    for win in wins:
        life.move_on(books, win, Act.UNMARK, by)


def _is_on(lit: Win, standing: set[tuple[int, int]]) -> bool:
    if lit.state == WinState.MARKED:
        return True
    return lit.state == WinState.ASSIGNED and (lit.jackpot_id, lit.mark_seq) in standing
