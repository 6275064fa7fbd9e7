"""Fees against their schedules: what the rounds of each table ask for, beside the drop that was counted."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

from accounting.days.queries.fees import NO_FEES, TableFees, fees_between
from accounting.reports.queries.shifts import shift_join
from accounting.reports.rules.declaring import (
    READS_BOOKS,
    ColumnKind,
    OfficeReport,
    Reckoned,
    ReckonedRows,
    ReportColumn,
    ReportFilter,
    ReportGroup,
    ReportQuestion,
    Selected,
)
from jackpot.property.models.property import Property
from tables.floor.models.collection import TableCollection

MONEY, WHOLE = ColumnKind.MONEY, ColumnKind.WHOLE


def fees(question: ReportQuestion) -> ReckonedRows:
    """A row for each table and gaming day under a collection; what lies before the first rule is not walked."""
    house = Property.objects.get(pk=question.premises_id)
    first_rule = TableCollection.objects.filter(table__premises=house).order_by("begins").first()
    if first_rule is None:
        return ReckonedRows([], NO_FEES)
    # Every day between is walked, and “all days” begin long before any rule.
    first = max(question.span.first, first_rule.begins)
    last = min(question.span.last, house.gaming_day(question.now))
    days = fees_between(house, first, last, anew=False) if first <= last + timedelta(days=1) else ()
    rows = [_row(each) for each in days if question.table in ("", each.table)]
    off = sum(1 for row in rows if row["difference"])
    missing = sum(1 for row in rows if row["counted"] is None)
    return ReckonedRows(rows, f"{off} of {len(rows)} differ; of {missing} nobody has typed the drop.")


def _row(each: TableFees) -> dict[str, Any]:
    off = None if each.counted is None else each.due.off(each.counted)
    return {
        "day": each.day, "iso": each.day.isoformat(), "table_code": each.table, "rule": each.words,
        "hands": each.played.hands, "chips": each.played.chips, "half_hours": each.played.half_hours,
        "least": each.due.least.decimal(), "most": each.due.most.decimal(),
        "counted": None if each.counted is None else each.counted.decimal(),
        "difference": None if off is None else off.decimal(),
    }  # fmt: skip


FEES: Final = OfficeReport(
    code="fees", title="Fees against schedule", group=ReportGroup.MONEY, verbs=READS_BOOKS, period="this month",
    about="What each table had to collect by its rounds, beside what its drop box held.",
    note="A flat fee follows from the rounds, and what was told before a deal is known hand by hand. Where nothing was "
    "told, a schedule by total action is bounded by its lowest and its highest fee; so is a fee for each player, of "
    "whom rounds know those with a progressive chip.",
    columns=(
        ReportColumn("day", "Gaming day", ColumnKind.DAY, leads="/office/days/{iso}/"),
        ReportColumn("table_code", "Table", leads="/rounds/?table={table_code}"),
        ReportColumn("rule", "Collection"), ReportColumn("hands", "Hands", WHOLE, total=True),
        ReportColumn("chips", "Chips", WHOLE, total=True),
        ReportColumn("half_hours", "Half hours", WHOLE, total=True),
        ReportColumn("least", "Due at least", MONEY, total=True),
        ReportColumn("most", "Due at most", MONEY, total=True),
        ReportColumn("counted", "Counted", MONEY, total=True),
        ReportColumn("difference", "Difference", MONEY, total=True),
    ),
    hidden=("iso",), takes=(ReportFilter.PERIOD, ReportFilter.TABLE), order=("-day", "table_code"),
    source=Reckoned(fees),
)  # fmt: skip
HANDS: Final = f"""
SELECT h.*, coalesce(shift.name, '') AS shift FROM (
  SELECT h.gaming_day AS day, t.code AS table_code, h.number, h.at, h.at AT TIME ZONE p.time_zone AS local, h.banker,
         h.in_a_row, h.bank_wager, h.action,
         (SELECT count(DISTINCT w.seat) FROM tables_spotwager w WHERE w.hand_id = h.id) AS spots,
         coalesce(nullif(h.rule_set, '') || '/' || h.option, h.basis) AS rule,
         CASE WHEN r.state = 'void' THEN 'void' WHEN r.state IS NULL THEN 'not begun' ELSE '' END AS state,
         CASE WHEN r.state IS NULL OR r.state = 'void' THEN 0 ELSE h.fee END AS fee,
         s.collected, s.paid, s.uncovered
    FROM tables_bankedhand h JOIN tables_table t ON t.id = h.table_id JOIN jackpot_property p ON p.id = t.premises_id
    LEFT JOIN tables_handsettlement s ON s.hand_id = h.id
    LEFT JOIN tables_round r ON r.table_id = h.table_id AND r.number = h.number
   WHERE t.premises_id = %(house)s AND h.gaming_day BETWEEN %(first)s AND %(last)s
     AND (%(table)s = '' OR t.code = %(table)s)
) h{shift_join("h.day", "h.local")}
WHERE %(shift)s = '' OR shift.name = %(shift)s
"""
FEE_JOURNAL: Final = OfficeReport(
    code="fee-journal", title="Fee journal", group=ReportGroup.MONEY, verbs=READS_BOOKS, period="today",
    about="Every hand that a player banked: what lay there, what went into the drop box, and what the bank settled.",
    note="The sum of fees is the drop that these hands ask for, by shift too. A void hand, and one that was told and "
    "never begun, takes no fee: void the latter when its fee is given back. What a bank's wager does not cover goes "
    "back to where it came from.",
    columns=(
        ReportColumn("at", "Told", ColumnKind.MOMENT), ReportColumn("shift", "Shift"),
        ReportColumn("table_code", "Table"), ReportColumn("number", "Round", WHOLE),
        ReportColumn("banker", "Banks", WHOLE), ReportColumn("in_a_row", "In a row", WHOLE),
        ReportColumn("bank_wager", "Its wager", MONEY), ReportColumn("spots", "Spots", WHOLE),
        ReportColumn("action", "Total action", MONEY, total=True), ReportColumn("rule", "By"),
        ReportColumn("fee", "Fee", MONEY, total=True), ReportColumn("collected", "Bank collected", MONEY, total=True),
        ReportColumn("paid", "Bank paid", MONEY, total=True),
        ReportColumn("uncovered", "Not covered", MONEY, total=True), ReportColumn("state", "Hand"),
    ),
    hidden=("day", "local"), takes=(ReportFilter.PERIOD, ReportFilter.TABLE, ReportFilter.SHIFT),
    order=("-at", "table_code", "-number"), source=Selected(HANDS),
)  # fmt: skip
FEE_REPORTS: Final = (FEES, FEE_JOURNAL)
