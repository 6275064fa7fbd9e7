"""The trail as a report: who did, tried, saw, printed or took home what; a filter for each of these."""

from __future__ import annotations

from typing import Final

from accounting.reports.rules.declaring import (
    ASKED,
    WIDE,
    ColumnKind,
    LongText,
    OfficeReport,
    ReportColumn,
    ReportFilter,
    ReportGroup,
    Selected,
)
from jackpot.trail.queries import READS_TRAIL, WORDS

# A person is found by key and, in lines from before keys were kept, by any name or user name that fits what was typed.
# Every filter that is set has an index; lines come back by time without looking at the others.
LINES: Final = f"""
SELECT t.id, t.at, t.actor, t.act, t.object_kind, t.object_key, t.subject, t.outcome, t.why, t.details,
       CASE WHEN t.object_kind = '' THEN t.subject ELSE t.object_kind || ' ' || t.object_key END AS thing
  FROM jackpot_trail t
 WHERE (t.premises_id IS NULL OR t.premises_id = %(house)s) AND t.at >= %(begins)s AND t.at < %(ends)s
   AND (%(act)s = '' OR t.act = %(act)s) AND (%(outcome)s = '' OR t.outcome = %(outcome)s)
   AND (%(object_kind)s = '' OR (t.object_kind = %(object_kind)s AND t.object_key = %(object_key)s)
        OR (t.subject = %(object_text)s AND t.object_kind IN ('', 'request')))
   AND (%(person)s = '' OR t.person_id = ANY (ARRAY(
          SELECT o.id FROM jackpot_operator o WHERE o.name ILIKE '%%' || %(person)s || '%%' OR o.username = %(person)s))
        OR t.actor = ANY (ARRAY(
          SELECT unnest(ARRAY[o.name, o.username]) FROM jackpot_operator o
           WHERE o.name ILIKE '%%' || %(person)s || '%%' OR o.username = %(person)s UNION SELECT %(person)s)))
   AND (%(words)s = '' OR {WORDS} @@ to_tsquery('simple', %(words)s))
"""

TRAIL: Final = OfficeReport(
    code="trail", title="The trail", group=ReportGroup.PEOPLE, period="this week", verbs=(READS_TRAIL,),
    about="Who did, tried, saw, printed or took home what, when, and what came of it.",
    note="Lines are added and never changed. /audit/ shows the same, page by page, with the history of every thing.",
    columns=(
        ReportColumn("at", "When", ColumnKind.MOMENT), ReportColumn("actor", "Who"), ReportColumn("act", "Act"),
        ReportColumn("thing", "Thing"), ReportColumn("outcome", "Outcome"),
        ReportColumn("why", "Why", text=LongText.CUT),
        ReportColumn("subject", "As it was called", room=ASKED),
        ReportColumn("id", "Line", ColumnKind.WHOLE, room=WIDE),
    ),
    takes=(
        ReportFilter.PERIOD, ReportFilter.PERSON, ReportFilter.ACT, ReportFilter.OBJECT, ReportFilter.OUTCOME,
        ReportFilter.WORDS,
    ),
    hidden=("object_kind", "object_key", "details"), order=("-at", "-id"), source=Selected(LINES),
)  # fmt: skip

TRAIL_REPORTS: Final = (TRAIL,)
