"""Tables as a list from a spreadsheet: one row each, the columns named like the keys of the casino file."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from accounting.setup_desk.rules.part_fields import HouseHabits, NotAValue, PartField, read_field

MOST_ROWS: Final = 200
Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class ListFault:
    """What is wrong in one cell; without a column it is the row's, in line 1 the head's."""

    line: int
    column: str
    why: str


@dataclass(frozen=True, slots=True)
class ListedParts:
    """What could be read, each with its line, and everything that could not."""

    parts: tuple[dict[str, Any], ...]
    lines: tuple[int, ...]
    faults: tuple[ListFault, ...]
    columns: tuple[str, ...] = ()
    usual: Mapping[str, Any] = field(default_factory=dict)
    absent: Mapping[str, Any] = field(default_factory=dict)  # the usual values of needed columns that the list lacks

    def over(self, standing: Mapping[str, Mapping[str, Any]]) -> ListedParts:
        """Each row over the part that stands under its code; a new one takes the usual of what is left out."""
        new = {**self.absent, "jackpots": []}
        return replace(self, parts=tuple({**standing.get(part["code"], new), **part} for part in self.parts))

    def alone(self, place: int) -> ListedParts:
        """One row by itself, with its own line."""
        return ListedParts((self.parts[place],), (self.lines[place],), (), self.columns)

    def healed(self, part: dict[str, Any], column: str) -> dict[str, Any] | None:
        """The row with the usual value in a wrong cell, so that its other cells are looked at too."""
        if column not in self.usual or part.get(column) == self.usual[column]:
            return None
        return {**part, column: self.usual[column]}

    def line_of(self, path: Path) -> int:
        place = next((step for step in path if isinstance(step, int)), None)
        return self.lines[place] if place is not None and place < len(self.lines) else 1

    def column_of(self, path: Path) -> str:
        return str(path[-1]) if path[-1] in self.columns else ""


def read_list(text: str, fields: Sequence[PartField], habits: HouseHabits) -> ListedParts:
    """Commas or semicolons between the columns, whichever the first line has more of."""
    head = text.lstrip("\ufeff").split("\n", 1)[0]
    # Spreadsheets write what their land uses, and people do not know which it is.
    separator = ";" if head.count(";") > head.count(",") else ","
    try:
        rows = list(_numbered(text.lstrip("\ufeff"), separator))
    except csv.Error as why:
        return _refused(f"this is no list: {why}.")
    if not rows:
        return _refused("the list is empty. Its first line names the columns, such as code, game, seats, wager.")
    names = [cell.strip().lower() for cell in rows[0][1]]
    if fault := _wrong_head(names, fields):
        return fault
    if len(rows) > MOST_ROWS + 1:
        return _refused(f"the list has {len(rows) - 1} rows; {MOST_ROWS} are the most at once.")
    return _read_rows(rows[1:], names, {each.name: each for each in fields}, habits)


def _numbered(text: str, separator: str) -> Any:
    """Rows with the line they begin in; empty ones are left out."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    begins = 1
    for row in reader:
        if any(cell.strip() for cell in row):
            # By the line it begins in: a cell may hold line ends, and people look for the line in their editor.
            yield begins, row
        begins = reader.line_num + 1


def _read_rows(
    rows: Sequence[tuple[int, list[str]]], names: Sequence[str], fields: dict[str, PartField], habits: HouseHabits
) -> ListedParts:
    parts, lines, faults = [], [], []
    usual = {each.name: read_field(each, each.start, habits) for each in fields.values() if each.start}
    absent = {name: value for name, value in usual.items() if fields[name].needed and name not in names}
    for line, cells in rows:
        wrong = list(_wrong_width(line, cells, names))
        part: dict[str, Any] = {}
        for name, cell in zip(names, cells, strict=False):
            try:
                value = read_field(fields[name], cell, habits)
            except NotAValue as why:
                wrong.append(ListFault(line, name, str(why)))
                # The row goes on with the usual value, so that its other cells are still judged.
                value = usual.get(name)
            if value is not None and (value != "" or fields[name].needed):
                part[name] = value
        faults += wrong
        if "code" in part:
            parts.append(part)
            lines.append(line)
    return ListedParts(tuple(parts), tuple(lines), tuple(faults), tuple(fields), usual, absent)


def _wrong_width(line: int, cells: Sequence[str], names: Sequence[str]) -> Any:
    if len(cells) > len(names):
        yield ListFault(line, "", f"this row has {len(cells)} cells, the first line names {len(names)} columns.")


def _wrong_head(names: Sequence[str], fields: Sequence[PartField]) -> ListedParts | None:
    known = [each.name for each in fields]
    for place, name in enumerate(names):
        if name not in known:
            return _refused(f"“{name[:40]}” is no column. Known: {', '.join(known)}.", name[:40])
        if name in names[:place]:
            return _refused(f"the column {name} stands twice.", name)
    missing = [each.name for each in fields if each.needed and each.name not in names and not each.start]
    return _refused(f"the column {missing[0]} is missing.") if missing else None


def _refused(why: str, column: str = "") -> ListedParts:
    return ListedParts((), (), (ListFault(1, column, why),))
