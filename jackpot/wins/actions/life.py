"""Marks and what becomes of them until somebody approves. Each is an entry of zero movement: its number is its rank."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Min, QuerySet

from jackpot.books.actions.pool import request_of
from jackpot.books.actions.post import About, Books
from jackpot.books.rules.movement import NOTHING
from jackpot.people.models import Operator
from jackpot.refusals import NotAllowedNow
from jackpot.terms.rules.paytable import PartOfMeter, PayLine
from jackpot.wins.models import Signature, Win
from jackpot.wins.rules.win_life import OPEN, SPOKEN, Act, WinState, after

LIT: Final = 0  # the seat of a hand key that is lit: the pit page says which seats it means


@dataclass(frozen=True, slots=True)
class Place:
    """A round of a table, as the books name it."""

    table_code: str
    round_number: int

    def __str__(self) -> str:
        return f"{self.table_code}/{self.round_number}"


def mark(books: Books, *, jackpot_id: int, version_id: int, place: Place, seat: int, line: PayLine, by: str) -> Win:
    """A hit of one seat on one jackpot; free to undo, kept for ever."""
    head = books.heads[jackpot_id]
    earlier = wins_of(place).filter(jackpot_id=jackpot_id, seat=seat)
    taken = earlier.filter(state__in=[WinState.LOGGED, WinState.OWED, WinState.PAID], envy_of=None).first()
    if taken is not None:
        raise NotAllowedNow(f"Seat {seat} already has {taken.line_name} of {head.code} in this round.", "awarded")
    win = Win.objects.create(
        jackpot_id=jackpot_id, version_id=version_id, table_code=place.table_code, round_number=place.round_number,
        seat=seat, line=line.code, line_name=line.name, part=isinstance(line.award, PartOfMeter),
        state=WinState.MARKED, mark_seq=head.last_seq + 1, frozen_seq=head.last_seq + 1, marked_at=head.now,
        marked_by=by,
    )  # fmt: skip
    note(books, win, "mark", by)
    return win


def move_on(books: Books, win: Win, act: Act, by: str, why: str = "") -> None:
    """Takes a win one step along its life and notes it in the books; a step that is not listed is refused."""
    state = after(WinState(win.state), act)
    if state is None:
        spoken = SPOKEN[WinState(win.state)]
        raise NotAllowedNow(f"{win.line_name} at seat {win.seat} is {spoken}; it cannot {act.value} now.", "not_now")
    win.state = state
    win.save(update_fields=["state"])
    note(books, win, act.value, by, why)


def note(
    books: Books, win: Win, kind: str, by: str, why: str = "", *, approved: Mapping[str, Any] | None = None
) -> None:  # fmt: skip
    """An entry of zero movement: no clock decides what came first, its number does."""
    request = request_of({"act": kind, "win": win.id, "by": by, "why": why, **(approved or {})})
    number = books.heads[win.jackpot_id].last_seq + 1  # a key may be turned back and forth: each time is an event
    about = About(
        key=f"{kind}/{win.id}/{number}",
        request=request,
        table_code=win.table_code,
        round_number=win.round_number,
        win_id=win.id,
    )
    books.post(win.jackpot_id, kind, NOTHING, about)


def ask(books: Books, place: Place, by: str) -> list[Win]:
    """CONFIRM or JPH: the round's marks are closed; of each seat the highest row stands, the others give way."""
    marked = list(
        wins_of(place).filter(state=WinState.MARKED).select_related("version").select_for_update(of=("self",))
    )
    if not marked:
        raise NotAllowedNow(f"Round {place.round_number} at {place.table_code} has no hit marked. Mark one first.")
    refuse_unassigned(marked, place)
    standing: list[Win] = []
    for win in sorted(marked, key=_rank):
        better = [other for other in standing if (other.jackpot_id, other.seat) == (win.jackpot_id, win.seat)]
        move_on(books, win, Act.OUTRANK if better else Act.ASK, by)
        if not better:
            win.asked_at = books.heads[win.jackpot_id].now
            win.save(update_fields=["asked_at"])
            standing.append(win)
    return standing


def refuse_unassigned(wins: Iterable[Win], place: Place) -> None:
    """A lit key is a hit of at least one seat; nobody can be asked to approve it before the seats are said."""
    names = list(dict.fromkeys(win.line_name for win in wins if win.seat == LIT and win.state == WinState.MARKED))
    if names:
        raise NotAllowedNow(
            f"Say on the pit page which seats hold {' and '.join(names)} in round {place.round_number} at "
            f"{place.table_code}. Until then nobody can be asked for it.",
            "seats_missing",
        )


