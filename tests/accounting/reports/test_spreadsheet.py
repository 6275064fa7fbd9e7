"""What people typed stays what they typed in a workbook: no formula, no command of a footer, no letter of another."""

from __future__ import annotations

import io
import zipfile
from xml.etree import ElementTree as Tree

import pytest

from accounting.reports.printing.spreadsheet import SheetCell, Spreadsheet

MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def read(*cells: str, foot: str = "House") -> tuple[list[Tree.Element], str]:
    """The cells of one row and the foot, out of the file as it is written."""
    paper = io.BytesIO()
    with Spreadsheet(paper, name="Wins", widths=[10], frozen=1, foot=foot) as sheet:
        sheet.row(SheetCell(cell) for cell in cells)
    with zipfile.ZipFile(paper) as parts:
        root = Tree.fromstring(parts.read("xl/worksheets/sheet1.xml"))
    return list(root.iter(f"{MAIN}c")), root.findtext(f"{MAIN}headerFooter/{MAIN}oddFooter") or ""


@pytest.mark.parametrize("word", ["=1+1", "+SUM(A1)", "@x", "\t=1", "-2+3", "＝1", '=HYPERLINK("http://x","y")'])
def test_a_text_is_a_text_whatever_it_begins_with(word: str) -> None:
    (cell,), _ = read(word)
    assert cell.get("t") == "inlineStr"
    assert cell.find(f"{MAIN}f") is None
    assert cell.findtext(f"{MAIN}is/{MAIN}t") == word


def test_what_a_workbook_cannot_hold_is_left_out_or_said_otherwise() -> None:
    cells, _ = read("a\r\x00b", "_x0041_", "x" * 40_000)
    texts = [cell.findtext(f"{MAIN}is/{MAIN}t") or "" for cell in cells]
    assert texts[:2] == ["ab", "_x005F_x0041_"]
    assert len(texts[2]) == 32_767


@pytest.mark.parametrize(
    ("name", "written"), [("Black & Gold", "&L Black && Gold&R"), ("R&B Club", "&L R&&B Club&R"), ("21", "&L 21&R")]
)
def test_the_name_of_a_house_commands_nothing_in_the_foot(name: str, written: str) -> None:
    _, foot = read("x", foot=name)
    assert foot == f"{written}Page &P of &N"
