"""What was frozen for a round's hits on one jackpot: the basis as a page can recompute it."""

from __future__ import annotations

from collections.abc import Sequence

from jackpot.books.actions.post import Books, LockedJackpot
from jackpot.books.actions.waiting import reset_terms
from jackpot.terms.rules.terms import Terms
from jackpot.wins.actions.queue import mark_of
from jackpot.wins.actions.standing import Standing, Stood, stood_at
from jackpot.wins.models import Win
from jackpot.wins.rules.rank import frozen_entry, rank
from jackpot.wins.rules.settlement import Hit, Pot


def frozen_seq(wins: Sequence[Win], terms: Terms, last_seq: int) -> int:
    """The round's earliest standing mark of a part, or by switch the newest entry at approval."""
    if terms.policy.freeze == "approval" and not any(win.logged_at for win in wins):
        return last_seq
    return frozen_entry(map(mark_of, wins))


def pot_of(books: Books, jackpot_id: int, wins: Sequence[Win], frozen: int, standing: Standing) -> Pot:
    """Meter and reserve after the frozen entry of these hits, and what hits ranked before them have moved since."""
    head = books.heads[jackpot_id]
    live, stood = head.balances, _stood(head, wins, frozen, standing)
    by = reset_terms(books, jackpot_id) if jackpot_id in standing.waiting else books.terms(jackpot_id)
    return Pot(
        live, stood.meter + stood.meter_moved, max(stood.reserve + stood.reserve_moved, 0),
        max(live.overflow - stood.overflow, 0), by, books.terms(jackpot_id),
    )  # fmt: skip


def _stood(head: LockedJackpot, wins: Sequence[Win], frozen: int, standing: Standing) -> Stood:
    """The newest entry may be one that this act has posted and nobody has written yet."""
    if frozen == head.last_seq:
        return Stood(head.balances.meter, head.balances.reserve, head.balances.overflow, 0, 0)
    known = standing.stood.get((head.id, frozen))
    return known or stood_at(head.id, frozen, rank(map(mark_of, wins)), part=any(win.part for win in wins))


def hits_of(wins: Sequence[Win], terms: Terms) -> list[Hit]:
    return [Hit(win.seat, terms.pay_table.line(win.line), fixed=win.amount_money) for win in wins]
