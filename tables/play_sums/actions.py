"""Rounds that are over are added up beside the rounds, by the worker; whoever changes such a round says so.

A statement reads rounds and counts changes in one snapshot of the database. So a sum that was kept with a number of
changes is what the rounds come to in every snapshot with that number, whoever posts meanwhile: nothing is locked, and
a coin-in writes nothing.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import timedelta
from typing import Any, Final

from jackpot.database.raw import raw_cursor
from jackpot.errands.rules import Rhythm
from tables.floor.models.table import Table
from tables.play_sums.models import SEAT_NAMES, SEATS, ChangedPlay, SumsBegun
from tables.rounds.models.round import Round

RHYTHM: Final = Rhythm("sum play", every=timedelta(minutes=1), alarm_after=timedelta(hours=1))
AT_ONCE: Final = 200  # tables a statement
MOST: Final = 1_000  # rounds of each
LONGEST: Final = 60.0  # seconds; an old house goes on with the next turn

# Rounds, chips and chips by seat of those rounds that count; what was voided stays as a row of nothing.
_CHIPS: Final = "coalesce(sum(length(r.seats)) FILTER (WHERE r.stands), 0)"
_BY_SEAT: Final = ", ".join(f"count(*) FILTER (WHERE r.stands AND strpos(r.seats, '{seat}') > 0)" for seat in SEATS)
_COUNTED: Final = f"count(*) FILTER (WHERE r.stands), {_CHIPS}, {_BY_SEAT}"
_COIN_IN: Final = "coalesce(sum(length(r.seats) * {chip}) FILTER (WHERE r.stands), 0)"
_HALF: Final = "date_bin('30 minutes', r.opened_at, timestamptz '2000-01-01 00:00:00+00')"


def _on_conflict(conflict: str, *, adds: bool) -> str:
    """What becomes of a sum that is there: more is added to it, or it is told anew."""
    names = conflict.split()
    told = ", ".join(f"{name} = {f's.{name} + ' if adds else ''}EXCLUDED.{name}" for name in names)
    return f"DO UPDATE SET {told}"


def _summed(*, adds: bool) -> str:
    """Keeps what the rounds of `rounds` come to: by wager and seat, and by half hour."""
    wager_figures = " ".join(["rounds", "chips", *SEAT_NAMES])
    return f"""
