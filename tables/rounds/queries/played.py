"""What was played in rounds, wager by wager: for lists, reports and the close, each wager counted once."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from tables.rounds.models.further import FurtherCoinIn
from tables.rounds.models.round import Round

# Each wager of the rounds r that a statement has found, as (wager, chip, seats); the first one has no code.
PLAYED: Final = """LATERAL (
  SELECT '' AS wager, r.wager AS chip, r.seats AS seats
   UNION ALL
  SELECT f.wager, f.chip, f.seats FROM tables_furthercoinin f
   WHERE f.table_id = r.table_id AND f.number = r.number AND f.revision = r.revision) played"""


def fetch_further(rounds: Collection[Round]) -> None:
    """Reads for all of them at once what they were played with beside the first wager."""
    if not rounds:
        return
    # A little more than was asked for may be read; pairs that belong to no round here are left lying.
    tables, numbers = ({getattr(each, name) for each in rounds} for name in ("table_id", "number"))
    found: dict[tuple[int, int, int], list[FurtherCoinIn]] = {}
    for row in FurtherCoinIn.objects.filter(table_id__in=tables, number__in=numbers).order_by("place"):
        found.setdefault((row.table_id, row.number, row.revision), []).append(row)
    for round_ in rounds:
        round_.further = found.get((round_.table_id, round_.number, round_.revision), [])
