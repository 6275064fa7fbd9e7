"""Rows of a report: a page of them with the totals of all, or all of them one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Any, Final, assert_never

from django.db import connection

from accounting.reports.rules.declaring import (
    ColumnKind,
    OfficeReport,
    Reckoned,
    ReckonedRows,
    ReportQuestion,
    ReportRow,
    Selected,
    sorting,
)

PAGE: Final = 50
CHUNK: Final = 2_000
EVERY: Final = "_every"


@dataclass(frozen=True, slots=True)
class ReportPage:
    """What is shown at once, how many rows there are in all, and the totals over all of them."""

    rows: Sequence[ReportRow]
    count: int
    totals: Mapping[str, Any]
    number: int
    size: int
    note: str = ""

    @property
    def pages(self) -> int:
        return max(1, -(-self.count // self.size))

    @property
    def from_row(self) -> int:
        return (self.number - 1) * self.size + 1 if self.count else 0

    @property
    def to_row(self) -> int:
        return self.from_row + len(self.rows) - 1 if self.count else 0


def report_page(
    report: OfficeReport, question: ReportQuestion, *, sort: str = "", number: int = 1, size: int = PAGE
) -> ReportPage:
    """One page; a number beyond the last page is the last page."""
    assert number >= 1, "pages are counted from one"
    assert size >= 1, "a page has room for a row"
    match report.source:
        case Selected(statement):
            return _selected_page(report, statement, question, sort, number, size)
        case Reckoned(reckon):
            made = reckon(question)
            ordered = _sorted(report, made.rows, sort)
            last = max(1, -(-len(ordered) // size))
            number = min(number, last)
            shown = ordered[(number - 1) * size : number * size]
            return ReportPage(shown, len(ordered), totals_of(report, ordered), number, size, made.note)
        case _:
            assert_never(report.source)


class ReportReading:
    """All of a report: its rows, how many they are, and the sentence about them. What is reckoned is reckoned once,
    so all three are of one moment."""

    def __init__(self, report: OfficeReport, question: ReportQuestion) -> None:
        self.report, self.question = report, question

    def rows(self, sort: str = "") -> Iterator[ReportRow]:
        """Every row, a few at a time in memory where the database selects them."""
        match self.report.source:
            case Selected(statement):
                yield from _streamed(_ordered(self.report, statement, sort), self.question)
            case Reckoned():
                yield from _sorted(self.report, self._made.rows, sort)
            case _:
                assert_never(self.report.source)

    @property
    def count(self) -> int:
        match self.report.source:
            case Selected(statement):
                return _counted(statement, self.question)
            case Reckoned():
                return len(self._made.rows)
            case _:
                assert_never(self.report.source)

    @property
    def note(self) -> str:
        return self._made.note if isinstance(self.report.source, Reckoned) else ""

    @cached_property
    def _made(self) -> ReckonedRows:
        assert isinstance(self.report.source, Reckoned), "the rest is selected by the database"
        return self.report.source.reckon(self.question)


def _counted(statement: str, question: ReportQuestion) -> int:
    with connection.cursor() as cursor:
        # Without an order, which a count does not need.
        cursor.execute(f"SELECT count(*) FROM ({statement}) r", question.values)
        row = cursor.fetchone()
        assert row is not None, "a count has a row"
        return int(row[0])


def totals_of(report: OfficeReport, rows: Sequence[ReportRow]) -> dict[str, Any]:
    """Sums of the columns that have one; nothing in a column counts as zero."""
    sums: dict[str, Any] = {column.code: no_total(column.kind) for column in report.totals}
    for row in rows:
        for code in sums:
            sums[code] += row[code] or 0
    return sums


def no_total(kind: ColumnKind) -> Decimal | int:
    return Decimal(0) if kind is ColumnKind.MONEY else 0


def _selected_page(
    report: OfficeReport, statement: str, question: ReportQuestion, sort: str, number: int, size: int
) -> ReportPage:
    """Count and totals come with the rows, in one pass over them."""
    also = ["count(*) OVER () AS _every"]
    also += [f"coalesce(sum(r.{column.code}) OVER (), 0) AS _sum_{column.code}" for column in report.totals]
    rows_and_sums = f"SELECT r.*, {', '.join(also)} FROM ({statement}) r"
    text = f"{rows_and_sums} ORDER BY {_order(report, sort)} LIMIT %(limit)s OFFSET %(offset)s"
    rows = _fetched(text, {**question.values, "limit": size, "offset": (number - 1) * size})
    if not rows and number > 1:
        # A page without rows brings no count either, so beyond the last page it is asked for by itself.
        last = max(1, -(-_counted(statement, question) // size))
        return _selected_page(report, statement, question, sort, min(last, number - 1), size)
    totals = {column.code: no_total(column.kind) for column in report.totals}
    if rows:
        totals = {column.code: rows[0][f"_sum_{column.code}"] for column in report.totals}
    return ReportPage(rows, rows[0][EVERY] if rows else 0, totals, number, size)


def _order(report: OfficeReport, sort: str) -> str:
    """Column names come from the declaration alone; what was typed only chooses among them."""
    words = [
        # Nothing stands last either way, as in `_sorted`: a gap shall not head the list of the largest.
        f"r.{name.removeprefix('-')} {'DESC' if name.startswith('-') else 'ASC'} NULLS LAST"
        for name in sorting(report, sort)
    ]
    return ", ".join(words)


def _ordered(report: OfficeReport, statement: str, sort: str) -> str:
    return f"SELECT r.* FROM ({statement}) r ORDER BY {_order(report, sort)}"


def _sorted(report: OfficeReport, rows: Sequence[ReportRow], sort: str) -> list[ReportRow]:
    """Sorted by the last column first: Python's sort keeps what was equal in its order."""
    ordered = list(rows)
    for name in reversed(sorting(report, sort)):
        code = name.removeprefix("-")
        # Python compares no None with a figure.
        with_value = [row for row in ordered if row[code] is not None]
        without = [row for row in ordered if row[code] is None]
        ordered = sorted(with_value, key=lambda row, code=code: row[code], reverse=name.startswith("-")) + without  # type: ignore[misc]
    return ordered


def _fetched(text: str, values: Mapping[str, Any]) -> list[dict[str, Any]]:
    with connection.cursor() as cursor:
        cursor.execute(text, values)
        names = [column[0] for column in cursor.description or ()]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def _streamed(text: str, question: ReportQuestion) -> Iterator[ReportRow]:
    """Through a cursor of the server's: memory holds one chunk, however many rows there are."""
    with connection.chunked_cursor() as cursor:
        cursor.execute(text, question.values)
        while rows := cursor.fetchmany(CHUNK):
            names = [column[0] for column in cursor.description or ()]
            for row in rows:
                yield dict(zip(names, row, strict=True))
