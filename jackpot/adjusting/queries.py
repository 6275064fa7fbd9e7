"""What of a meter is the house's own."""

from __future__ import annotations

from typing import Final

from django.db import connection

from jackpot.books.actions.post import in_force
from jackpot.books.models.entry import Entry
from jackpot.money import Money, units_of

# What the last reset posted, or the house advanced to a meter that an award left dry; a back-out takes its win away.
POSTED: Final = """
SELECT posted FROM (
  SELECT w.award_seq, coalesce((w.paper->'drawn'->>'seed')::numeric, 0)
         + coalesce((w.paper->'drawn'->>'advance')::numeric, 0) AS posted
    FROM jackpot_win w WHERE w.jackpot_id = %s AND w.award_seq IS NOT NULL AND w.state IN ('owed', 'paid')) resets
 WHERE posted > 0 ORDER BY award_seq DESC LIMIT 1
"""


def seed_in_meter(jackpot_id: int) -> Money:
    """The seed that lies in this meter: of its last reset, else of its first entry.

    Terms that came into force since have posted none yet: theirs is that of the next reset.
    """
    with connection.cursor() as cursor:
        cursor.execute(POSTED, [jackpot_id])
        row = cursor.fetchone()
    if row is not None:
        return Money(units_of(row[0]))
    first = Entry.objects.get(jackpot_id=jackpot_id, seq=1)
    return in_force(first.version_id).terms.seed
