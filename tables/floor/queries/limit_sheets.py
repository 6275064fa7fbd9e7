"""Limit sheets in force in a house, and what is posted at a table."""

from __future__ import annotations

from datetime import date

from jackpot.property.models.property import Property
from tables.floor.models.check import TableCheck
from tables.floor.models.limit_sheet import EnteredLimits
from tables.floor.models.table import Table
from tables.floor.rules.checklist import Item
from tables.floor.rules.limit_sheets import LimitSheet, sheets_on


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
