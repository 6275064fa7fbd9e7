"""A report as a file: text with commas, a spreadsheet, paper. Rows are written as they come, a chunk at a time."""

from __future__ import annotations

import enum
import hashlib
import io
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any, BinaryIO, Final, assert_never

from accounting.paper.printing.typeset import report_document
from accounting.paper.rules.copies import paper_of
from accounting.reports.printing.cells import filed_cell, local_time, shown_cell
from accounting.reports.printing.imprint import ReportImprint
from accounting.reports.printing.spreadsheet import CellLook, SheetCell, Spreadsheet
from accounting.reports.queries.frame import no_total
from accounting.reports.rules.declaring import ColumnKind, ReportColumn, ReportRow
from jackpot.property.models.property import Property
from jackpot.web.rules.sheet import SheetWriter

SHEET_ROWS: Final = 1_000_000  # a spreadsheet has 1,048,576, and the head needs some
PAPER_ROWS: Final = 20_000
WIDE_FROM: Final = 8
Progress = Callable[[int], None]


class ReportForm(enum.StrEnum):
    """What a report can be taken home as."""

    CSV = "csv"
    XLSX = "xlsx"
    PDF = "pdf"


MEDIA: Final = {
    ReportForm.CSV: "text/csv; charset=utf-8",
    ReportForm.XLSX: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ReportForm.PDF: "application/pdf",
}


class TooLongForIt(ValueError):
    """More rows than that form can hold; the message says which can."""


def report_bytes(imprint: ReportImprint, rows: Iterable[ReportRow], form: ReportForm, note: str = "") -> bytes:
    """A file in memory, for what is short enough to be waited for."""
    paper = io.BytesIO()
    write_report(imprint, rows, form, paper, note=note)
    return paper.getvalue()


def write_report(
    imprint: ReportImprint, rows: Iterable[ReportRow], form: ReportForm, paper: BinaryIO, *, note: str = "",
    progress: Progress = lambda _: None,
) -> int:  # fmt: skip
    """Writes it to an open file and returns how many rows it has."""
    counted = Counted(rows, imprint.report.totals, progress)
    match form:
        case ReportForm.CSV:
            _write_csv(imprint, counted, paper, note)
        case ReportForm.XLSX:
            _write_xlsx(imprint, counted, paper, note)
        case ReportForm.PDF:
            _write_pdf(imprint, counted, paper, note)
        case _:
            assert_never(form)
    return counted.count


def digest_of_file(path: Path) -> str:
    with path.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


class Counted:
    """Rows that are counted and added up while somebody writes them."""

    TELLS_EVERY: Final = 1_000

    def __init__(self, rows: Iterable[ReportRow], totals: tuple[ReportColumn, ...], progress: Progress) -> None:
        self._rows, self._progress = rows, progress
        self.count = 0
        self.totals: dict[str, Any] = {column.code: no_total(column.kind) for column in totals}

    def __iter__(self) -> Iterator[ReportRow]:
        for row in self._rows:
            self.count += 1
            for code in self.totals:
                # Added up while rows pass by: a million of them are not read twice for their sum.
                self.totals[code] += row[code] or 0
            yield row
            if self.count % self.TELLS_EVERY == 0:
                self._progress(self.count)
        self._progress(self.count)


def _write_csv(imprint: ReportImprint, rows: Counted, paper: BinaryIO, note: str) -> None:
    text = io.TextIOWrapper(paper, encoding="utf-8", newline="", write_through=True)
    sheet, columns = SheetWriter(text), imprint.report.columns
    sheet.rows((label, filed_text(words)) for label, words in imprint.lines)
    if note:
        sheet.row(("Note", filed_text(note)))
    sheet.row(())
    sheet.row([column.title for column in columns])
    for row in rows:
        sheet.row([filed_cell(column, row[column.code], imprint.house) for column in columns])
    if rows.totals:
        sheet.row(_totals(imprint, rows, filed_cell))
    # Else the wrapper would close the file with itself, and it belongs to the caller.
    text.detach()


def filed_text(words: str) -> str:
    return filed_cell(ReportColumn("", ""), words, None)  # type: ignore[arg-type]  # a text needs no house


