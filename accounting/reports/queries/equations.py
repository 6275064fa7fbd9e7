"""The meter equation of every jackpot and day: reckoned from rounds, wagers, versions and records, beside the books."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any, Final

from accounting.days.models import DaySnapshot
from accounting.days.queries.columns import equation_then
from accounting.days.queries.kept import kept_equations
from accounting.days.rules.equation import DayEquation, Holdings
from accounting.reports.rules.declaring import (
    ColumnKind,
    OfficeReport,
    Reckoned,
    ReckonedRows,
    ReportColumn,
    ReportFilter,
    ReportGroup,
    ReportQuestion,
)
from jackpot.money import Money

MONEY: Final = ColumnKind.MONEY
NOT_YET: Final = "No day of these has rolled yet; a day is reckoned when it has."


def equations(question: ReportQuestion) -> ReckonedRows:
    """Line by line, reckoned anew over the very entries of each day that has rolled."""
    rows = DaySnapshot.objects.filter(
        premises=question.premises_id, day__range=(question.span.first, question.span.last)
    ).select_related("jackpot__premises")
    if question.jackpot:
        rows = rows.filter(jackpot__code=question.jackpot)
    found = [line for snapshot in rows.order_by("day", "jackpot__code") for line in _lines(snapshot)]
    differ = sum(1 for line in found if line["line"] == "Difference" and any(line[each] for each in HOLDINGS))
    said = f"{differ} {'equation differs' if differ == 1 else 'equations differ'} from the books." if differ else ""
    return ReckonedRows(found, said or ("Every equation agrees with the books." if found else NOT_YET))


HOLDINGS: Final = ("meter", "reserve", "overflow")


def _lines(snapshot: DaySnapshot) -> Iterator[dict[str, Any]]:
    # Anew, unlike the day's page: a report is what somebody takes along (decision 0092).
    for place, (name, held) in enumerate(_lines_of(equation_then(snapshot))):
        units = dict(zip(HOLDINGS, held.columns(), strict=False))
        yield {
            "day": snapshot.day, "jackpot": snapshot.jackpot.code, "place": place, "line": name,
            **{each: Money(units[each]).decimal() for each in HOLDINGS}, "seq": snapshot.last_seq,
        }  # fmt: skip


def _lines_of(equation: DayEquation) -> Iterator[tuple[str, Holdings]]:
    yield "Opened", equation.opened
    for part, moved in equation.lines.items():
        if moved:
            yield part.value.capitalize(), moved
    yield "= Reckoned", equation.reckoned
    yield "Books", equation.books
    yield "Difference", equation.variance


def differences_on(premises_id: int, day: Any) -> dict[str, Decimal]:
    """What the books say now less what was reckoned at the roll, of each jackpot; meter, reserve and overflow
    together."""
    snapshots = list(DaySnapshot.objects.filter(premises=premises_id, day=day).select_related("jackpot__premises"))
    found: dict[str, Decimal] = {}
    for snapshot, equation in zip(snapshots, kept_equations(snapshots), strict=True):
        held = equation.variance
        # Two faults that cancel out are two faults: sizes are added, not sums.
        found[snapshot.jackpot.code] = Money(abs(held.meter) + abs(held.reserve) + abs(held.overflow)).decimal()
    return found


METER_EQUATION: Final = OfficeReport(
    code="meter-equation", title="Meter equation", group=ReportGroup.MONEY,
    about="Open + what was played, won, asked for and undone = close, from rounds and records, beside the books.",
    columns=(
        ReportColumn("day", "Gaming day", ColumnKind.DAY), ReportColumn("jackpot", "Jackpot"),
        ReportColumn("line", "Line"), ReportColumn("meter", "Meter", MONEY), ReportColumn("reserve", "Reserve", MONEY),
        ReportColumn("overflow", "Overflow", MONEY),
        ReportColumn("seq", "Last entry", ColumnKind.WHOLE, leads="/jackpots/{jackpot}/ledger/{seq}/"),
    ),
    hidden=("place",), takes=(ReportFilter.PERIOD, ReportFilter.JACKPOT), order=("-day", "jackpot", "place"),
    source=Reckoned(equations),
)  # fmt: skip

EQUATION_REPORTS: Final = (METER_EQUATION,)
