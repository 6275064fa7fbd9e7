"""What was played, out of sums where they hold and out of rounds where none does: always what the rounds come to.

Each of these is one SELECT that may stand in another. It names `%(house)s`, `%(first)s`, `%(last)s` (gaming days) and
`%(table)s` (a code; an empty text means all). No sum is asked by whoever signs, closes or proves: they count rounds.
"""

from __future__ import annotations

from typing import Final

from tables.play_sums.models import SEAT_NAMES, SEATS

# An old house is added up before its sums are asked.
_BEGUN: Final = "EXISTS (SELECT FROM tables_sumsbegun)"
# Half hours tell a shift where every shift begins with one, by a clock that differs from the world's by whole ones.
_CLOCKS_FROM: Final = "2000-01-01"  # before, some clocks differed by odd minutes, and nobody played
_IN_HALVES: Final = f"""{_BEGUN}
  AND NOT EXISTS (SELECT FROM jackpot_datedshifts d, unnest(d.minutes) AS n(begins)
                   WHERE d.premises_id = %(house)s AND n.begins %% 30 <> 0)
  AND NOT EXISTS (SELECT FROM jackpot_property p,
                         (VALUES (greatest(%(first)s::date, '{_CLOCKS_FROM}')), (%(last)s::date)) AS n(day)
                   WHERE p.id = %(house)s AND extract(
                     minute FROM n.day::timestamp AT TIME ZONE p.time_zone AT TIME ZONE 'UTC') %% 30 <> 0)"""
_DAYS: Final = "BETWEEN %(first)s AND %(last)s"
_ROUND: Final = "r.table_id, r.gaming_day, r.number, r.revision, r.opened_at, r.seats, r.wager"


def _standing(summed: str) -> str:
    """`days`: of which table and day a sum holds. `loose`: the rounds that count and that no such sum has in it."""
    return f"""
summed(here) AS MATERIALIZED (SELECT {summed}),
places AS MATERIALIZED (
  SELECT t.id, t.code FROM tables_table t
   WHERE t.premises_id = %(house)s AND (%(table)s = '' OR t.code = %(table)s)
),
days AS MATERIALIZED (
  SELECT d.table_id, d.gaming_day, d.first, d.last, d.changes = coalesce(c.changes, 0) AS holds
    FROM tables_summedplay d JOIN places t ON t.id = d.table_id
    LEFT JOIN (
      SELECT gaming_day, table_id, count(*) AS changes FROM tables_changedplay WHERE gaming_day {_DAYS} GROUP BY 1, 2
    ) c ON c.gaming_day = d.gaming_day AND c.table_id = d.table_id
   WHERE d.gaming_day {_DAYS} AND (SELECT here FROM summed)
),
loose AS MATERIALIZED (
  SELECT {_ROUND} FROM places t
    LEFT JOIN LATERAL (
      SELECT p.last FROM tables_summedplay p WHERE p.table_id = t.id ORDER BY p.last DESC LIMIT 1) upto ON true
   CROSS JOIN LATERAL (
      SELECT * FROM tables_round r WHERE r.table_id = t.id AND r.number > coalesce(upto.last, 0) OFFSET 0) r
   WHERE r.gaming_day {_DAYS} AND r.state <> 'void' AND (SELECT here FROM summed)
   UNION ALL
  SELECT {_ROUND} FROM days d
   CROSS JOIN LATERAL (
      SELECT * FROM tables_round r WHERE r.table_id = d.table_id AND r.number BETWEEN d.first AND d.last OFFSET 0) r
   WHERE NOT d.holds AND r.gaming_day = d.gaming_day AND r.state <> 'void'
   UNION ALL
  SELECT {_ROUND} FROM tables_round r JOIN places t ON t.id = r.table_id
   WHERE r.gaming_day {_DAYS} AND r.state <> 'void' AND NOT (SELECT here FROM summed)
),
further AS MATERIALIZED (
  SELECT r.table_id, r.gaming_day, r.opened_at, f.wager AS code, f.chip, f.seats
    FROM loose r JOIN tables_furthercoinin f
      ON f.table_id = r.table_id AND f.number = r.number AND f.revision = r.revision
)"""


