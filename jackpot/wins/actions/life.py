"""Marks and what becomes of them until somebody approves. Each is an entry of zero movement: its number is its rank."""

from __future__ import annotations

from collections.abc import Iterable

from jackpot.books.actions.post import Books, EntryReference
from jackpot.books.rules.entry_kind import EntryKind
from jackpot.books.rules.movement import NOTHING
from jackpot.canonical import digest_of_value
from jackpot.people.models import Actor, person_of
from jackpot.refusals import NotAllowedNow
from jackpot.terms.rules.paytable import PartOfMeter, PayLine
from jackpot.wins.models import Win, shown_name
from jackpot.wins.queries.of_round import wins_of
from jackpot.wins.rules.round_ref import RoundRef
from jackpot.wins.rules.sealed_mark import marked_forms, said_at_mark
from jackpot.wins.rules.win_life import LIT, SPOKEN, STANDING, Act, WinState, after


def mark(
    books: Books, *, jackpot_id: int, version_id: int, place: RoundRef, seat: int, line: PayLine, by: Actor
) -> Win:
    """A hit of one seat on one jackpot; free to undo, kept for ever."""
    head = books.heads[jackpot_id]
    earlier = wins_of(place).filter(jackpot_id=jackpot_id, seat=seat)
    taken = earlier.filter(state__in=[WinState.LOGGED, WinState.OWED, WinState.PAID], envy_of=None).first()
    if taken is not None:
        raise NotAllowedNow(f"Seat {seat} already has {taken.line_name} of {head.code} in this round.", "awarded")
    # Its rank is the number of the entry that is posted right below, under the same lock.
    win = Win.objects.create(
        jackpot_id=jackpot_id, version_id=version_id, table_code=place.table_code, round_number=place.round_number,
        seat=seat, line=line.code, line_name=shown_name(line.name), part=isinstance(line.award, PartOfMeter),
        state=WinState.MARKED, mark_seq=head.last_seq + 1, frozen_seq=head.last_seq + 1, marked_at=head.now,
        marked_by=str(by), marker=person_of(by),
    )  # fmt: skip
    _post(books, win, EntryKind.MARK, marked_forms(win.id, seat, line.code, said_at_mark(win.id, str(by)))[-1])
    return win


def move_on(books: Books, win: Win, act: Act, by: Actor, why: str = "") -> None:
    """Takes a win one step along its life and notes it in the books; a step that is not listed is refused."""
    state = after(WinState(win.state), act)
    if state is None:
        spoken = SPOKEN[WinState(win.state)]
        raise NotAllowedNow(f"{win.line_name} at seat {win.seat} is {spoken}; it cannot {act.value} now.", "not_now")
    win.state = state
    win.save(update_fields=["state"])
    note(books, win, EntryKind(act.value), str(by), why)


def note(books: Books, win: Win, kind: EntryKind, by: str, why: str = "", *, file: str = "") -> int:
    """An entry of zero movement: no clock decides what came first, its number does.

    `file` is the digest of the evidence on which it was said: the entry seals it.
    """
    asked = {"act": kind, "win": win.id, "by": by, "why": why, **({"file": file} if file else {})}
    return _post(books, win, kind, digest_of_value(asked))


def _post(books: Books, win: Win, kind: EntryKind, request: str) -> int:
    number = books.heads[win.jackpot_id].last_seq + 1  # a key may be turned back and forth: each time is an event
    key = f"{kind}/{win.id}/{number}"
    about = EntryReference(key, bytes.fromhex(request), win.table_code, win.round_number, win.id)
    return books.post(win.jackpot_id, kind, NOTHING, about).seq


def ask(books: Books, place: RoundRef, by: Actor) -> list[Win]:
    """CONFIRM or JPH: the round's marks are closed; of each seat the highest row stands, the others give way."""
    marked = list(
        wins_of(place).filter(state=WinState.MARKED).select_related("version").select_for_update(of=("self",))
    )
    if not marked:
        raise NotAllowedNow(f"Round {place.round_number} at {place.table_code} has no hit marked. Mark one first.")
    refuse_unassigned(marked, place)
    standing: list[Win] = []
    # The highest row of each seat comes first, so whatever finds its seat taken is outranked.
    for win in sorted(marked, key=_rank):
        better = [other for other in standing if (other.jackpot_id, other.seat) == (win.jackpot_id, win.seat)]
        move_on(books, win, Act.OUTRANK if better else Act.ASK, by)
        if not better:
            win.asked_at, win.asked_by, win.asker = books.heads[win.jackpot_id].now, str(by), person_of(by)
            win.save(update_fields=["asked_at", "asked_by", "asker"])
            standing.append(win)
    return standing


def refuse_unassigned(wins: Iterable[Win], place: RoundRef) -> None:
    """A lit key is a hit of at least one seat; nobody can be asked to approve it before the seats are said."""
    names = list(dict.fromkeys(win.line_name for win in wins if win.seat == LIT and win.state == WinState.MARKED))
    if names:
        raise NotAllowedNow(
            f"Say on the pit page which seats hold {' and '.join(names)} in round {place.round_number} at "
            f"{place.table_code}. Until then nobody can be asked for it.",
            "seats_missing",
        )


def reject(books: Books, place: RoundRef, by: Actor, why: str) -> list[Win]:
    """Not confirmed: what was asked for falls, nothing moved."""
    asked = list(wins_of(place).filter(state=WinState.ASKED).select_for_update())
    if not asked:
        raise NotAllowedNow(f"Nothing is asked for at {place.table_code}.")
    for win in asked:
        move_on(books, win, Act.REJECT, by, why)
    return asked


def fall(books: Books, place: RoundRef, by: Actor) -> list[Win]:
    """A void round's marks fall; what is approved must be backed out first."""
    standing = list(wins_of(place).filter(state__in=STANDING).select_for_update())
    for win in standing:
        if after(WinState(win.state), Act.VOID) is None:
            what = f"{win.line_name} at seat {win.seat} is {SPOKEN[WinState(win.state)]}"
            raise NotAllowedNow(f"{what}. Two people back it out first; then the round is voided.", "not_now")
        move_on(books, win, Act.VOID, by)
    return standing


def _rank(win: Win) -> tuple[int, int, int]:
    return win.jackpot_id, win.seat, win.version.value.pay_table.rank(win.line)
