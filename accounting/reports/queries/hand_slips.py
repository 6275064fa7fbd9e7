"""Hand-written slips, number by number: what became of each, and those of which nobody said anything."""

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

# Of the numbers in its second half nobody said anything, so a question for one person leaves them out.
ENTERED: Final = """
SELECT s.at, b.code AS book, s.printed,
       CASE s.word WHEN 'used' THEN 'used' WHEN 'void' THEN 'void' ELSE 'missing' END AS word,
       w.slip, s.amount, w.amount AS posted, CASE WHEN s.differs THEN 'other sum' ELSE '' END AS differs,
       w.table_code, s.written_at, s.written_by, w.logged_at, w.paid_at, o.began_at, o.ended_at,
       CASE WHEN s.word = 'used' AND o.id IS NULL THEN 'none known' ELSE '' END AS outage,
       s.why, s.person_name, s.second_name
  FROM tables_handslip s JOIN tables_slipbook b ON b.id = s.book_id
  LEFT JOIN jackpot_win w ON w.id = s.win_id LEFT JOIN tables_outage o ON o.id = s.outage_id
 WHERE s.premises_id = %(house)s AND s.at >= %(begins)s AND s.at < %(ends)s
   AND (%(person)s = '' OR s.person_name ILIKE '%%' || %(person)s || '%%'
        OR s.second_name ILIKE '%%' || %(person)s || '%%')
UNION ALL
SELECT NULL, b.code, b.prefix || lpad(x.x::text, b.digits, '0'), 'not accounted for', NULL, NULL, NULL, '', NULL, NULL,
       '', NULL, NULL, NULL, NULL, '', m.pit, m.person_name, m.second_name
  FROM tables_slipbook b
 CROSS JOIN LATERAL (
    SELECT * FROM tables_slipbookmove l WHERE l.book_id = b.id ORDER BY l.number DESC LIMIT 1) m
 CROSS JOIN LATERAL (
    SELECT greatest(m.next_blank, coalesce((SELECT max(s.number) + 1 FROM tables_handslip s WHERE s.book_id = b.id),
                                           b.first)) AS blank) r
 CROSS JOIN LATERAL generate_series(b.first, r.blank - 1) x(x)
 WHERE b.premises_id = %(house)s AND %(person)s = ''
   AND NOT EXISTS (SELECT FROM tables_handslip s WHERE s.book_id = b.id AND s.number = x.x)
"""
HAND_SLIPS: Final = OfficeReport(
    code="hand-slips", title="Hand-written slips", group=ReportGroup.HOUSE, period="this month",
    about="What became of each number of the slip books, the win each was tied to, and the numbers nobody spoke of.",
    columns=(
        ReportColumn("printed", "Number"), ReportColumn("book", "Book", leads="/pit/slip-books/{book}/"),
        ReportColumn("word", "Is"), ReportColumn("slip", "Slip", ColumnKind.WHOLE, leads="/office/wins/{slip}/"),
        ReportColumn("amount", "On the slip", ColumnKind.MONEY), ReportColumn("posted", "Posted", ColumnKind.MONEY),
        ReportColumn("differs", "Differs"), ReportColumn("table_code", "Table"),
        ReportColumn("written_at", "Written", ColumnKind.MOMENT), ReportColumn("written_by", "Signed by"),
        ReportColumn("logged_at", "Posted at", ColumnKind.MOMENT), ReportColumn("paid_at", "Paid", ColumnKind.MOMENT),
        ReportColumn("began_at", "Outage from", ColumnKind.MOMENT),
        ReportColumn("ended_at", "to", ColumnKind.MOMENT), ReportColumn("outage", "Outage"),
        ReportColumn("why", "What happened"), ReportColumn("at", "Entered", ColumnKind.MOMENT),
        ReportColumn("person_name", "By"), ReportColumn("second_name", "With"),
    ),
    takes=(ReportFilter.PERIOD, ReportFilter.PERSON), order=("book", "printed"), source=Selected(ENTERED),
    verbs=("read_books", "close_day", "read_trail"),
    note="Entered in the period; numbers of which nobody said anything stand here whatever the period.",
)  # fmt: skip
HAND_SLIP_REPORTS: Final = (HAND_SLIPS,)