_SEATS: Final = ", ".join(f"count(*) FILTER (WHERE strpos(r.seats, '{seat}') > 0) AS seat_{seat}" for seat in SEATS)
# (table_code, gaming_day, wager, chip, rounds, chips, seat_1 … seat_9): the first wager of a table has no code.
PLAYED_BY_WAGER: Final = f"""
WITH {_standing(_BEGUN)}
SELECT t.code AS table_code, w.* FROM places t JOIN (
  SELECT s.table_id, s.gaming_day, s.wager, s.chip, s.rounds, s.chips, {", ".join(f"s.{name}" for name in SEAT_NAMES)}
    FROM tables_summedwager s JOIN days d ON d.gaming_day = s.gaming_day AND d.table_id = s.table_id
   WHERE s.gaming_day {_DAYS} AND d.holds AND s.rounds > 0
   UNION ALL
  SELECT r.table_id, r.gaming_day, '', r.wager, count(*), sum(length(r.seats)), {_SEATS} FROM loose r GROUP BY 1, 2, 4
   UNION ALL
  SELECT r.table_id, r.gaming_day, r.code, r.chip, count(*), sum(length(r.seats)), {_SEATS}
    FROM further r GROUP BY 1, 2, 3, 4
) w ON w.table_id = t.id
"""
# (gaming_day, table_code, hands, chips, half_hours, seats): of tables with one wager. How many players a round had
# that takes several, no sum knows.
PLAYED_HANDS: Final = f"""
WITH {_standing(_IN_HALVES)},
of_one AS MATERIALIZED (SELECT t.id, t.code, t.seats FROM tables_table t JOIN places p USING (id) WHERE t.wagers = 1),
hands AS (
  SELECT s.table_id, s.gaming_day, s.rounds, s.chips
    FROM tables_summedwager s JOIN days d ON d.gaming_day = s.gaming_day AND d.table_id = s.table_id
   WHERE s.gaming_day {_DAYS} AND d.holds AND s.rounds > 0 AND s.wager = ''
   UNION ALL
  SELECT r.table_id, r.gaming_day, count(*), sum(length(r.seats)) FROM loose r GROUP BY 1, 2
),
halves AS (
  SELECT x.table_id, x.gaming_day, count(DISTINCT
           date_bin('30 minutes', x.at AT TIME ZONE p.time_zone, timestamp '2000-01-01')) AS half_hours
    FROM jackpot_property p CROSS JOIN (
    SELECT s.table_id, s.gaming_day, s.begins_at AS at
      FROM tables_summedhalfhour s JOIN days d ON d.gaming_day = s.gaming_day AND d.table_id = s.table_id
     WHERE s.gaming_day {_DAYS} AND d.holds AND s.rounds > 0
     UNION ALL
    SELECT r.table_id, r.gaming_day, r.opened_at FROM loose r
  ) x WHERE p.id = %(house)s GROUP BY 1, 2
)
SELECT h.gaming_day, t.code AS table_code, sum(h.rounds) AS hands, sum(h.chips) AS chips,
       max(n.half_hours) AS half_hours, t.seats
  FROM of_one t JOIN hands h ON h.table_id = t.id
  JOIN halves n ON n.table_id = h.table_id AND n.gaming_day = h.gaming_day
 GROUP BY 1, 2, t.seats
"""
# (table_code, gaming_day, local, roll, rounds, chips, coin_in): by half hours where these tell shifts, else by minutes.
PLAYED_BY_TIME: Final = f"""
WITH {_standing(_IN_HALVES)}
SELECT t.code AS table_code, h.gaming_day, date_trunc('minute', h.at AT TIME ZONE p.time_zone) AS local,
       p.day_roll_minutes AS roll, sum(h.rounds) AS rounds, sum(h.chips) AS chips, sum(h.coin_in) AS coin_in
  FROM places t JOIN jackpot_property p ON p.id = %(house)s JOIN (
    SELECT s.table_id, s.gaming_day, s.begins_at AS at, s.rounds, s.chips, s.coin_in
      FROM tables_summedhalfhour s JOIN days d ON d.gaming_day = s.gaming_day AND d.table_id = s.table_id
     WHERE s.gaming_day {_DAYS} AND d.holds AND s.rounds > 0
     UNION ALL
    SELECT r.table_id, r.gaming_day, date_trunc('minute', r.opened_at), count(*), sum(length(r.seats)),
           sum(length(r.seats) * r.wager)
      FROM loose r GROUP BY 1, 2, 3
     UNION ALL
    SELECT r.table_id, r.gaming_day, date_trunc('minute', r.opened_at), 0, sum(length(r.seats)),
           sum(length(r.seats) * r.chip)
      FROM further r GROUP BY 1, 2, 3
  ) h ON h.table_id = t.id
 GROUP BY 1, 2, 3, 4
"""
