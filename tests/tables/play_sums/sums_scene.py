"""What was played, asked of the rounds alone: beside it stands what the sums say."""

from __future__ import annotations

from typing import Any, Final

from django.db import connection, transaction

from tables.play_sums.queries import PLAYED_BY_TIME, PLAYED_BY_WAGER, PLAYED_HANDS

SEATS: Final = ", ".join(f"sum((position('{seat}' in p.seats) > 0)::int)" for seat in range(1, 10))
ROUNDS: Final = f"""
SELECT t.code, p.day, p.wager, p.chip, count(*), sum(length(p.seats)), {SEATS} FROM (
  SELECT r.table_id, r.gaming_day AS day, '' AS wager, r.wager AS chip, r.seats FROM tables_round r
   WHERE r.state <> 'void'
   UNION ALL
  SELECT r.table_id, r.gaming_day, f.wager, f.chip, f.seats FROM tables_round r JOIN tables_furthercoinin f
      ON f.table_id = r.table_id AND f.number = r.number AND f.revision = r.revision WHERE r.state <> 'void'
) p JOIN tables_table t ON t.id = p.table_id WHERE p.day BETWEEN %(first)s AND %(last)s GROUP BY 1, 2, 3, 4
"""
_NAMES: Final = ", ".join(f"sum(p.seat_{seat})" for seat in range(1, 10))
SUMS: Final = f"""
SELECT p.table_code, p.gaming_day, p.wager, p.chip, sum(p.rounds), sum(p.chips), {_NAMES}
  FROM ({PLAYED_BY_WAGER}) p GROUP BY 1, 2, 3, 4
"""
MINUTES: Final = """
SELECT t.code, p.day, date_bin('30 minutes', p.at AT TIME ZONE h.time_zone, timestamp '2000-01-01'), sum(p.rounds),
       sum(length(p.seats)), sum(length(p.seats) * p.chip) FROM (
  SELECT r.table_id, r.gaming_day AS day, r.opened_at AS at, r.wager AS chip, r.seats, 1 AS rounds FROM tables_round r
   WHERE r.state <> 'void'
   UNION ALL
  SELECT r.table_id, r.gaming_day, r.opened_at, f.chip, f.seats, 0 FROM tables_round r JOIN tables_furthercoinin f
      ON f.table_id = r.table_id AND f.number = r.number AND f.revision = r.revision WHERE r.state <> 'void'
) p JOIN tables_table t ON t.id = p.table_id JOIN jackpot_property h ON h.id = t.premises_id
 WHERE p.day BETWEEN %(first)s AND %(last)s GROUP BY 1, 2, 3
"""
TIMES: Final = f"""
SELECT p.table_code, p.gaming_day, date_bin('30 minutes', p.local, timestamp '2000-01-01'), sum(p.rounds),
       sum(p.chips), sum(p.coin_in) FROM ({PLAYED_BY_TIME}) p GROUP BY 1, 2, 3
"""
DEALT: Final = """
SELECT p.gaming_day, t.code, count(*), sum(length(p.seats)), count(DISTINCT
         date_bin('30 minutes', p.opened_at AT TIME ZONE h.time_zone, timestamp '2000-01-01')), t.seats
  FROM tables_round p JOIN tables_table t ON t.id = p.table_id JOIN jackpot_property h ON h.id = t.premises_id
 WHERE p.state <> 'void' AND t.wagers = 1 AND p.gaming_day BETWEEN %(first)s AND %(last)s GROUP BY 1, 2, 6
"""
EVERY: Final = {"first": "2000-01-01", "last": "2100-01-01", "table": ""}


def both(house: int, **asked: Any) -> tuple[list[Any], list[Any]]:
    """What sums say and what the rounds come to: of wagers with seats, of half hours, of hands. In one snapshot."""
    values = {**EVERY, "house": house, **asked}
    with transaction.atomic(), connection.cursor() as cursor:
        found = []
        for statement in (SUMS, ROUNDS, TIMES, MINUTES, PLAYED_HANDS, DEALT):
            cursor.execute(statement, values)
            found.append(sorted(cursor.fetchall()))
    by_wager, rounds, by_time, minutes, hands, dealt = found
    return [by_wager, by_time, hands], [rounds, minutes, dealt]


def agree(house: int, **asked: Any) -> bool:
    told, plain = both(house, **asked)
    assert told == plain
    return True
