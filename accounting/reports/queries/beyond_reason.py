"""Hours in which a table took in more than was within reason."""

from __future__ import annotations

from typing import Final

from accounting.reports.rules.declaring import (
    ColumnKind,
    OfficeReport,
    ReportColumn,
    ReportFilter,
    ReportGroup,
    Selected,
)

ABOVE: Final = """
SELECT h.begins_at, t.code AS table_code,
       (SELECT string_agg(DISTINCT j.code, ', ') FROM tables_link l JOIN jackpot_jackpot j ON j.id = l.jackpot_id
         WHERE l.table_id = t.id) AS feeds,
       h.rounds, h.coin_in, h.expected, h.bound,
       CASE WHEN h.expected > 0 THEN round(100 * h.coin_in / h.expected) END AS share
  FROM tables_playhour h JOIN tables_table t ON t.id = h.table_id
 WHERE t.premises_id = %(house)s AND h.above AND h.begins_at >= %(begins)s AND h.begins_at < %(ends)s
   AND (%(table)s = '' OR t.code = %(table)s)
"""
BEYOND_REASON: Final = OfficeReport(
    code="beyond-reason", title="Play beyond reason", group=ReportGroup.PLAY, period="this month",
    about="Hours in which a table took in more than the house's share of what its own hours let expect.",
    columns=(
        ReportColumn("begins_at", "Hour from", ColumnKind.MOMENT),
        ReportColumn("table_code", "Table", leads="/pit/tables/{table_code}/"), ReportColumn("feeds", "Feeds now"),
        ReportColumn("rounds", "Rounds", ColumnKind.WHOLE), ReportColumn("coin_in", "Coin-in", ColumnKind.MONEY),
        ReportColumn("expected", "Expected", ColumnKind.MONEY), ReportColumn("bound", "Rings above", ColumnKind.MONEY),
        ReportColumn("share", "% of it", ColumnKind.WHOLE),
    ),
    takes=(ReportFilter.PERIOD, ReportFilter.TABLE), order=("-begins_at", "table_code"), source=Selected(ABOVE),
    verbs=("read_books", "close_day", "read_trail"),
    note="Only where the house has a share (unreasonable_share). An hour of a table with few hours of its own is held"
    " against all that its game can be dealt.",
)  # fmt: skip
BEYOND_REASON_REPORTS: Final = (BEYOND_REASON,)
