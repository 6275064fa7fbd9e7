"""The access log of keys and seals: what two people of two departments wrote down."""

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

# The next line of a key that is out is its coming back: nobody takes out what is out already.
WRITTEN: Final = """
SELECT m.at, i.code, i.kind, replace(i.place, '_', ' ') || ' ' || i."where" AS guards,
       CASE m.act WHEN 'out' THEN 'taken out' WHEN 'back' THEN 'brought back' WHEN 'placed' THEN 'seal placed'
                  WHEN 'replaced' THEN 'seal replaced' ELSE 'seal found broken' END AS act,
       m.purpose, m.old_seal, m.new_seal, CASE WHEN m.differs THEN 'other number' ELSE '' END AS differs,
       m.person_name, m.second_name, h.name AS holder, c.name AS countersigner, m.due_at,
       CASE WHEN m.act = 'out' THEN b.at END AS back_at,
       CASE WHEN m.act = 'out' AND coalesce(b.at, %(now)s) > m.due_at THEN 'late' ELSE '' END AS late
  FROM tables_custodymove m JOIN tables_custodyitem i ON i.id = m.item_id
  LEFT JOIN tables_custodymove b ON b.item_id = m.item_id AND b.number = m.number + 1
  LEFT JOIN jackpot_role h ON h.code = i.holder LEFT JOIN jackpot_role c ON c.code = i.countersigner
 WHERE i.premises_id = %(house)s AND m.at >= %(begins)s AND m.at < %(ends)s
   AND (%(person)s = '' OR m.person_name ILIKE '%%' || %(person)s || '%%'
        OR m.second_name ILIKE '%%' || %(person)s || '%%')
"""
CUSTODY: Final = OfficeReport(
    code="custody", title="Keys and seals", group=ReportGroup.HOUSE, period="this month",
    about="Who took which key out with whom, what for and when it came back; every seal placed, broken and replaced.",
    columns=(
        ReportColumn("at", "When", ColumnKind.MOMENT),
        ReportColumn("code", "Key or seal", leads="/pit/custody/{code}/"),
        ReportColumn("guards", "Of"), ReportColumn("act", "What"), ReportColumn("purpose", "What for"),
        ReportColumn("person_name", "By"), ReportColumn("second_name", "With"),
        ReportColumn("back_at", "Back", ColumnKind.MOMENT), ReportColumn("due_at", "Due", ColumnKind.MOMENT),
        ReportColumn("late", "Late"), ReportColumn("old_seal", "Seal off"), ReportColumn("new_seal", "Seal on"),
        ReportColumn("differs", "Register"), ReportColumn("holder", "Department"),
        ReportColumn("countersigner", "Countersigned by"),
    ),
    hidden=("kind",), takes=(ReportFilter.PERIOD, ReportFilter.PERSON), order=("-at",), source=Selected(WRITTEN),
    verbs=("read_books", "close_day", "read_trail"),
    note="Each line is of two people. A seal that came off with another number than went on says “other number”.",
)  # fmt: skip
CUSTODY_REPORTS: Final = (CUSTODY,)