def reject(books: Books, place: Place, by: str, why: str) -> list[Win]:
    """Not confirmed: what was asked for falls, nothing moved."""
    asked = list(wins_of(place).filter(state=WinState.ASKED).select_for_update())
    if not asked:
        raise NotAllowedNow(f"Nothing is asked for at {place.table_code}.")
    for win in asked:
        move_on(books, win, Act.REJECT, by, why)
    return asked


def fall(books: Books, place: Place, by: str) -> list[Win]:
    """A void round's marks fall; what is approved must be backed out first."""
    standing = list(wins_of(place).filter(state__in=OPEN | {WinState.OWED, WinState.PAID}).select_for_update())
    for win in standing:
        move_on(books, win, Act.VOID, by)
    return standing


def wins_of(place: Place) -> QuerySet[Win]:
    return Win.objects.filter(table_code=place.table_code, round_number=place.round_number)


def pass_queue(books: Books, place: Place, by: Sequence[Operator], reason: str) -> list[Win]:
    """An executive and a second person let this round's hits pass the earlier ones: an event of its own."""
    wins = list(wins_of(place).filter(state=WinState.ASKED).select_for_update())
    first = waits_for({win.jackpot_id for win in wins}, place)
    if first is None:
        raise NotAllowedNow(f"Nothing stands before the hits at {place.table_code}. Approve them.", "no_queue")
    if first.state == WinState.LOGGED:
        raise NotAllowedNow(f"{first.line_name} at {first.table_code} is approved. Turn its key to RUN first.", "queue")
    now = next(iter(books.heads.values())).now
    for win in wins:
        win.front = True
        win.save(update_fields=["front"])
        for operator in by:
            Signature.objects.create(
                win=win, operator=operator, level=0, part=Signature.Part.OVERRIDE, at=now, why=reason[:200]
            )
        note(books, win, "pass_queue", " and ".join(map(str, by)), reason)
    return wins


def freeze_passed_anew(jackpot_id: int, place: Place, frozen: int) -> None:
    """A hit that was passed counts from where the passing hit counted, and then from what that hit moved.

    docs/decisions/0002: the coin-ins after that entry build the next meter, as everywhere else.
    """
    mine = wins_of(place).filter(jackpot_id=jackpot_id)
    rank = mine.aggregate(first=Min("mark_seq"))["first"]
    for passed in ranked_before(jackpot_id, place, rank):
        rows = wins_of(Place(passed.table_code, passed.round_number))
        rows.filter(jackpot_id=jackpot_id, state__in=OPEN, frozen_seq__lt=frozen).update(frozen_seq=frozen)


def open_hits(place: Place) -> int:
    return wins_of(place).filter(state__in=OPEN).count()


def waits_for(jackpot_ids: Iterable[int], place: Place) -> Win | None:
    """The hit of another round that must be settled before this round's part of the meter."""
    found = (_stands_before(jackpot_id, place) for jackpot_id in sorted(jackpot_ids))
    return next((win for win in found if win is not None), None)


def _stands_before(jackpot_id: int, place: Place) -> Win | None:
    """A fixed award never waits; nobody counts between another's J-POT and RUN, when the meter has not moved yet."""
    standing = list(Win.objects.filter(jackpot_id=jackpot_id, state__in=OPEN).order_by("mark_seq"))
    mine = [win for win in standing if place_of(win) == place]
    others = [win for win in standing if place_of(win) != place]
    if not any(win.part for win in mine):
        return None
    fixed = [win for win in others if win.state == WinState.LOGGED and win.ranked]
    earlier = fixed or _parts_before(others, mine[0].mark_seq)
    if fixed or not earlier:
        return earlier[0] if earlier else None
    let_pass = any(win.front for win in mine) or mine[0].version.value.policy.freeze == "approval"
    return None if let_pass else earlier[0]


def place_of(win: Win) -> Place:
    return Place(win.table_code, win.round_number)


def ranked_before(jackpot_id: int, place: Place, rank: int) -> Sequence[Win]:
    """Open part-of-the-meter hits of other rounds whose round was marked earlier, first of all first."""
    others = Win.objects.filter(jackpot_id=jackpot_id, state__in=OPEN).exclude(
        table_code=place.table_code, round_number=place.round_number
    )
    return _parts_before(others.order_by("mark_seq"), rank)


def _parts_before(others: Iterable[Win], rank: int) -> Sequence[Win]:
    """Of each round that was marked before this rank, its first part of the meter; `others` come by their marks."""
    firsts: dict[Place, tuple[int, Win | None]] = {}
    for win in others:
        first, part = firsts.get(place_of(win), (win.mark_seq, None))
        firsts[place_of(win)] = (first, part or (win if win.part else None))
    before = [(first, win) for first, win in firsts.values() if win is not None and first < rank]
    return [win for _, win in sorted(before, key=lambda ranked: ranked[0])]


def _rank(win: Win) -> tuple[int, int, int]:
    return win.jackpot_id, win.seat, win.version.value.pay_table.rank(win.line)
