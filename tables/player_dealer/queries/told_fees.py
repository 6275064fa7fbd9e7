"""What was collected hand by hand: the fees of a house that were told with their action before the deal."""

from __future__ import annotations

from datetime import date
from typing import Final, NamedTuple

from jackpot.database.raw import raw_cursor
from jackpot.money import ZERO, Money, units_of
from jackpot.property.models.property import Property

# A hand counts with its round, on the round's day: told before the day's end and begun after it, it is of the new
# day. What was voided, or told and never begun, is no hand.
TOLD: Final = """
SELECT r.gaming_day, t.code, count(*), sum(h.fee), sum(length(r.seats))
  FROM tables_bankedhand h
  JOIN tables_table t ON t.id = h.table_id
  JOIN tables_round r ON r.table_id = h.table_id AND r.number = h.number AND r.state <> 'void'
 WHERE t.premises_id = %(premises)s AND r.gaming_day BETWEEN %(first)s AND %(last)s
 GROUP BY r.gaming_day, t.code
"""


class ToldFees(NamedTuple):
    """Of a table on a day: hands whose action was told, what was collected for them, chips of their rounds."""

    hands: int = 0
    fees: Money = ZERO
    chips: int = 0


def told_fees(premises: Property, first: date, last: date) -> dict[tuple[date, str], ToldFees]:
    """By gaming day and table."""
    with raw_cursor() as cursor:
        cursor.execute(TOLD, {"premises": premises.pk, "first": first, "last": last})
        return {
            (day, code): ToldFees(hands, Money(units_of(fees)), int(chips or 0))
            for day, code, hands, fees, chips in cursor
        }
