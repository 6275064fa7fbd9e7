"""What goes to the tax office, without a word about people: records of payments, and cash to one person on one day."""

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

MONEY, WHOLE, DAY, MOMENT = ColumnKind.MONEY, ColumnKind.WHOLE, ColumnKind.DAY, ColumnKind.MOMENT
OPENS: Final = ("read_books", "close_day", "pay")

# What came back is told beside what was paid: it does not undo the form nor the cash that went over the window then.
BACK: Final = """JOIN jackpot_payment y ON y.id = r.payment_id JOIN jackpot_win w ON w.id = y.win_id
  LEFT JOIN LATERAL (SELECT sum(c.net) AS net FROM jackpot_windowreceipt c WHERE c.payment_id = y.id) c ON true"""
RECORDS: Final = f"""
SELECT r.slip, r.gaming_day AS day, CASE r.form WHEN '' THEN 'cash report' ELSE r.form END AS form, p.place,
       left(p.person, 8) AS person, p.gross, p.withheld, p.net,
       CASE WHEN r.in_cash THEN 'cash' ELSE 'cheque' END AS paid_in,
       CASE w.state WHEN 'backed_out' THEN 'backed out' ELSE 'paid' END AS stands, c.net AS came_back,
       o.name AS written_by, r.written_at
  FROM jackpot_payee p JOIN jackpot_taxrecord r ON r.id = p.record_id JOIN jackpot_operator o ON o.id = r.written_by_id
  {BACK}
 WHERE r.premises_id = %(house)s AND r.gaming_day BETWEEN %(first)s AND %(last)s
"""
TAX_RECORDS: Final = OfficeReport(
    code="tax-records", title="Tax records", group=ReportGroup.WINS, verbs=OPENS,
    about="Each share of a reported payment with its form. Who it is stands in the record, sealed.",
    note="One sign for one person, drawn from the number of the document: the same person has the same on every slip.",
    columns=(
        ReportColumn("slip", "Slip", WHOLE, leads="/wins/{slip}/"), ReportColumn("day", "Paid on", DAY),
        ReportColumn("form", "Form"), ReportColumn("place", "Payee", WHOLE), ReportColumn("person", "Person"),
        ReportColumn("gross", "Gross", MONEY, total=True), ReportColumn("withheld", "Withheld", MONEY, total=True),
        ReportColumn("net", "Paid out", MONEY, total=True), ReportColumn("paid_in", "Paid in"),
        ReportColumn("stands", "The slip is"), ReportColumn("came_back", "Came back of the slip", MONEY),
        ReportColumn("written_by", "Written by"), ReportColumn("written_at", "Written", MOMENT),
    ),
    takes=(ReportFilter.PERIOD,), order=("-slip", "place"), source=Selected(RECORDS),
)  # fmt: skip

# The rule that counts is that of the day of payment, as it counts for the form.
CASH: Final = f"""
SELECT r.gaming_day AS day, left(p.person, 8) AS person, count(*) AS slips, sum(p.net) AS cash,
       t.currency_above AS above,
       CASE WHEN t.currency_above IS NULL THEN 'no rule' WHEN sum(p.net) > t.currency_above THEN 'report' ELSE 'no' END
         AS told, string_agg(r.slip::text, ', ' ORDER BY r.slip) AS which,
       string_agg(r.slip::text, ', ' ORDER BY r.slip) FILTER (WHERE w.state = 'backed_out') AS backed_out,
       sum(c.net) AS came_back
  FROM jackpot_payee p JOIN jackpot_taxrecord r ON r.id = p.record_id
  {BACK}
  LEFT JOIN LATERAL (SELECT d.currency_above FROM jackpot_datedtax d
                      WHERE d.premises_id = r.premises_id AND d.begins <= r.gaming_day
                      ORDER BY d.begins DESC LIMIT 1) t ON true
 WHERE r.in_cash AND r.premises_id = %(house)s AND r.gaming_day BETWEEN %(first)s AND %(last)s
 GROUP BY r.gaming_day, p.person, t.currency_above
"""
CASH_REPORTS: Final = OfficeReport(
    code="cash-to-one-person", title="Cash to one person on one day", group=ReportGroup.WINS, verbs=OPENS,
    about="What each payee got in cash on a gaming day, over all slips, and whether so much has to be told.",
    columns=(
        ReportColumn("day", "Paid on", DAY), ReportColumn("person", "Person"), ReportColumn("slips", "Payments", WHOLE),
        ReportColumn("cash", "Cash", MONEY, total=True), ReportColumn("above", "Told above", MONEY),
        ReportColumn("told", "Currency report"), ReportColumn("which", "Slips"),
        ReportColumn("backed_out", "Backed out"), ReportColumn("came_back", "Came back of these", MONEY),
    ),
    takes=(ReportFilter.PERIOD,), order=("-day", "-cash"), source=Selected(CASH),
)  # fmt: skip
TAX_REPORTS: Final = (TAX_RECORDS, CASH_REPORTS)
