"""What was frozen for a round's hits on one jackpot: the basis as a page can recompute it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from jackpot.actions.post import Books
from jackpot.actions.raw import raw_cursor
from jackpot.actions.waiting import reset_terms
from jackpot.models import Entry, Win
from jackpot.money import units_of
from jackpot.rules.settlement import Hit, Pot
from jackpot.rules.terms import Terms

# Only entries of wins, by their small index: under full load there are ten thousand coin-ins a second beside them.
MOVED_SINCE: Final = """
SELECT coalesce(sum(e.meter), 0), coalesce(sum(e.reserve), 0)
  FROM jackpot_entry e JOIN jackpot_win w ON w.id = e.win_id
 WHERE e.jackpot_id = %s AND e.seq > %s AND e.win_id IS NOT NULL AND e.kind = 'award' AND w.ranked
"""


def frozen_seq(wins: Sequence[Win], terms: Terms, last_seq: int) -> int:
    """The round's earliest standing mark, or by switch the newest entry at approval."""
    if terms.policy.freeze == "approval" and not any(win.logged_at for win in wins):
        return last_seq
    return min(win.frozen_seq for win in wins)


def pot_of(books: Books, jackpot_id: int, frozen: int) -> Pot:
    """Meter and reserve after the frozen entry, and what hits ranked before have moved since."""
    head = books.heads[jackpot_id]
    stood = head.balances if frozen == head.last_seq else Entry.objects.get(jackpot_id=jackpot_id, seq=frozen).after
    with raw_cursor() as cursor:
        cursor.execute(MOVED_SINCE, [jackpot_id, frozen])
        row = cursor.fetchone()
    assert row is not None
    meter, reserve = map(units_of, row)
    overflow = max(head.balances.overflow - stood.overflow, 0)
    by = reset_terms(books, jackpot_id)
    return Pot(head.balances, stood.meter + meter, max(stood.reserve + reserve, 0), overflow, by)


def hits_of(wins: Sequence[Win], terms: Terms) -> list[Hit]:
    return [Hit(win.seat, terms.pay_table.line(win.line), fixed=win.amount_money) for win in wins]
