"""What the bank has to hold for all jackpots of a house, beside what the last statement said it held."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final

from django.db import connection

from accounting.days.models import BankBalance
from accounting.days.rules.reconcile import CoverNeeded
from jackpot.books.models.jackpot import Jackpot, Version
from jackpot.money import ZERO, Money, units_of
from jackpot.property.models.property import Property
from jackpot.property.rules.authority_change import grouped

# The numbers of a jackpot's entries rise with their time, so its last entry before a moment is found by halving: some
# twenty looks into the primary key, however long the books are.
LAST_ENTRIES: Final = """
WITH RECURSIVE halves(id, low, high) AS (
  SELECT j.id, 0::bigint, j.last_seq FROM jackpot_jackpot j
   WHERE j.premises_id = %(house)s AND (%(jackpot)s = '' OR j.code = %(jackpot)s)
  UNION ALL
  SELECT h.id, CASE WHEN e.occurred_at < %(at)s THEN e.seq ELSE h.low END,
         CASE WHEN e.occurred_at < %(at)s THEN h.high ELSE e.seq - 1 END
    FROM halves h JOIN jackpot_entry e ON e.jackpot_id = h.id AND e.seq = (h.low + h.high + 1) / 2
   WHERE h.low < h.high
)
"""
BALANCES: Final = f"""{LAST_ENTRIES}
SELECT h.id, e.version_id, e.meter_after, e.reserve_after, e.overflow_after, e.winners_after
  FROM halves h JOIN jackpot_entry e ON e.jackpot_id = h.id AND e.seq = h.low WHERE h.low = h.high AND h.low > 0
"""


@dataclass(frozen=True, slots=True)
class BankCover:
    """What each jackpot required when the last statement was typed, and that statement.

    A deposit follows play: what was won by the meters since then is asked of the next statement.
    """

    parts: Sequence[tuple[Jackpot, CoverNeeded]]
    statement: BankBalance | None

    @property
    def required(self) -> Money:
        return sum((part.amount for _, part in self.parts), ZERO)

    @property
    def balance(self) -> Money | None:
        return None if self.statement is None else Money(units_of(self.statement.amount))

    @property
    def missing(self) -> Money:
        """Nothing where nobody has typed a statement: then nothing is known."""
        return ZERO if self.balance is None else max(self.required - self.balance, ZERO)

    def sentence(self, today: date) -> str:
        """Required, held, how old the statement is, and what is missing."""
        if self.statement is None or self.balance is None:
            return (
                f"{grouped(self.required)} is required now. Nobody has typed a balance of the bank: do it at the close."
            )
        age = (today - self.statement.as_of).days
        told = f"{grouped(self.required)} was required and the bank held {grouped(self.balance)}"
        told = f"{told} on {self.statement.as_of:%a %d %b %Y},"
        told = f"{told} {age} day{'' if age == 1 else 's'} ago, typed by {self.statement.person}."
        return f"{told} {grouped(self.missing)} is missing." if self.missing else told


def bank_cover(premises: Property, now: datetime) -> BankCover:
    """By the formula of the close of a day. Without a statement: as the books stand now."""
    statement = BankBalance.objects.filter(premises=premises).select_related("person").order_by("as_of", "id").last()
    at = now if statement is None else statement.at
    with connection.cursor() as cursor:
        cursor.execute(BALANCES, {"house": premises.pk, "jackpot": "", "at": at})
        found = {row[0]: row[1:] for row in cursor.fetchall()}
    rows = Jackpot.objects.filter(pk__in=found).select_related("premises").order_by("code")
    versions = Version.objects.in_bulk({each[0] for each in found.values()})
    seeds = {version.pk: version.value.seed for version in versions.values()}
    return BankCover([(row, _needed(seeds, *found[row.pk])) for row in rows], statement)


def lock_statements(premises: Property) -> None:
    """Until the end of this act nobody else types a statement of this house, nor judges by one.

    No row is locked for it: the worker, who judges, may write none of the house's.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtext('statements of the bank'), %s)", [premises.pk])


def _needed(seeds: Mapping[int, Money], version: int, *balances: Any) -> CoverNeeded:
    """By the terms of that moment: whoever alters a seed afterwards alters nothing of what had to be there."""
    meter, reserve, overflow, winners = (Money(units_of(each)) for each in balances)
    return CoverNeeded(meter, seeds[version], reserve, overflow, winners)
