"""Which jackpots an act on a round locks: those that the table feeds now, and those that the round was counted on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from jackpot.database.raw import Question, ask_together
from jackpot.refusals import NotFound
from tables.rounds.models.round import Round

# A table may have been linked to other jackpots since; its round's entries say where the money went.
FED: Final = """ARRAY(
  SELECT l.jackpot_id FROM tables_link l WHERE l.table_id = t.id
   UNION
  SELECT split_part(pair, '/', 1)::int
    FROM tables_round r CROSS JOIN LATERAL unnest(string_to_array(r.entries, ' ')) AS pair
   WHERE r.table_id = t.id AND r.number = %s
)"""
ASKED: Final = f"SELECT {FED} FROM tables_table t WHERE t.code = %s"


def jackpots_fed(table_code: str, round_number: int) -> Sequence[int]:
    """Of one round of a table; a table that is not known is refused."""
    asked: Question = (ASKED, (round_number, table_code))
    rows = ask_together([asked])[0]
    if not rows:
        raise NotFound(f"There is no table {table_code} here.", "no_table")
    fed: Sequence[int] = rows[0][0]
    return fed


def coin_in_entries(round_: Round) -> list[tuple[int, int]]:
    """(jackpot, seq) of the round's coin-in entries."""
    pairs = (pair.split("/") for pair in round_.entries.split())
    return [(int(jackpot_id), int(seq)) for jackpot_id, seq in pairs]
