"""Rows for a spreadsheet: what it would take for a formula is kept a text. Every CSV of the house is written here."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable
from typing import Any, Final, Protocol

# The wide forms as well: some spreadsheets read them as the narrow ones.
BEGINS_A_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
# A spreadsheet that parts cells elsewhere, as those of half of Europe do, begins one behind each of these, and takes no
# quotes before them for any.
BEGINS_ELSEWHERE: Final = re.compile(r"([;\t\r\n|][\s\"]*)(?=[=+\-@＝＋－＠])")
FIGURE: Final = re.compile(r"[+-]?\d+(\.\d+)?(e[+-]?\d+)?(/\d+)?", re.ASCII)


class SheetTarget(Protocol):
    """What is written on: a file, a text, or whatever takes parts of one."""

    def write(self, part: str, /) -> object: ...


class SheetWriter:
    """Cells that are texts come out inert; figures stay figures, those below zero too."""

    def __init__(self, target: SheetTarget) -> None:
        self._writer = csv.writer(target)

    def row(self, cells: Iterable[Any]) -> None:
        self._writer.writerow([_cell(cell) for cell in cells])

    def rows(self, rows: Iterable[Iterable[Any]]) -> None:
        for cells in rows:
            self.row(cells)

    def rows_at_most(self, rows: Iterable[Iterable[Any]], most: int) -> int:
        """As many as a file shall hold. One that is cut says so at its end: nobody takes it for the whole list."""
        written = 0
        for cells in rows:
            if written == most:
                self.row([f"Cut here: the list has more than {most:,} rows, and the rest is left out. Ask for less."])
                break
            self.row(cells)
            written += 1
        return written


def inert(text: str) -> str:
    """The text itself, with an apostrophe wherever a cell may begin in it like a formula."""
    text = BEGINS_ELSEWHERE.sub(r"\1'", text)
    return f"'{text}" if text.startswith(BEGINS_A_FORMULA) else text


def _cell(cell: Any) -> Any:
    """A text is judged as it stands; a figure as text, such as “-1.50”, calculates nothing and stays one."""
    return inert(cell) if isinstance(cell, str) and not FIGURE.fullmatch(cell) else cell
