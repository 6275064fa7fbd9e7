"""Two people change the order in which hits are settled; who waits for whom is read in queries/queue.py."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from jackpot.books.actions.post import Books
from jackpot.books.rules.entry_kind import EntryKind
from jackpot.people.models import Card
from jackpot.refusals import NotAllowed, NotAllowedNow
from jackpot.wins.actions.life import note
from jackpot.wins.models import Signature, Win
from jackpot.wins.queries.of_round import wins_of
from jackpot.wins.queries.queue import let_pass_by, open_marks_of, stands_before
from jackpot.wins.rules.rank import passed_by
from jackpot.wins.rules.round_ref import RoundRef
from jackpot.wins.rules.win_life import OPEN, WinState

KEPT_IN_STEP = OPEN | {WinState.ASSIGNED}  # a lit key whose seats change passes its frozen entry on to the new ones


def pass_queue(books: Books, place: RoundRef, by: Sequence[Card], reason: str, *, file: str = "") -> list[Win]:
    """An executive and a second person let this round's hits pass the earlier ones: they take the front place."""
    asked = wins_of(place).filter(state=WinState.ASKED, part=True).select_related("version")
    wins = list(asked.select_for_update(of=("self",)))
    found = {jackpot_id: stands_before(jackpot_id, place) for jackpot_id in sorted({win.jackpot_id for win in wins})}
    firsts = {jackpot_id: first for jackpot_id, first in found.items() if first is not None}
    if not firsts:
        raise NotAllowedNow(f"Nothing stands before the hits at {place.table_code}. Approve them.", "no_queue")
    # Between J-POT and RUN its amounts are fixed: that nobody passes.
    logged = next((first for first in firsts.values() if first.state == WinState.LOGGED), None)
    if logged is not None:
        why = f"{logged.line_name} at {logged.table_code} is approved. Turn its key to RUN first."
        raise NotAllowedNow(why, "queue")
    passing = [win for win in wins if win.jackpot_id in firsts]
    for win in passing:
        win.front_seq = note(books, win, EntryKind.PASS_QUEUE, _names(by), reason, file=file)
        win.save(update_fields=["front_seq"])
        _sign(books, win, by, Signature.Part.OVERRIDE, win.front_seq, reason)
    return passing


def rejoin_queue(books: Books, place: RoundRef, by: Sequence[Card], reason: str) -> list[Win]:
    """The two who let this round's hits pass take their word back: the hits stand again where their marks rank them."""
    # By their ids: whoever else locks several of them takes them in the same order.
    open_hits = wins_of(place).filter(state__in=OPEN, front_seq__isnull=False)
    wins = list(open_hits.order_by("id").select_for_update(of=("self",)))
    if not wins:
        why = f"Nobody let round {place.round_number} at {place.table_code} pass. There is nothing to withdraw."
        raise NotAllowedNow(why, "not_passed")
    if any(win.state == WinState.LOGGED for win in wins):
        raise NotAllowedNow(f"The hits at {place.table_code} are approved. Turn the key to RUN.", "not_now")
    mine = [win for win in wins if {each.pk for each in let_pass_by([win])} == {card.operator_id for card in by}]
    if not mine:
        who = " and ".join(map(str, let_pass_by(wins[:1])))
        raise NotAllowed(f"{who} let it pass; only these two withdraw that.", "two_people")
    for win in mine:
        entry = _stand_back(books, win, _names(by), reason)
        _sign(books, win, by, Signature.Part.REJOIN, entry, reason)
    return mine


def stand_back(books: Books, place: RoundRef, by: str, reason: str) -> None:
    """A hit that is parked holds nobody up whom it had passed."""
    for win in wins_of(place).filter(state__in=OPEN, front_seq__isnull=False).order_by("id").select_for_update():
        _stand_back(books, win, by, reason)


def freeze_passed_anew(jackpot_id: int, place: RoundRef, frozen: int) -> None:
    """A hit that was passed counts from where the passing hit counted, and then from what that hit moved.

    docs/decisions/0002: the coin-ins after that entry build the next meter, as everywhere else.
    """
    for passed in passed_by(open_marks_of(jackpot_id).values(), place, frozen):
        assert isinstance(passed, RoundRef), "a mark stands at a round of a table"
        rows = wins_of(passed).filter(jackpot_id=jackpot_id, state__in=KEPT_IN_STEP, frozen_seq__lt=frozen)
        rows.update(frozen_seq=frozen)


def _stand_back(books: Books, win: Win, by: str, reason: str) -> int:
    win.front_seq = None
    win.save(update_fields=["front_seq"])
    return note(books, win, EntryKind.REJOIN, by, reason)


def _names(cards: Iterable[Card]) -> str:
    return " and ".join(str(card.operator) for card in cards)


def _sign(books: Books, win: Win, by: Iterable[Card], part: Signature.Part, entry: int, why: str) -> None:
    now = books.heads[win.jackpot_id].now
    for card in by:
        Signature.objects.create(
            win=win, operator=card.operator, card=card, level=card.level, part=part, at=now, why=why[:200], entry=entry
        )
