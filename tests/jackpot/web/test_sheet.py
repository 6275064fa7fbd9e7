"""No text of a person becomes a formula in anybody's spreadsheet, whichever door it leaves by."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from jackpot.web.rules.sheet import SheetWriter

PRODUCT = ("accounting", "jackpot", "tables", "config", "launcher")
HERE = Path(__file__).resolve().parents[3]


def written(*cells: object) -> str:
    text = io.StringIO()
    SheetWriter(text).row(cells)
    return text.getvalue().strip("\r\n")


@pytest.mark.parametrize("word", ["=1+1", "@SUM(A1)", "+cmd|' /C calc'!A0", "-2+3", "\t=1", "＝1", "-1e5x"])
def test_a_formula_stays_a_text(word: str) -> None:
    assert written(word).lstrip('"').startswith("'"), written(word)


@pytest.mark.parametrize("parted", [",", ";", "\t", "|"], ids=["comma", "semicolon", "tab", "bar"])
@pytest.mark.parametrize(
    "word", ["Ann;=1+1", "Ann;;@x", 'Ann; "=1+1', "Ann\t+1+cmd", "Ann\r\n=1+1", "Ann\n-2+3|=4", "Ann|＝1", "a;b"]
)
def test_no_cell_begins_a_formula_however_a_spreadsheet_parts_them(word: str, parted: str) -> None:
    """Whoever's spreadsheet parts cells at semicolons sees other cells than were written, and no formula either."""
    read = csv.reader(io.StringIO(written("slip 7", word, "end")), delimiter=parted)
    cells = [cell.strip(' "') for line in read for cell in line]
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "＝"))], cells
    assert "".join(written(word).split("'")).strip('"').replace('""', '"') == word.strip("\r\n"), (
        "nothing else is changed"
    )


@pytest.mark.parametrize("figure", ["-1.50", "+0.25", "1e-07", "-7/3", "0", -3, 2.5, "", "a=1"])
def test_a_figure_stays_a_figure(figure: object) -> None:
    assert written("x", figure) == f"x,{figure}"


def test_every_file_of_rows_is_written_in_one_place() -> None:
    own = {str(path.relative_to(HERE)) for room in PRODUCT for path in (HERE / room).rglob("*.py")
           if "csv.writer(" in path.read_text() or "DictWriter(" in path.read_text()}  # fmt: skip
    assert own == {"jackpot/web/rules/sheet.py"}