def _totals(imprint: ReportImprint, rows: Counted, written: Callable[..., str]) -> list[str]:
    """The word stands in the first column that has no total of its own."""
    cells = [
        written(column, rows.totals[column.code], imprint.house) if column.total else ""
        for column in imprint.report.columns
    ]
    place = next((place for place, column in enumerate(imprint.report.columns) if not column.total), None)
    if place is not None:
        cells[place] = "Total"
    return cells


def _write_xlsx(imprint: ReportImprint, rows: Counted, paper: BinaryIO, note: str) -> None:
    columns, house = imprint.report.columns, imprint.house
    head = [*imprint.lines, *([("Note", note)] if note else [])]
    frozen = len(head) + 2
    name, widths = imprint.report.title, [_width(column) for column in columns]
    with Spreadsheet(paper, name=name, widths=widths, frozen=frozen, foot=f"{house.name} · {name}") as sheet:
        for label, words in head:
            sheet.row((SheetCell(label, CellLook.LABEL), SheetCell(words)))
        sheet.row(())
        looks = [CellLook.HEAD_RIGHT if column.is_figure else CellLook.HEAD for column in columns]
        sheet.row(SheetCell(column.title, look) for column, look in zip(columns, looks, strict=True))
        for row in rows:
            if sheet.rows >= SHEET_ROWS:
                # Refused and not cut: a sum below a part of the rows would be taken for the sum of all.
                raise TooLongForIt("A spreadsheet holds a million rows. Take it as CSV, or ask for fewer days.")
            sheet.row(_sheet_cell(column, row[column.code], house) for column in columns)
        if rows.totals:
            spoken = _totals(imprint, rows, lambda *_: "")
            sheet.row(
                _sheet_cell(column, rows.totals[column.code], house, total=True)
                if column.total
                else SheetCell(word or None, CellLook.SUM)
                for column, word in zip(columns, spoken, strict=True)
            )


def _sheet_cell(column: ReportColumn, value: Any, house: Property, *, total: bool = False) -> SheetCell:
    if value is None:
        return SheetCell(None)
    match column.kind:
        case ColumnKind.MONEY:
            return SheetCell(Decimal(value), CellLook.SUM_MONEY if total else CellLook.MONEY)
        case ColumnKind.WHOLE:
            return SheetCell(int(value), CellLook.SUM_WHOLE if total else CellLook.WHOLE)
        case ColumnKind.DAY:
            return SheetCell(value, CellLook.DAY)
        case ColumnKind.MOMENT:
            # A cell knows no zone: it shows the house's clock, as the pages do.
            return SheetCell(local_time(value, house).replace(tzinfo=None), CellLook.MOMENT)
        case ColumnKind.PERCENT:
            return SheetCell(Decimal(filed_cell(column, value, house)), CellLook.MONEY)
        case ColumnKind.TEXT | ColumnKind.AGE:
            return SheetCell(shown_cell(column, value, house))
        case _:
            assert_never(column.kind)


def _width(column: ReportColumn) -> int:
    widths = {ColumnKind.MONEY: 16, ColumnKind.WHOLE: 11, ColumnKind.DAY: 12, ColumnKind.MOMENT: 19}
    return max(widths.get(column.kind, 18), len(column.title) + 2)


def _write_pdf(imprint: ReportImprint, rows: Counted, paper: BinaryIO, note: str) -> None:
    columns, house = imprint.report.columns, imprint.house
    cells = []
    for row in rows:
        # All cells of a paper lie in memory until it is set, unlike the other forms, which are written row by row.
        if rows.count > PAPER_ROWS:
            raise TooLongForIt(
                f"On paper a report has at most {PAPER_ROWS:,} rows. Take it as CSV, or ask for fewer days."
            )
        cells.append([shown_cell(column, row[column.code], house) for column in columns])
    facts = {
        "title": imprint.report.title, "about": imprint.report.about, "property": house.name,
        "told": [list(line) for line in imprint.question.told], "note": note or imprint.report.note,
        "columns": [{"title": column.title, "right": column.is_figure} for column in columns], "rows": cells,
        "totals": _totals(imprint, rows, shown_cell) if rows.totals else [], "count": f"{rows.count:,}",
        "currency": house.currency, "wide": len(columns) >= WIDE_FROM,
        "printed": f"Made by {imprint.by}, {dict(imprint.lines)['Made']}", "at": int(imprint.now.timestamp()),
    }  # fmt: skip
    paper.write(report_document(facts, paper_of(house.locale)))
