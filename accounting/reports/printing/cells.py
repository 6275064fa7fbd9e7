"""One figure as it is written: on a page and on paper, in a file of text, in a spreadsheet, for a program."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any, Final, assert_never

from accounting.reports.rules.declaring import ColumnKind, ReportColumn
from jackpot.money import Money, units_of
from jackpot.property.models.property import Property
from jackpot.web.rules.sheet import inert
from jackpot.web.templatetags.figures import day, exact, moment, whole

NOTHING: Final = ""
_AGES: Final = ((86_400, "d", 3_600, "h"), (3_600, "h", 60, "min"), (60, "min", 1, "s"))


def shown_cell(column: ReportColumn, value: Any, house: Property) -> str:
    """For people: in the house's own way of writing figures, days and times."""
    if value is None:
        return NOTHING
    match column.kind:
        case ColumnKind.TEXT:
            return str(value)
        case ColumnKind.MONEY:
            return exact(value, house)
        case ColumnKind.WHOLE:
            return whole(int(value), house)
        case ColumnKind.DAY:
            return day(value)
        case ColumnKind.MOMENT:
            return moment(value, house)
        case ColumnKind.PERCENT:
            return f"{percent_text(value)} %"
        case ColumnKind.AGE:
            return age_words(int(value))
        case _:
            assert_never(column.kind)


def filed_cell(column: ReportColumn, value: Any, house: Property) -> str:
    """For a file of text: exact figures without grouping, days and local times by ISO 8601, no formula."""
    if value is None:
        return NOTHING
    match column.kind:
        case ColumnKind.TEXT:
            # A text in a file is opened by a spreadsheet, and one that begins like a formula would be run.
            return inert(str(value))
        case ColumnKind.MONEY:
            # Every decimal that the books hold: a file is added up again by others.
            return str(Money(units_of(Decimal(value))))
        case ColumnKind.WHOLE | ColumnKind.AGE:
            return str(int(value))
        case ColumnKind.DAY:
            return str(value.isoformat())
        case ColumnKind.MOMENT:
            return local_time(value, house).isoformat(timespec="seconds")
        case ColumnKind.PERCENT:
            return percent_text(value)
        case _:
            assert_never(column.kind)


def plain_cell(column: ReportColumn, value: Any, house: Property) -> Any:
    """For a program: whole numbers as numbers, money as exact text; text is itself, for no program runs it."""
    if value is None:
        return None
    match column.kind:
        case ColumnKind.TEXT:
            return str(value)
        case ColumnKind.WHOLE | ColumnKind.AGE:
            return int(value)
        case ColumnKind.MONEY | ColumnKind.DAY | ColumnKind.MOMENT | ColumnKind.PERCENT:
            return filed_cell(column, value, house)
        case _:
            assert_never(column.kind)


def percent_text(value: Decimal) -> str:
    """Cut to two decimals: a share is for looking at, the figures beside it are exact."""
    return f"{Money(units_of(Decimal(value))).shown().decimal():.2f}"


def age_words(seconds: int) -> str:
    """ "3 d 4 h", "25 min 3 s": the two largest parts."""
    for size, unit, lesser, lesser_unit in _AGES:
        if seconds >= size:
            rest = seconds % size // lesser
            return f"{seconds // size} {unit}{f' {rest} {lesser_unit}' if rest else ''}"
    return f"{max(seconds, 0)} s"


def local_time(value: datetime, house: Property) -> datetime:
    return value.astimezone(house.zone)


def plain_row(columns: tuple[ReportColumn, ...], row: Mapping[str, Any], house: Property) -> dict[str, Any]:
    return {column.code: plain_cell(column, row[column.code], house) for column in columns}
