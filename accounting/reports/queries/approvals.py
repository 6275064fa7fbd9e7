"""What a regulator or an owner approved: every word that two people entered, the newest first."""

from __future__ import annotations

from typing import Final

from accounting.reports.rules.declaring import ColumnKind, OfficeReport, ReportColumn, ReportGroup, Selected

ENTERED: Final = """
SELECT q.id AS request, replace(q.payload ->> 'thing', '_', ' ') AS thing, q.payload ->> 'name' AS name,
       q.payload ->> 'word' AS word, q.payload ->> 'by' AS given_by, q.payload ->> 'reference' AS reference,
       (q.payload ->> 'begins')::date AS begins, nullif(q.payload ->> 'until', '')::date AS until,
       CASE q.state WHEN 'in_force' THEN 'signed' WHEN 'previewed' THEN 'waits' ELSE q.state END AS state,
       q.asked_by_name AS entered_by, q.decided_by_name AS signed_by, q.decided_at
  FROM jackpot_request q WHERE q.premises_id = %(house)s AND q.kind = 'approval'
"""
APPROVALS: Final = OfficeReport(
    code="approvals", title="Approvals", group=ReportGroup.HOUSE,
    about="What was approved, by whom, under which reference and for which days; each with its document.",
    columns=(
        ReportColumn("request", "Request", ColumnKind.WHOLE, leads="/office/requests/{request}/"),
        ReportColumn("thing", "Of"), ReportColumn("name", "Which"), ReportColumn("word", "Word"),
        ReportColumn("given_by", "By"), ReportColumn("reference", "Reference"),
        ReportColumn("begins", "From", ColumnKind.DAY), ReportColumn("until", "Until", ColumnKind.DAY),
        ReportColumn("state", "State"), ReportColumn("entered_by", "Entered by"),
        ReportColumn("signed_by", "Signed by"), ReportColumn("decided_at", "Signed", ColumnKind.MOMENT),
    ),
    note="The newest signed word that has begun counts. A table looks at it when it is opened.",
    takes=(), order=("-request",), source=Selected(ENTERED),
)  # fmt: skip
APPROVAL_REPORTS: Final = (APPROVALS,)
