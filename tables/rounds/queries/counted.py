"""What a round is counted on: its entries, and which jackpots an act on it must lock."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from jackpot.database.raw import Question, ask_together
from jackpot.refusals import NotFound
from tables.rounds.models.round import Round, RoundEntry

# A table may have been linked to other jackpots since; its round's entries say where the money went.
JACKPOTS_OF_ROUND: Final = """ARRAY(
  SELECT l.jackpot_id FROM tables_link l WHERE l.table_id = t.id
   UNION
  SELECT e.jackpot_id FROM tables_round r
    JOIN tables_roundentry e ON e.table_id = r.table_id AND e.number = r.number AND e.revision = r.revision
   WHERE r.table_id = t.id AND r.number = %s
)"""
# (jackpots, seats) of the further wagers that were played in a round r, as it counts now; null where there are none.
FURTHER_OF_ROUND: Final = """(
  SELECT jsonb_agg(jsonb_build_array(f.jackpots, f.seats) ORDER BY f.place)::text
    FROM tables_furthercoinin f
   WHERE f.table_id = r.table_id AND f.number = r.number AND f.revision = r.revision)"""
ASKED: Final = f"SELECT {JACKPOTS_OF_ROUND} FROM tables_table t WHERE t.code = %s"


def jackpots_of_round(table_code: str, round_number: int) -> Sequence[int]:
    """Those that the table feeds now and those that the round was counted on; an unknown table is refused."""
    asked: Question = (ASKED, (round_number, table_code))
    rows = ask_together([asked])[0]
    if not rows:
        raise NotFound(f"There is no table {table_code} here.", "no_table")
    jackpots: Sequence[int] = rows[0][0]
    return jackpots


def coin_in_entries(round_: Round) -> list[tuple[int, int]]:
    """(jackpot, seq) of the entries that the round is counted on now, the highest jackpot first."""
    rows = RoundEntry.objects.filter(table_id=round_.table_id, number=round_.number, revision=round_.revision)
    return list(rows.order_by("level").values_list("jackpot_id", "seq"))
