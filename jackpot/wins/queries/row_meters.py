"""The meters of every row of a jackpot: how often it was won, for how much, the largest, and the last of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from jackpot.books.models.jackpot import Jackpot
from jackpot.database.raw import ask_together
from jackpot.money import ZERO, Money, units_of

LAST: Final = 25
# What was backed out counts nowhere; envy and what a difference made up are paid for another's hit.
_COUNTS: Final = """jackpot_id = ANY(%s) AND state IN ('logged', 'owed', 'paid')
   AND envy_of_id IS NULL AND difference_of_id IS NULL"""
WON: Final = f"""
SELECT jackpot_id, line, max(line_name), count(*), sum(amount), max(amount), max(logged_at)
  FROM jackpot_win WHERE {_COUNTS} GROUP BY 1, 2
"""
LATEST: Final = f"""
SELECT jackpot_id, line, array_agg(amount ORDER BY slip DESC) FROM (
  SELECT jackpot_id, line, amount, slip, row_number() OVER (PARTITION BY jackpot_id, line ORDER BY slip DESC) AS place
    FROM jackpot_win WHERE {_COUNTS}
) newest WHERE place <= {LAST} GROUP BY 1, 2
"""


@dataclass(frozen=True, slots=True)
class RowMeter:
    """One row since the books began; without a hit there is nothing largest and nothing last."""

    code: str
    name: str
    hits: int = 0
    total: Money = ZERO
    largest: Money | None = None
    last_at: datetime | None = None
    last: tuple[Money, ...] = ()

    def plain(self) -> dict[str, Any]:
        return {
            "row": self.code, "hand": self.name, "hits": self.hits, "sum": str(self.total),
            "largest": None if self.largest is None else str(self.largest), "last": [str(each) for each in self.last],
        }  # fmt: skip


def row_meters_of(jackpots: Sequence[Jackpot]) -> dict[int, list[RowMeter]]:
    """Every row of the terms in force, won or not, and every other that was ever won; in one trip for all."""
    asked = [[jackpot.pk for jackpot in jackpots]]
    sums, latest = ask_together([(WON, asked), (LATEST, asked)])
    last = {(pk, line): tuple(Money(units_of(each)) for each in amounts) for pk, line, amounts in latest}
    won: dict[int, dict[str, RowMeter]] = defaultdict(dict)
    for pk, line, name, hits, total, largest, at in sums:
        paid = Money(units_of(total)), Money(units_of(largest))
        won[pk][line] = RowMeter(line, name, hits, *paid, at, last[pk, line])
    return {jackpot.pk: _rows(jackpot, won[jackpot.pk]) for jackpot in jackpots}


def _rows(jackpot: Jackpot, won: Mapping[str, RowMeter]) -> list[RowMeter]:
    lines = {line.code: line.name for line in jackpot.version.value.pay_table} if jackpot.version else {}
    in_force = [won.get(code, RowMeter(code, name)) for code, name in lines.items()]
    return [*in_force, *(won[code] for code in sorted(set(won) - set(lines)))]
