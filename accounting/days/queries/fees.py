"""Fees against schedule: what each table's drop box must hold by its rounds, beside what was counted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from accounting.days.models import FeeCount
from accounting.days.rules.reconcile import CloseColumn, CloseLine, LineState, fees_line
from jackpot.money import Money, units_of
from jackpot.property.models.property import Property
from tables.floor.models.collection import TableCollection
from tables.floor.rules.collection import (
    LEFT_OUT,
    CollectionRule,
    FeeBasis,
    FeesDue,
    PlayedHands,
    collection_on,
    fees_due,
)
from tables.games.registry import part_of_game
from tables.rounds.queries.hands_played import hands_played

NO_FEES: Final = "No fees: no table of this house plays under a collection schedule."
NONE_PLAYED: Final = PlayedHands()


@dataclass(frozen=True, slots=True)
class TableFees:
    """One table on one gaming day: under which rule it played, what it dealt, what is due, what was counted."""

    day: date
    table: str
    rule: CollectionRule
    played: PlayedHands
    due: FeesDue
    counted: Money | None

    @property
    def words(self) -> str:
        return f"{self.rule.words}. {LEFT_OUT.get(self.rule.basis, '')}".strip()


def fees_between(premises: Property, first: date, last: date) -> Iterator[TableFees]:
    """Of every table with a rule, and of each day on which it dealt or somebody counted."""
    rules: dict[str, list[CollectionRule]] = {}
    games: dict[str, str] = {}
    for row in TableCollection.objects.filter(table__premises=premises).select_related("table"):
        rules.setdefault(row.table.code, []).append(row.value)
        games[row.table.code] = row.table.game
    played, counted = hands_played(premises, first, last), _counted(premises, first, last)
    for day in (first + timedelta(days=number) for number in range((last - first).days + 1)):
        for code in sorted(rules):
            rule, place = collection_on(rules[code], day), (day, code)
            if rule is not None and (place in played or place in counted):
                hands = played.get(place, NONE_PLAYED)
                yield TableFees(day, code, rule, hands, _due(games[code], rule, hands), counted.get(place))


def _due(game: str, rule: CollectionRule, played: PlayedHands) -> FeesDue:
    schedule = None
    if rule.basis is FeeBasis.ACTION:
        schedule = part_of_game(game, "collection").rule_set(rule.rule_set).schedule(rule.option)
    return fees_due(rule, played, schedule)


def _counted(premises: Property, first: date, last: date) -> dict[tuple[date, str], Money]:
    """What was typed last of each box."""
    rows = FeeCount.objects.filter(premises=premises, day__range=(first, last)).order_by("id")
    return {(row.day, row.table_code): Money(units_of(row.amount)) for row in rows}


def fees_lines(premises: Property, day: date) -> Iterator[CloseLine]:
    """The column of the close. A house without any collection has one line that says so."""
    if not TableCollection.objects.filter(table__premises=premises, begins__lte=day).exists():
        yield CloseLine(CloseColumn.FEES, "fees", LineState.APART, told=NO_FEES)
        return
    for each in fees_between(premises, day, day):
        told = f"{each.played.hands:,} hand{'' if each.played.hands == 1 else 's'} at {each.words}"
        yield fees_line(each.table, each.due, each.counted, told)


def fee_tables(premises: Property, day: date) -> list[str]:
    """Whose boxes may be counted on this day."""
    rows = TableCollection.objects.filter(table__premises=premises, begins__lte=day).select_related("table")
    rules: dict[str, list[CollectionRule]] = {}
    for row in rows:
        rules.setdefault(row.table.code, []).append(row.value)
    return [code for code in sorted(rules) if collection_on(rules[code], day) is not None]
