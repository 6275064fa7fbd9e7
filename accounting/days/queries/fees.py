"""Fees against schedule: what each table's drop box must hold by its rounds, beside what was counted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Final

from accounting.days.models import FeeCount
from accounting.days.rules.reconcile import CloseColumn, CloseLine, LineState, fees_line
from jackpot.database.raw import raw_cursor
from jackpot.money import Money, units_of
from jackpot.property.models.property import Property
from tables.floor.models.collection import TableCollection
from tables.floor.queries.schedules import noted_here, schedule_stands
from tables.floor.rules.collection import (
    LEFT_OUT,
    CollectionRule,
    FeeBasis,
    FeesDue,
    PlayedHands,
    collection_on,
    fees_due,
)
from tables.floor.rules.schedules import ScheduleStanding, StandsNow
from tables.games.fees import ScheduleStatus
from tables.games.registry import part_of_game
from tables.play_sums.queries import PLAYED_HANDS
from tables.player_dealer.queries.told_fees import ToldFees, told_fees
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
    stands: StandsNow | None = None  # of its schedule, where it plays by one

    @property
    def words(self) -> str:
        if self.stands is not None and self.stands.status is ScheduleStatus.WITHDRAWN:
            return f"{self.rule.words}, {self.stands.words}: nothing is collected by it."
        left_out = LEFT_OUT.get(self.rule.basis, "") if self.played.untold.hands else ""
        told = f"The action of {self.played.told:,} was told before the deal. " if self.played.told else ""
        return f"{self.rule.words}. {told}{left_out}".strip()


def fees_between(premises: Property, first: date, last: date, *, anew: bool = True) -> Iterator[TableFees]:
    """Of every table with a rule, and of each day on which it dealt or somebody counted. Who only looks takes the sums
    beside the rounds; who signs counts the rounds."""
    rules: dict[str, list[CollectionRule]] = {}
    games: dict[str, str] = {}
    for row in TableCollection.objects.filter(table__premises=premises).select_related("table"):
        rules.setdefault(row.table.code, []).append(row.value)
        games[row.table.code] = row.table.game
    played, counted = _played(premises, first, last, anew=anew), _counted(premises, first, last)
    noted = noted_here(premises)
    for day in (first + timedelta(days=number) for number in range((last - first).days + 1)):
        for code in sorted(rules):
            rule, place = collection_on(rules[code], day), (day, code)
            # A drop without a hand is a line too: money in a box of a table that did not play is what this column is
            # for.
            if rule is not None and (place in played or place in counted):
                hands = played.get(place, NONE_PLAYED)
                stands = _stands(noted, games[code], rule, day)
                due = _due(games[code], rule, hands, stands)
                yield TableFees(day, code, rule, hands, due, counted.get(place), stands)


def _played(premises: Property, first: date, last: date, *, anew: bool) -> dict[tuple[date, str], PlayedHands]:
    """What the rounds tell, with the hands whose action was told."""
    told = told_fees(premises, first, last)
    none = ToldFees()
    hands_of = hands_played(premises, first, last) if anew else _summed(premises, first, last)
    return {
        place: replace(
            hands, told=told.get(place, none).hands, told_fees=told.get(place, none).fees,
            told_chips=told.get(place, none).chips,
        )
        for place, hands in hands_of.items()
    }  # fmt: skip


def _summed(premises: Property, first: date, last: date) -> dict[tuple[date, str], PlayedHands]:
    """The same out of sums; at a table of several wagers players are counted round by round."""
    with raw_cursor() as cursor:
        cursor.execute(PLAYED_HANDS, {"house": premises.pk, "first": first, "last": last, "table": ""})
        played = {(day, code): PlayedHands(int(hands), int(chips or 0), halves, seats)
                  for day, code, hands, chips, halves, seats in cursor}  # fmt: skip
    return played | hands_played(premises, first, last, wagers=2)


def _stands(noted: Sequence[ScheduleStanding], game: str, rule: CollectionRule, day: date) -> StandsNow | None:
    if rule.basis is not FeeBasis.ACTION:
        return None
    return schedule_stands(noted, game, rule.rule_set, rule.option, day)


def _due(game: str, rule: CollectionRule, played: PlayedHands, stands: StandsNow | None) -> FeesDue:
    if stands is None:
        return fees_due(rule, played, None)
    if stands.status is ScheduleStatus.WITHDRAWN:
        # By a withdrawn schedule the close asks for nothing but what was collected (decision 0059).
        return FeesDue(played.told_fees, played.told_fees)
    return fees_due(rule, played, part_of_game(game, "collection").rule_set(rule.rule_set).schedule(rule.option))


def _counted(premises: Property, first: date, last: date) -> dict[tuple[date, str], Money]:
    """What was typed last of each box."""
    # In the order of typing: a later line takes the place of an earlier one of the same box.
    rows = FeeCount.objects.filter(premises=premises, day__range=(first, last)).order_by("id")
    return {(row.day, row.table_code): Money(units_of(row.amount)) for row in rows}


def fees_lines(premises: Property, day: date, *, anew: bool = True) -> Iterator[CloseLine]:
    """The column of the close. A house without any collection has one line that says so."""
    if not TableCollection.objects.filter(table__premises=premises, begins__lte=day).exists():
        yield CloseLine(CloseColumn.FEES, "fees", LineState.APART, told=NO_FEES)
        return
    for each in fees_between(premises, day, day, anew=anew):
        told = f"{each.played.hands:,} hand{'' if each.played.hands == 1 else 's'} at {each.words}"
        yield fees_line(each.table, each.due, each.counted, told)


def fee_tables(premises: Property, day: date) -> list[str]:
    """Whose boxes may be counted on this day."""
    rows = TableCollection.objects.filter(table__premises=premises, begins__lte=day).select_related("table")
    rules: dict[str, list[CollectionRule]] = {}
    for row in rows:
        rules.setdefault(row.table.code, []).append(row.value)
    return [code for code in sorted(rules) if collection_on(rules[code], day) is not None]
