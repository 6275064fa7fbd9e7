"""What the house owes on its jackpots, now and at any moment, from the balances that stand after an entry."""

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

MONEY: Final = ColumnKind.MONEY

# The numbers of a jackpot's entries rise with their time, so its last entry before a moment is found by halving: some
# twenty looks into the primary key, however long the books are.
LAST_BEFORE: Final = """
WITH RECURSIVE halves(id, low, high) AS (
  SELECT j.id, 0::bigint, j.last_seq FROM jackpot_jackpot j
   WHERE j.premises_id = %(house)s AND (%(jackpot)s = '' OR j.code = %(jackpot)s)
  UNION ALL
  SELECT h.id, CASE WHEN e.occurred_at < %(at)s THEN e.seq ELSE h.low END,
         CASE WHEN e.occurred_at < %(at)s THEN h.high ELSE e.seq - 1 END
    FROM halves h JOIN jackpot_entry e ON e.jackpot_id = h.id AND e.seq = (h.low + h.high + 1) / 2
   WHERE h.low < h.high
)
SELECT j.code AS jackpot, j.name, e.meter_after AS meter, e.reserve_after AS reserve, e.overflow_after AS overflow,
       e.winners_after AS winners,
       e.meter_after + e.reserve_after + e.overflow_after + e.winners_after AS liability, e.seq, e.occurred_at
  FROM halves h JOIN jackpot_jackpot j ON j.id = h.id
  LEFT JOIN jackpot_entry e ON e.jackpot_id = h.id AND e.seq = h.low
 WHERE h.low = h.high AND (h.low > 0 OR j.last_seq = 0)
"""
LIABILITY: Final = OfficeReport(
    code="liability", title="Liability", group=ReportGroup.MONEY,
    about="What the house owes on its jackpots at a moment: meter, reserve, overflow and winners not yet paid.",
    note="The balances after the last entry before that moment. A day means its close.",
    columns=(
        ReportColumn("jackpot", "Jackpot", leads="/jackpots/{jackpot}/"), ReportColumn("name", "Name"),
        ReportColumn("meter", "Meter", MONEY, total=True), ReportColumn("reserve", "Reserve", MONEY, total=True),
        ReportColumn("overflow", "Overflow", MONEY, total=True),
        ReportColumn("winners", "Owed to winners", MONEY, total=True),
        ReportColumn("liability", "Liability", MONEY, total=True),
        ReportColumn("seq", "Last entry", ColumnKind.WHOLE, leads="/jackpots/{jackpot}/ledger/{seq}/"),
        ReportColumn("occurred_at", "Written", ColumnKind.MOMENT),
    ),
    takes=(ReportFilter.MOMENT, ReportFilter.JACKPOT), order=("jackpot",), source=Selected(LAST_BEFORE),
)  # fmt: skip

BALANCE_REPORTS: Final = (LIABILITY,)
