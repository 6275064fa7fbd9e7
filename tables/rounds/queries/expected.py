"""Tables beside what is expected of them: the hours that are over, and the one that runs."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from babel.numbers import get_currency_precision
from django.db import connection

from jackpot.money import ZERO, Money, units_of
from jackpot.property.models.property import Property
from tables.floor.models.table import FurtherWager, Table
from tables.rounds.models.play_hour import PlayHour
from tables.rounds.rules.expectation import MOST_HISTORY, bound, ceiling, expectation

HOUR: Final = timedelta(hours=1)
# Rounds beyond the last that was counted, by the hour they were played in; what was void or never counted is no play.
# At a table that nobody has looked at yet the newest rounds of some days are enough to begin with.
HOURS: Final = """
WITH seen AS (
  SELECT t.id, coalesce(
    (SELECT max(h.last_round) FROM tables_playhour h WHERE h.table_id = t.id),
    (SELECT max(r.number) - 3000 FROM tables_round r WHERE r.table_id = t.id)) AS last_round
    FROM tables_table t WHERE t.premises_id = %(house)s AND (%(table)s = 0 OR t.id = %(table)s)
)
SELECT r.table_id, date_trunc('hour', coalesce(r.played_at, r.opened_at)) AS began, count(*), max(r.number),
       sum(r.wager * length(r.seats) + coalesce(
         (SELECT sum(f.chip * length(f.seats)) FROM tables_furthercoinin f
           WHERE f.table_id = r.table_id AND f.number = r.number AND f.revision = r.revision), 0))
  FROM seen s JOIN tables_round r ON r.table_id = s.id AND r.number > s.last_round
 WHERE r.state <> 'void' AND r.kept_back NOT IN ('waiting', 'refused')
 GROUP BY 1, 2 ORDER BY 1, 2
"""
HISTORY: Final = """
SELECT x.id, count(h.coin_in), coalesce(sum(h.coin_in), 0)
  FROM unnest(%(tables)s::bigint[]) x(id) CROSS JOIN LATERAL (
    SELECT coin_in FROM tables_playhour WHERE table_id = x.id AND NOT above AND begins_at < %(before)s
     ORDER BY begins_at DESC LIMIT %(most)s) h
 GROUP BY 1
"""


@dataclass(frozen=True, slots=True)
class HourOfPlay:
    """What one table took in within an hour, counted just now."""

    table_id: int
    began: datetime
    rounds: int
    last_round: int
    coin_in: Money


@dataclass(frozen=True, slots=True)
class TableExpectation:
    """What an hour of a table is held against."""

    expected: Money | None
    bound: Money


def hours_of_play(house: Property, table: Table | None = None) -> list[HourOfPlay]:
    """Of every table of a house, or of one: the hours that were not written down yet, the running one with them."""
    with connection.cursor() as cursor:
        cursor.execute(HOURS, {"house": house.pk, "table": table.pk if table else 0})
        return [
            HourOfPlay(table_id, began, count, last, Money(units_of(total)))
            for table_id, began, count, last, total in cursor.fetchall()
        ]


def expectations(tables: Collection[Table], house: Property, before: datetime) -> dict[int, TableExpectation]:
    """Of each by the hours before: those beyond reason are no measure of what is reasonable. Two questions for all."""
    ids = [table.pk for table in tables]
    chips: dict[int, list[Money]] = {table.pk: [Money(units_of(table.wager))] for table in tables}
    for table_id, chip in FurtherWager.objects.filter(table__in=ids).values_list("table_id", "chip"):
        chips[table_id].append(Money(units_of(chip)))
    with connection.cursor() as cursor:
        cursor.execute(HISTORY, {"tables": ids, "before": before, "most": MOST_HISTORY})
        history = {table_id: (count, Money(units_of(total))) for table_id, count, total in cursor.fetchall()}
    held = {}
    for table in tables:
        expected = expectation(*history.get(table.pk, (0, ZERO)), get_currency_precision(house.currency))
        most = ceiling(chips[table.pk], table.most_in_ten, table.seats, table.most_seats)
        held[table.pk] = TableExpectation(expected, bound(expected, house.unreasonable_share, most))
    return held


@dataclass(frozen=True, slots=True)
class RunningHour:
    """A table's hour as it stands now."""

    table: Table
    coin_in: Money
    held: TableExpectation

    @property
    def above(self) -> bool:
        return self.coin_in > self.held.bound

    @property
    def words(self) -> str:
        expected = self.held.expected
        told = f"{expected} expected by its own hours" if expected else "all that its game can be dealt"
        fed = ", ".join(self.table.jackpots.order_by("code").values_list("code", flat=True).distinct())
        feeds = f" It feeds {fed}." if fed else ""
        return (
            f"{self.table.code} took in {self.coin_in} within an hour, with {told}: more than {self.held.bound}.{feeds}"
        )


def running_hours(house: Property, now: datetime, table: Table | None = None) -> list[RunningHour]:
    """The tables of a house that play now; nothing where the house does not ask."""
    if not house.unreasonable_share:
        return []
    # As the statement cuts its hours.
    begins = now.replace(minute=0, second=0, microsecond=0)
    counted = {each.table_id: each for each in hours_of_play(house, table) if each.began == begins}
    tables = list(Table.objects.filter(pk__in=counted).order_by("code"))
    held = expectations(tables, house, begins)
    return [RunningHour(each, counted[each.pk].coin_in, held[each.pk]) for each in tables]


def lately_above(house: Property, now: datetime) -> list[RunningHour]:
    """What was beyond reason in the hour before: an hour that turns ends no alarm."""
    since = now.replace(minute=0, second=0, microsecond=0) - HOUR
    rows = PlayHour.objects.filter(table__premises=house, above=True, begins_at__gte=since).select_related("table")
    return [
        RunningHour(
            row.table, row.coin_in_money,
            TableExpectation(Money(units_of(row.expected)) if row.expected is not None else None,
                             Money(units_of(row.bound))),
        )
        for row in rows
    ]  # fmt: skip
