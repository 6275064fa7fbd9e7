"""The wagers of a table as it stands, each with the jackpots that it feeds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from jackpot.books.models.jackpot import Jackpot
from jackpot.money import Money
from tables.floor.models.table import Table
from tables.floor.rules.wagers import FIRST, FurtherWagerFacts

FIRST_NAME: Final = "First wager"  # where nobody named it


class FedWager(NamedTuple):
    """A wager with its jackpots, the highest first. `name` is empty where the table has no other."""

    name: str
    chip: Money
    jackpots: Sequence[Jackpot]


def wagers_of(table: Table) -> list[FedWager]:
    """The first, then the further ones by place."""
    fed: dict[int, list[Jackpot]] = {}
    for link in sorted(table.links.select_related("jackpot"), key=lambda each: each.level):
        fed.setdefault(link.wager, []).append(link.jackpot)
    further = [(each.place, each.code, each.chip_money) for each in table.further_wagers.all()]
    first = (FIRST, first_name(table) if further else "", table.wager_money)
    return [FedWager(name, chip, fed.get(place, [])) for place, name, chip in (first, *sorted(further))]


def further_facts_of(table: Table) -> tuple[FurtherWagerFacts, ...]:
    """As they were described when the table was set up; a retired jackpot is left in, its history hangs there."""
    fed: dict[int, list[str]] = {}
    for link in sorted(table.links.all(), key=lambda each: each.level):
        fed.setdefault(link.wager, []).append(link.jackpot.code)
    rows = sorted(table.further_wagers.all(), key=lambda each: each.place)
    return tuple(
        FurtherWagerFacts(each.code, each.chip_money, tuple(fed.get(each.place, ())), each.name) for each in rows
    )


def first_jackpots_of(table: Table) -> tuple[str, ...]:
    """Codes of those that the first wager feeds, by level."""
    links = sorted(table.links.select_related("jackpot"), key=lambda each: each.level)
    return tuple(link.jackpot.code for link in links if link.wager == FIRST)


def first_name(table: Table) -> str:
    """What the first of several wagers is called."""
    return table.wager_name or FIRST_NAME
