"""A workbook of one sheet (Office Open XML), written row by row. Figures go in as decimal text: no binary fraction is
made of them here, and no cell is ever a formula."""

from __future__ import annotations

import enum
import re
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal
from types import TracebackType
from typing import Any, BinaryIO, Final, Self
from xml.sax.saxutils import escape, quoteattr

MOST_ROWS: Final = 1_048_576
# Letters that XML has no way to write: with one of them in it no spreadsheet opens the file.
_UNWRITABLE: Final = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LONGEST: Final = 32_767  # letters of a cell; with more the file is called broken
_READ_AS_A_LETTER: Final = re.compile("_(?=x[0-9A-Fa-f]{4}_)")  # how a spreadsheet writes what XML cannot
_FIRST_DAY: Final = date(1899, 12, 30)  # as spreadsheets count days, their leap year 1900 included
_MAIN: Final = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE: Final = "http://schemas.openxmlformats.org/package/2006"
_HEAD: Final = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'


class CellLook(enum.IntEnum):
    """The looks of cells, by their place in the style sheet below."""

    PLAIN = 0
    LABEL = 1
    HEAD = 2
    HEAD_RIGHT = 3
    MONEY = 4
    WHOLE = 5
    DAY = 6
    MOMENT = 7
    SUM = 8
    SUM_MONEY = 9
    SUM_WHOLE = 10


_LOOKS: Final = (  # number format, font, border, to the right
    (0, 0, 0, False), (0, 1, 0, False), (0, 2, 1, False), (0, 2, 1, True), (164, 0, 0, True), (3, 0, 0, True),
    (165, 0, 0, False), (166, 0, 0, False), (0, 2, 2, False), (164, 2, 2, True), (3, 2, 2, True),
)  # fmt: skip
_STYLES: Final = (
    f'{_HEAD}<styleSheet xmlns="{_MAIN}"><numFmts count="3"><numFmt numFmtId="164" formatCode="#,##0.00######"/>'
    '<numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd"/>'
    '<numFmt numFmtId="166" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts>'
    '<fonts count="3"><font><sz val="11"/><name val="Calibri"/></font><font><sz val="11"/>'
    '<color rgb="FF52605A"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>'
    '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>'
    '</fills><borders count="3"><border/><border><left/><right/><top/><bottom style="thin"/></border>'
    '<border><left/><right/><top style="thin"/><bottom/></border></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>'
    f'<cellXfs count="{len(_LOOKS)}">'
    + "".join(
        f'<xf numFmtId="{form}" fontId="{font}" fillId="0" borderId="{border}" xfId="0" applyNumberFormat="1" '
        f'applyFont="1" applyBorder="1"{" applyAlignment=" + quoteattr("1") if right else ""}>'
        f"{'<alignment horizontal=' + quoteattr('right') + '/>' if right else ''}</xf>"
        for form, font, border, right in _LOOKS
    )
    + '</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
)


@dataclass(frozen=True, slots=True)
class SheetCell:
    """What stands in a cell, and how it looks; nothing is an empty cell."""

    value: str | int | Decimal | date | datetime | None
    look: CellLook = CellLook.PLAIN


