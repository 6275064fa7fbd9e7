"""A page of a report as values: heads that sort, cells that lead somewhere, filters, chips and bars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final
from urllib.parse import quote, urlencode

from accounting.reports.printing.cells import shown_cell
from accounting.reports.queries.frame import ReportPage
from accounting.reports.rules.asking import LABELS
from accounting.reports.rules.chart import BarChart, bar_chart
from accounting.reports.rules.declaring import OfficeReport, ReportColumn, ReportFilter, ReportRow, sorting
from jackpot.property.models.property import Property

QUICK: Final = ("today", "yesterday", "this week", "last week", "this month", "last month")
QUICK_MOMENTS: Final = ("now", "yesterday")


@dataclass(frozen=True, slots=True)
class ShownCell:
    text: str
    href: str
    looks: str
    first: bool


@dataclass(frozen=True, slots=True)
class ShownHead:
    """A column's title; pressing it sorts by it, pressing again turns the order round."""

    title: str
    href: str
    looks: str
    sorted: str  # ascending, descending or nothing


@dataclass(frozen=True, slots=True)
class ShownFilter:
    word: str
    label: str
    value: str
    placeholder: str
    choices: tuple[str, ...]
    quick: tuple[tuple[str, str, bool], ...]  # words, address, whether it is on
    without: str  # the address without this filter; nothing where it is not set


def heads_of(report: OfficeReport, words: Mapping[str, str]) -> list[ShownHead]:
    first = sorting(report, words.get("sort", ""))[0]
    return [_head(column, words, first) for column in report.columns]


def cells_of(report: OfficeReport, row: ReportRow, house: Property) -> list[ShownCell]:
    return [
        ShownCell(
            shown_cell(column, row[column.code], house), _address(column, row), column.looks, place == 0
        )
        for place, column in enumerate(report.columns)
    ]  # fmt: skip


def totals_of_page(report: OfficeReport, page: ReportPage, house: Property) -> list[tuple[str, str]]:
    """Aligned with the columns; the word stands in the first that has no total of its own."""
    cells = [
        (shown_cell(column, page.totals[column.code], house) if column.total else "", column.looks)
        for column in report.columns
    ]
    place = next((place for place, column in enumerate(report.columns) if not column.total), None)
    if place is not None:
        cells[place] = ("Total", report.columns[place].room.value)
    return cells


def filters_of(report: OfficeReport, words: Mapping[str, str], choices: Mapping[str, list[str]]) -> list[ShownFilter]:
    """Every filter the report takes, as a field with what may be chosen."""
    placeholders = {ReportFilter.PERIOD: report.period, ReportFilter.MOMENT: "now"}
    return [
        ShownFilter(
            each.value, LABELS[each], words.get(each.value, ""), placeholders.get(each, "all"),
            tuple(choices.get(each.value, ())), tuple(_quick(report, each, words)),
            f"?{query_of({**words, each.value: ''})}" if words.get(each.value) else "",
        )
        for each in report.takes
    ]  # fmt: skip


def query_of(words: Mapping[str, str], **changed: str) -> str:
    """The same question as an address; what is empty is left out."""
    return urlencode({word: value for word, value in {**words, **changed}.items() if value})


@dataclass(frozen=True, slots=True)
class PageTurns:
    """Where first, previous, next and last lead; nothing where one is there already."""

    first: str
    previous: str
    following: str
    last: str


def turns_of(page: ReportPage, words: Mapping[str, str]) -> PageTurns:
    """The addresses of the other pages of the same question."""

    def at(number: int) -> str:
        return f"?{query_of(words, page=str(number))}" if 1 <= number <= page.pages and number != page.number else ""

    return PageTurns(at(1), at(page.number - 1), at(page.number + 1), at(page.pages))


def chart_of(report: OfficeReport, rows: Sequence[ReportRow], house: Property) -> BarChart | None:
    if report.chart is None:
        return None
    below = report.column(report.chart.below)
    assert below is not None, "a chart stands on a column"
    labels = [shown_cell(below, row[below.code], house) for row in rows]
    return bar_chart(labels, [Decimal(row[report.chart.height] or 0) for row in rows])


def _quick(report: OfficeReport, each: ReportFilter, words: Mapping[str, str]) -> list[tuple[str, str, bool]]:
    offered = {ReportFilter.PERIOD: QUICK, ReportFilter.MOMENT: QUICK_MOMENTS}.get(each, ())
    default = report.period if each is ReportFilter.PERIOD else "now"
    typed = words.get(each.value, "").strip().lower() or default
    return [(quick, f"?{query_of({**words, each.value: quick, 'page': ''})}", typed == quick) for quick in offered]


def _head(column: ReportColumn, words: Mapping[str, str], first: str) -> ShownHead:
    mine = first.removeprefix("-") == column.code
    falling = mine and first.startswith("-")
    begins = "-" if column.is_figure else ""  # the largest first, names from A on
    wanted = (column.code if falling else f"-{column.code}") if mine else f"{begins}{column.code}"
    state = ("descending" if falling else "ascending") if mine else ""
    return ShownHead(column.title, f"?{query_of({**words, 'sort': wanted, 'page': ''})}", column.looks, state)


def _address(column: ReportColumn, row: Mapping[str, Any]) -> str:
    """Where the figure comes from; a row that lacks a part of the address leads nowhere."""
    # Half an address leads to another thing than the figure's.
    if not column.leads or any(row[name] in (None, "") for name in column.needs):
        return ""
    # A whole address that a statement made of numbers and codes keeps its strokes.
    return column.leads.format(
        **{name: quote(str(row[name]), safe="/?=&" if name == "href" else "") for name in column.needs}
    )
