"""Limit sheets in force in a house, and what is posted at a table."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Final

from django.utils import timezone

from jackpot.money import Money, units_of
from jackpot.property.models.property import Property
from tables.floor.models.check import TableCheck
from tables.floor.models.limit_sheet import EnteredLimits
from tables.floor.models.table import Table, TableState
from tables.floor.rules.checklist import Item
from tables.floor.rules.limit_sheets import LimitSheet, OverLimit, refuse_over, sheets_on
from tables.games.registry import find_game, part_of_game

PROGRESSIVE: Final = "progressive"


def known_wagers(game: str) -> list[str]:
    """Every wager of a game that a sheet may speak of by its name."""
    return [*part_of_game(game, "rules").BASE, *sorted({table.bet for table in find_game(game).tables} - {"blind"})]


def entered_here(premises: Property) -> list[LimitSheet]:
    return [row.value for row in EnteredLimits.objects.filter(premises=premises)]


def limits_today(premises: Property, game: str, day: date) -> list[LimitSheet]:
    """What counts for the game's wagers on that day."""
    return sheets_on(entered_here(premises), game, day)


def posted_limits(table: Table) -> tuple[int, int] | None:
    """Minimum and maximum as a person last read them there in order; None where nobody has."""
    newest = TableCheck.objects.filter(table=table, item=Item.LIMITS.value).order_by("-id").first()
    if newest is None or not newest.in_order or newest.posted_minimum is None or newest.posted_maximum is None:
        return None
    return newest.posted_minimum, newest.posted_maximum


def outside_limits(table: Table, day: date) -> Iterator[str]:
    """What of a table no sheet of that day authorizes: its chips, and the maximum that was read there."""
    sheets = limits_today(table.premises, table.game, day)
    if not sheets:
        return
    # A table that feeds no jackpot has a wager by its column, but no progressive chip.
    chips = [table.wager, *table.further_wagers.values_list("chip", flat=True)] if table.links.exists() else []
    for chip in chips:
        yield from _over("progressive wager", Money(units_of(chip)), sheets, PROGRESSIVE)
    posted = posted_limits(table)
    if posted is not None:
        yield from _over("posted maximum", Money.of(posted[1]), sheets)


def open_outside_limits(premises: Property) -> Iterator[tuple[str, str]]:
    """Open tables that a sheet overtook since they were set up, each with why."""
    # Asked every minute; most houses have entered no sheet, and then no table is read.
    if not EnteredLimits.objects.filter(premises=premises).exists():
        return
    day = premises.gaming_day(timezone.now())
    for table in Table.objects.filter(premises=premises, state=TableState.OPEN).select_related("premises"):
        for why in outside_limits(table, day):
            yield table.code, why


def _over(what: str, amount: Money, sheets: list[LimitSheet], wager: str = "") -> Iterator[str]:
    try:
        refuse_over(what, amount, sheets, wager)
    except OverLimit as why:
        yield str(why)
