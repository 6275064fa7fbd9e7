"""What entries moved on gaming days, by jackpot and kind, without reading coin-ins one by one.

The days of a jackpot rise with its numbers, so a stretch whose ends lie on one day is of that day: a longer one is cut
in halves, at the ends of days that rolled first. What a stretch moved is the difference of the balances at its ends;
what acts moved in it is read, and the rest are its coin-ins.
"""

from __future__ import annotations

from typing import Final

from jackpot.books.rules.movement import ACCOUNTS


def _entry(jackpot: str, seq: str, columns: str) -> str:
    """One entry by its key, whatever the planner thinks of how many there are."""
    return f"(SELECT {columns} FROM jackpot_entry e WHERE e.jackpot_id = {jackpot} AND e.seq = {seq} OFFSET 0)"


def _listed(template: str) -> str:
    return ", ".join(template.format(account=account) for account in ACCOUNTS)


_SPAN: Final = f"""CROSS JOIN LATERAL {_entry("c.jackpot_id", "c.low", "e.gaming_day")} low_end
  CROSS JOIN LATERAL {_entry("c.jackpot_id", "c.high", "e.gaming_day")} high_end"""
_MOVED: Final = "high_end.{account}_after - coalesce(before.{account}_after, 0) AS {account}"
# (jackpot_id, jackpot, day, kind, entries and the accounts). It names `house`, `jackpot`, `first` and `last`.
# Coin-ins are the stretch less its acts: where a day had acts alone none are left, and no row says so.
MOVED_BY_KIND: Final = f"""
WITH RECURSIVE heads AS MATERIALIZED (
  SELECT j.id, j.code, e.seq FROM jackpot_jackpot j
   CROSS JOIN LATERAL (SELECT e.seq FROM jackpot_entry e WHERE e.jackpot_id = j.id ORDER BY e.seq DESC LIMIT 1) e
   WHERE j.premises_id = %(house)s AND (%(jackpot)s = '' OR j.code = %(jackpot)s)
),
cuts(jackpot_id, seq) AS (
  SELECT id, 0::bigint FROM heads
   UNION
  SELECT id, seq FROM heads
   UNION
  SELECT h.id, s.last_seq FROM heads h JOIN accounting_daysnapshot s ON s.jackpot_id = h.id
   WHERE s.day BETWEEN %(first)s::date - 1 AND %(last)s AND s.last_seq > 0 AND s.last_seq < h.seq
),
spans(jackpot_id, low, high, low_day, high_day) AS (
  SELECT c.jackpot_id, c.low, c.high, low_end.gaming_day, high_end.gaming_day
    FROM (SELECT jackpot_id, lag(seq) OVER (PARTITION BY jackpot_id ORDER BY seq) + 1 AS low, seq AS high FROM cuts) c
    {_SPAN}
   UNION ALL
  SELECT c.jackpot_id, c.low, c.high, low_end.gaming_day, high_end.gaming_day
    FROM (
      SELECT s.jackpot_id, half.low, half.high
        FROM spans s CROSS JOIN LATERAL (
          VALUES (s.low, (s.low + s.high) / 2), ((s.low + s.high) / 2 + 1, s.high)) AS half(low, high)
       WHERE s.low_day <> s.high_day AND s.high_day >= %(first)s AND s.low_day <= %(last)s
    ) c
    {_SPAN}
),
days AS MATERIALIZED (
  SELECT s.jackpot_id, s.low_day AS day, s.low, s.high, {_listed(_MOVED)} FROM spans s
   CROSS JOIN LATERAL {_entry("s.jackpot_id", "s.high", _listed("e.{account}_after"))} high_end
    LEFT JOIN LATERAL {_entry("s.jackpot_id", "s.low - 1", _listed("e.{account}_after"))} before ON true
   WHERE s.low_day = s.high_day AND s.low_day BETWEEN %(first)s AND %(last)s
),
acts AS MATERIALIZED (
  SELECT d.jackpot_id, d.day, a.* FROM days d CROSS JOIN LATERAL (
    SELECT e.kind, count(*) AS entries, {_listed("sum(e.{account}) AS {account}")} FROM jackpot_entry e
     WHERE e.jackpot_id = d.jackpot_id AND e.seq BETWEEN d.low AND d.high AND e.kind <> 'coin_in'
     GROUP BY e.kind OFFSET 0) a
)
SELECT m.jackpot_id, h.code AS jackpot, m.day, m.kind, sum(m.entries) AS entries,
       {_listed("sum(m.{account}) AS {account}")}
  FROM (
    SELECT d.jackpot_id, d.day, 'coin_in' AS kind, d.high - d.low + 1 AS entries, {_listed("d.{account}")} FROM days d
     UNION ALL
    SELECT a.jackpot_id, a.day, 'coin_in', -a.entries, {_listed("-a.{account}")} FROM acts a
     UNION ALL
    SELECT a.jackpot_id, a.day, a.kind, a.entries, {_listed("a.{account}")} FROM acts a
  ) m JOIN heads h ON h.id = m.jackpot_id
 GROUP BY 1, 2, 3, 4 HAVING sum(m.entries) > 0
"""
