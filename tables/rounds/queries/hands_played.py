"""How many hands a table dealt on its gaming days: what collections are reckoned from."""

from __future__ import annotations

from datetime import date
from typing import Final

from jackpot.database.raw import raw_cursor
from jackpot.property.models.property import Property
from tables.floor.rules.collection import PlayedHands

# A round that was voided was no hand. The index of rounds by gaming day finds the others. Whoever has a chip on any of
# several wagers is one player; a table with one wager asks nothing more.
HANDS: Final = """
SELECT r.gaming_day, t.code, count(*), sum(CASE WHEN t.wagers = 1 THEN length(r.seats) ELSE (
         SELECT count(DISTINCT seat) FROM regexp_split_to_table(r.seats || coalesce((
           SELECT string_agg(f.seats, '') FROM tables_furthercoinin f
            WHERE f.table_id = r.table_id AND f.number = r.number AND f.revision = r.revision), ''), '') seat
          WHERE seat <> '') END),
       count(DISTINCT date_bin('30 minutes', r.opened_at AT TIME ZONE p.time_zone, timestamp '2000-01-01')), t.seats
  FROM tables_round r JOIN tables_table t ON t.id = r.table_id JOIN jackpot_property p ON p.id = t.premises_id
 WHERE t.premises_id = %(premises)s AND r.gaming_day BETWEEN %(first)s AND %(last)s AND r.state <> 'void'
   AND t.wagers >= %(wagers)s
 GROUP BY r.gaming_day, t.code, t.seats
"""


def hands_played(
    premises: Property, first: date, last: date, *, wagers: int = 1
) -> dict[tuple[date, str], PlayedHands]:  # fmt: skip
    """By gaming day and table, of tables with so many wagers at least."""
    with raw_cursor() as cursor:
        cursor.execute(HANDS, {"premises": premises.pk, "first": first, "last": last, "wagers": wagers})
        return {(day, code): PlayedHands(hands, int(chips or 0), halves, seats)
                for day, code, hands, chips, halves, seats in cursor}  # fmt: skip