wagers AS (
  INSERT INTO tables_summedwager AS s (gaming_day, table_id, wager, chip, {wager_figures.replace(" ", ", ")})
  SELECT r.gaming_day, r.table_id, '', r.wager, {_COUNTED} FROM rounds r GROUP BY 1, 2, 4
   UNION ALL
  SELECT r.gaming_day, r.table_id, r.code, r.chip, {_COUNTED} FROM further r GROUP BY 1, 2, 3, 4
  ON CONFLICT (gaming_day, table_id, wager, chip) {_on_conflict(wager_figures, adds=adds)}
),
halves AS (
  INSERT INTO tables_summedhalfhour AS s (gaming_day, table_id, begins_at, rounds, chips, coin_in)
  SELECT x.gaming_day, x.table_id, x.half, sum(x.rounds), sum(x.chips), sum(x.coin_in) FROM (
    SELECT r.gaming_day, r.table_id, {_HALF} AS half, count(*) FILTER (WHERE r.stands) AS rounds,
           {_CHIPS} AS chips, {_COIN_IN.format(chip="r.wager")} AS coin_in
      FROM rounds r GROUP BY 1, 2, 3
     UNION ALL
    SELECT r.gaming_day, r.table_id, {_HALF}, 0, {_CHIPS}, {_COIN_IN.format(chip="r.chip")}
      FROM further r GROUP BY 1, 2, 3
  ) x GROUP BY 1, 2, 3
  ON CONFLICT (gaming_day, table_id, begins_at) {_on_conflict("rounds chips coin_in", adds=adds)}
)"""


_FURTHER: Final = """
further AS MATERIALIZED (
  SELECT r.gaming_day, r.table_id, r.opened_at, r.stands, f.wager AS code, f.chip, f.seats
    FROM rounds r JOIN tables_furthercoinin f
      ON f.table_id = r.table_id AND f.number = r.number AND f.revision = r.revision
)"""
_COLUMNS: Final = "r.table_id, r.gaming_day, r.number, r.revision, r.opened_at, r.state, r.seats, r.wager"
# The rounds of each table behind its last sum, up to the one that is still open: a table has no gap and plays one
# round after the other, so what is added is whole.
EXTEND: Final = f"""
WITH fresh AS MATERIALIZED (
  SELECT {_COLUMNS}, min(r.number) FILTER (WHERE r.state = 'open') OVER (PARTITION BY r.table_id) AS running
    FROM unnest(%(tables)s::bigint[]) AS t(id)
    LEFT JOIN LATERAL (
      SELECT p.last FROM tables_summedplay p WHERE p.table_id = t.id ORDER BY p.last DESC LIMIT 1) upto ON true
   CROSS JOIN LATERAL (
      SELECT * FROM tables_round r WHERE r.table_id = t.id AND r.number > coalesce(upto.last, 0)
       ORDER BY r.number LIMIT %(most)s) r
),
rounds AS MATERIALIZED (
  SELECT r.*, r.state <> 'void' AS stands FROM fresh r WHERE r.running IS NULL OR r.number < r.running
),{_FURTHER},
changes AS (
  SELECT c.gaming_day, c.table_id, count(*) AS changes FROM tables_changedplay c
   WHERE c.table_id = ANY(%(tables)s::bigint[]) GROUP BY 1, 2
),
days AS (
  INSERT INTO tables_summedplay AS s (gaming_day, table_id, first, last, changes)
  SELECT r.gaming_day, r.table_id, min(r.number), max(r.number), coalesce(max(c.changes), 0)
    FROM rounds r LEFT JOIN changes c USING (gaming_day, table_id) GROUP BY 1, 2
  ON CONFLICT (gaming_day, table_id) DO UPDATE SET last = EXCLUDED.last
),{_summed(adds=True)}
SELECT coalesce(max(found), 0) FROM (SELECT count(*) AS found FROM rounds GROUP BY table_id) each
"""
# Sums of days on which a round was changed since are told anew.
RESTATE: Final = f"""
WITH changes AS (
  SELECT c.gaming_day, c.table_id, count(*) AS changes FROM tables_changedplay c GROUP BY 1, 2
),
stale AS MATERIALIZED (
  SELECT p.gaming_day, p.table_id, p.first, p.last, c.changes
    FROM changes c JOIN tables_summedplay p USING (gaming_day, table_id) WHERE p.changes <> c.changes
   ORDER BY 1, 2 LIMIT %(most)s
),
rounds AS MATERIALIZED (
  SELECT {_COLUMNS}, r.state <> 'void' AS stands
    FROM stale s JOIN tables_round r ON r.table_id = s.table_id AND r.number BETWEEN s.first AND s.last
     AND r.gaming_day = s.gaming_day
),{_FURTHER},
days AS (
  UPDATE tables_summedplay p SET changes = s.changes FROM stale s
   WHERE p.gaming_day = s.gaming_day AND p.table_id = s.table_id
),{_summed(adds=False)}
SELECT count(*) FROM stale
"""


def play_changed(round_: Round) -> None:
    """Said in the transaction that changes a round: what was added up of its table and day holds no more."""
    ChangedPlay.objects.create(table_id=round_.table_id, gaming_day=round_.gaming_day)


def sum_play() -> bool:
    """Every round that is over and in no sum yet; False where so much is left that it goes on with the next turn."""
    began = time.monotonic()
    with raw_cursor() as cursor:
        while _asked(cursor, RESTATE, {"most": AT_ONCE}) == AT_ONCE:
            pass
        tables = list(Table.objects.order_by("pk").values_list("pk", flat=True))
        for at in range(0, len(tables), AT_ONCE):
            some = tables[at : at + AT_ONCE]
            while _asked(cursor, EXTEND, {"tables": some, "most": MOST}) == MOST:
                if time.monotonic() - began > LONGEST:
                    return False
    if not SumsBegun.objects.exists():
        SumsBegun.objects.create()
    return True


def _asked(cursor: Any, statement: str, values: dict[str, int | Sequence[int]]) -> int:
    cursor.execute(statement, values)
    (found,) = cursor.fetchone()
    return int(found)