class Spreadsheet:
    """Written from top to bottom, once. `frozen` rows stay in sight and are repeated on every printed page."""

    def __init__(self, paper: BinaryIO, *, name: str, widths: Sequence[int], frozen: int, foot: str) -> None:
        # A sheet's name has at most 31 letters and none of these signs; else the file does not open.
        self._name, self._frozen, self._foot = re.sub(r"[\[\]:*?/\\']", " ", name)[:31], frozen, foot
        self._archive = zipfile.ZipFile(paper, "w", zipfile.ZIP_DEFLATED)
        # The size is not known beforehand, and a sheet of a million rows may pass 4 GiB.
        self._sheet = self._archive.open("xl/worksheets/sheet1.xml", "w", force_zip64=True)
        self.rows = 0
        columns = "".join(
            f'<col min="{place}" max="{place}" width="{width}" customWidth="1"/>'
            for place, width in enumerate(widths, start=1)
        )
        pane = f'<pane ySplit="{frozen}" topLeftCell="A{frozen + 1}" activePane="bottomLeft" state="frozen"/>'
        self._write(
            f'{_HEAD}<worksheet xmlns="{_MAIN}"><sheetViews><sheetView workbookViewId="0">{pane}</sheetView>'
            f"</sheetViews><cols>{columns}</cols><sheetData>"
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, _: object, __: TracebackType | None) -> None:
        self._write("</sheetData>")
        # Of a name a “&” would be a command, and digits behind “&L” the size of the letters.
        foot = f"&L {self._foot.replace('&', '&&')}&RPage &P of &N"
        self._write(f"<headerFooter><oddFooter>{escape(foot)}</oddFooter></headerFooter>")
        self._write("</worksheet>")
        self._sheet.close()
        # A workbook that broke off stays without its other parts: it does not open, instead of showing half.
        if kind is None:
            self._write_parts()
        self._archive.close()

    def row(self, cells: Iterable[SheetCell]) -> None:
        assert self.rows < MOST_ROWS, "a sheet has no more rows"
        self.rows += 1
        written = "".join(
            _written(f"{column_name(place)}{self.rows}", cell)
            for place, cell in enumerate(cells)
            if cell.value is not None
        )
        self._write(f'<row r="{self.rows}">{written}</row>')

    def _write(self, text: str) -> None:
        self._sheet.write(text.encode())

    def _write_parts(self) -> None:
        titles = f"'{self._name}'!${self._frozen}:${self._frozen}"
        kind = "application/vnd.openxmlformats-officedocument.spreadsheetml"
        parts = {
            "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="rels" ContentType='
            '"application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType='
            f'"application/xml"/><Override PartName="/xl/workbook.xml" ContentType="{kind}.sheet.main+xml"/>'
            f'<Override PartName="/xl/styles.xml" ContentType="{kind}.styles+xml"/><Override PartName='
            f'"/xl/worksheets/sheet1.xml" ContentType="{kind}.worksheet+xml"/></Types>',
            "_rels/.rels": _relations(("officeDocument", "xl/workbook.xml")),
            "xl/_rels/workbook.xml.rels": _relations(("worksheet", "worksheets/sheet1.xml"), ("styles", "styles.xml")),
            "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets><sheet name='
            f'{quoteattr(self._name)} sheetId="1" r:id="r1"/></sheets><definedNames><definedName name='
            f'"_xlnm.Print_Titles" localSheetId="0">{escape(titles)}</definedName></definedNames></workbook>',
        }
        for name, text in parts.items():
            self._archive.writestr(name, _HEAD + text)
        self._archive.writestr("xl/styles.xml", _STYLES)


def column_name(place: int) -> str:
    """ "A", "Z", "AA": how spreadsheets count columns, from 0 here."""
    name = ""
    place += 1
    while place:
        place, rest = divmod(place - 1, 26)
        name = chr(65 + rest) + name
    return name


def serial(moment: date) -> str:
    """Days since 1899-12-30, with the time of day as a fraction of ten decimals."""
    day = (moment.date() if isinstance(moment, datetime) else moment) - _FIRST_DAY
    clock = moment.time() if isinstance(moment, datetime) else time()
    seconds = clock.hour * 3_600 + clock.minute * 60 + clock.second
    return f"{day.days}.{seconds * 10**10 // 86_400:010d}" if seconds else str(day.days)


def _written(where: str, cell: SheetCell) -> str:
    look = f' s="{int(cell.look)}"' if cell.look else ""
    value: Any = cell.value
    match value:
        case str():
            text = escape(_READ_AS_A_LETTER.sub("_x005F_", _UNWRITABLE.sub("", value)[:_LONGEST]))
            return f'<c r="{where}"{look} t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>'
        case date():
            return f'<c r="{where}"{look}><v>{serial(value)}</v></c>'
        case _:
            return (
                f'<c r="{where}"{look}><v>{value:f}</v></c>'
                if isinstance(value, Decimal)
                else _whole(where, look, value)
            )


def _whole(where: str, look: str, value: int) -> str:
    return f'<c r="{where}"{look}><v>{value:d}</v></c>'


def _relations(*parts: tuple[str, str]) -> str:
    told = "".join(
        f'<Relationship Id="r{place}" Type="{_OFFICE}/{kind}" Target="{target}"/>'
        for place, (kind, target) in enumerate(parts, start=1)
    )
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{told}</Relationships>'
