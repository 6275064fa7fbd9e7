"""What a report is: a title, columns with their kinds, the filters it takes, where its rows come from."""

from __future__ import annotations

import enum
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final

from jackpot.property.rules.typed_days import DaySpan

ReportRow = Mapping[str, Any]
READS_BOOKS: Final = ("read_books", "close_day")
LONG_AGO: Final = datetime(1970, 1, 1, tzinfo=UTC)
SLACK: Final = timedelta(days=2)  # a house that moved its roll or its clock: no entry lies further from its gaming day
_WORD: Final = re.compile(r"\{(\w+)\}")


class ColumnKind(enum.Enum):
    """What stands in a column; it decides how the figure is written on a page, in a file and on paper."""

    TEXT = "text"
    MONEY = "money"
    WHOLE = "whole"
    DAY = "day"
    MOMENT = "moment"
    PERCENT = "percent"
    AGE = "age"


class ColumnRoom(enum.Enum):
    """On what screen a column stands by itself; “All columns” shows each, and a file or a program has them all."""

    ALWAYS = ""
    WIDE = "lesser"  # a desk's screen, not a tablet's
    ASKED = "extra"


WIDE: Final = ColumnRoom.WIDE
ASKED: Final = ColumnRoom.ASKED


class LongText(enum.Enum):
    """How much of a long text a page shows; “All columns” shows all of it."""

    LINE = ""
    LINES = "words"
    CUT = "cut"  # what is left of the row's one line


class ReportGroup(enum.Enum):
    """Where a report stands in the list of all."""

    MONEY = "Money"
    PLAY = "Play"
    WINS = "Wins and slips"
    PEOPLE = "People and rights"
    HOUSE = "Terms and machines"


class ReportFilter(enum.Enum):
    """By what the rows of a report may be narrowed; the value is the word in an address."""

    PERIOD = "period"
    MOMENT = "at"
    JACKPOT = "jackpot"
    TABLE = "table"
    SHIFT = "shift"
    PERSON = "person"
    ACT = "act"
    OBJECT = "object"
    OUTCOME = "outcome"
    WORDS = "q"
    SLIP = "slip"


@dataclass(frozen=True, slots=True)
class ReportColumn:
    """One column. `leads` is the address that its figure drills down to, with other columns of the row in braces."""

    code: str
    title: str
    kind: ColumnKind = ColumnKind.TEXT
    total: bool = False
    leads: str = ""
    room: ColumnRoom = ColumnRoom.ALWAYS
    text: LongText = LongText.LINE

    @property
    def looks(self) -> str:
        """How a page sets its head and its cells."""
        return " ".join(filter(None, (self.room.value, "right" if self.is_figure else "", self.text.value)))

    @property
    def is_figure(self) -> bool:
        return self.kind in (ColumnKind.MONEY, ColumnKind.WHOLE, ColumnKind.PERCENT, ColumnKind.AGE)

    @property
    def needs(self) -> tuple[str, ...]:
        """The columns that the address of a drill speaks of."""
        return tuple(_WORD.findall(self.leads))


@dataclass(frozen=True, slots=True)
class ReportQuestion:
    """What was asked of a report, read: one house, days, a moment, and codes; and the same in words."""

    premises_id: int
    span: DaySpan
    at: datetime
    now: datetime
    today: date  # the gaming day of now
    jackpot: str = ""
    table: str = ""
    shift: str = ""
    person: str = ""
    more: Mapping[str, str] = field(default_factory=dict)  # what only some reports ask, by the name statements use
    begins: datetime = LONG_AGO  # the span as moments, from the first day's beginning to the end of the last
    ends: datetime = LONG_AGO
    told: tuple[tuple[str, str], ...] = ()

    @property
    def values(self) -> dict[str, Any]:
        """What a statement may name."""
        return {
            "house": self.premises_id, "first": self.span.first, "last": self.span.last, "at": self.at,
            "now": self.now, "jackpot": self.jackpot, "table": self.table, "shift": self.shift,
            "person": self.person, "begins": self.begins, "ends": self.ends, "since": self.begins - SLACK,
            "until": self.ends + SLACK, "today": self.today, **self.more,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Selected:
    """Rows that one statement selects; sorting, paging and totals are done around it by the database."""

    statement: str


@dataclass(frozen=True, slots=True)
class ReckonedRows:
    """Rows that were reckoned, and a sentence about all of them."""

    rows: Sequence[ReportRow]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Reckoned:
    """Rows that a rule reckons from what was read."""

    reckon: Callable[[ReportQuestion], ReckonedRows]


@dataclass(frozen=True, slots=True)
class ReportChart:
    """Bars over the rows: which column stands below them, which one is their height."""

    below: str
    height: str


@dataclass(frozen=True, slots=True)
class OfficeReport:
    """A report, declared once; the frame makes page, API, spreadsheet and paper of it."""

    code: str
    title: str
    about: str
    group: ReportGroup
    columns: tuple[ReportColumn, ...]
    takes: tuple[ReportFilter, ...]
    source: Selected | Reckoned
    order: tuple[str, ...]
    period: str = "yesterday"
    verbs: tuple[str, ...] = READS_BOOKS
    chart: ReportChart | None = None
    note: str = ""
    hidden: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        # At the declaration, so a wrong report is found by the first import and not by an accountant.
        known = {column.code for column in self.columns} | set(self.hidden)
        assert len(known) == len(self.columns) + len(self.hidden), f"{self.code}: a column's code stands once"
        assert {name.removeprefix("-") for name in self.order} <= known, f"{self.code}: it is ordered by its columns"
        assert all(set(column.needs) <= known for column in self.columns), f"{self.code}: a drill names its columns"

    def column(self, code: str) -> ReportColumn | None:
        return next((column for column in self.columns if column.code == code), None)

    @property
    def totals(self) -> tuple[ReportColumn, ...]:
        return tuple(column for column in self.columns if column.total)

    def takes_the(self, word: str) -> bool:
        return any(each.value == word for each in self.takes)


def sorting(report: OfficeReport, wanted: str) -> tuple[str, ...]:
    """The columns to sort by: the one that was asked for, then those that the report is ordered by itself."""
    column = report.column(wanted.removeprefix("-"))
    if column is None:
        return report.order
    # The report's own order behind it: equal rows would change places from page to page.
    rest = tuple(name for name in report.order if name.removeprefix("-") != column.code)
    return (wanted, *rest)
