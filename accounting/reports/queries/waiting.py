"""What waits in a house, and since when: hits, requests, slips, paper, work that comes round."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db import connection

from accounting.days.rules.day_life import LEADS_TO, DayState
from accounting.people_desk.rules.rights_digest import QUARTER_DAYS
from accounting.reports.rules.declaring import (
    ColumnKind,
    OfficeReport,
    ReportColumn,
    ReportGroup,
    ReportQuestion,
    Selected,
)

LOOKED_BACK_DAYS: Final = 400  # a day that nobody closed for longer is no work of this morning
CLOSES: Final = ", ".join(f"'{act.value}'" for act, state in LEADS_TO.items() if state == DayState.CLOSED)
# Kinds of requests that stand below by themselves; whatever else two people decide is told as such.
WAYS_OUT: Final = "'program_token', 'webhook', 'report_mailbox'"
BY_THEMSELVES: Final = f"'terms', 'authority', 'people', 'people_review', 'explanation', 'reopen_day', {WAYS_OUT}"
BACKUP_HOURS: Final = 30  # a day and a quarter: one that is made every night may be late
# Every thing that somebody must still do, with the address where it is done. `list` is where all of its kind stand.
EVERYTHING: Final = f"""
SELECT x.*, extract(epoch FROM %(now)s - x.since)::bigint AS age FROM (
  SELECT 'Hit' AS what, w.line_name || ' at ' || w.table_code || ', round ' || w.round_number || ', seat ' || w.seat
         AS subject, w.marked_at AS since, w.marked_by AS who, NULL::numeric AS amount,
         '/pit/wins/' || w.table_code || '/' || w.round_number || '/' AS href, '/pit/' AS list, 1 AS place
    FROM jackpot_win w JOIN jackpot_jackpot j ON j.id = w.jackpot_id
   WHERE j.premises_id = %(house)s AND w.state IN ('marked', 'asked', 'logged')
  UNION ALL
  SELECT 'Table kept back', t.code || ', coin-ins: ' || count(*), min(k.at), '', NULL, '/pit/tables/' || t.code || '/',
         '/pit/', 1
    FROM tables_keptback k JOIN tables_table t ON t.id = k.table_id
   WHERE t.premises_id = %(house)s AND k.state = 'waiting'
   GROUP BY t.code
  UNION ALL
  SELECT 'Request', initcap(replace(q.kind, '_', '-')) || ' of ' || j.code || ', number ' || q.id, q.asked_at,
         q.asked_by_name, a.amount, '/office/requests/' || q.id || '/', '/office/requests/?kind=adjustments', 2
    FROM jackpot_request q JOIN jackpot_adjustment a ON a.request_ptr_id = q.id
    JOIN jackpot_jackpot j ON j.id = q.jackpot_id
   WHERE q.premises_id = %(house)s AND q.state IN ('asked', 'previewed')
  UNION ALL
  SELECT 'Terms', 'Change ' || q.number || ' of ' || j.code, q.asked_at, q.asked_by_name, NULL,
         '/office/requests/' || q.id || '/', '/office/requests/?kind=terms', 3
    FROM jackpot_request q JOIN jackpot_jackpot j ON j.id = q.jackpot_id
   WHERE q.premises_id = %(house)s AND q.kind = 'terms' AND q.state IN ('asked', 'previewed')
  UNION ALL
  SELECT 'Authority', 'Change ' || q.number, q.asked_at, q.asked_by_name, NULL, '/office/requests/' || q.id || '/',
         '/office/requests/?kind=authority', 4
    FROM jackpot_request q
   WHERE q.premises_id = %(house)s AND q.kind = 'authority' AND q.state IN ('asked', 'previewed')
  UNION ALL
  SELECT 'Other request', initcap(replace(q.kind, '_', ' ')) || coalesce(' of ' || j.code, '') || ', number ' || q.id,
         q.asked_at, q.asked_by_name, NULL, '/office/requests/' || q.id || '/', '/office/requests/', 4
    FROM jackpot_request q LEFT JOIN jackpot_jackpot j ON j.id = q.jackpot_id
   WHERE q.premises_id = %(house)s AND q.state IN ('asked', 'previewed') AND q.kind NOT IN ({BY_THEMSELVES})
     AND NOT EXISTS (SELECT FROM jackpot_adjustment a WHERE a.request_ptr_id = q.id)
  UNION ALL
  SELECT 'Unclaimed slip', 'Slip ' || w.slip || ', ' || w.line_name, w.logged_at, '', w.amount,
         '/wins/' || w.slip || '/', '/office/reports/unclaimed/', 5
    FROM jackpot_win w WHERE w.premises_id = %(house)s AND w.state = 'owed' AND w.slip IS NOT NULL
  UNION ALL
  SELECT 'Paid in error', 'Slip ' || w.slip || ', ' || w.line_name, e.occurred_at, y.payer_name, y.net - coalesce(
         (SELECT sum(c.net) FROM jackpot_windowreceipt c WHERE c.payment_id = y.id), 0),
         '/office/cage/' || w.slip || '/', '/office/reports/paid-in-error/', 5
    FROM jackpot_payment y JOIN jackpot_win w ON w.id = y.win_id AND w.state = 'backed_out'
    JOIN jackpot_entry e ON e.jackpot_id = w.jackpot_id AND e.kind <> 'coin_in' AND e.key = 'back_out/' || w.id
   WHERE y.premises_id = %(house)s
     AND (y.net > coalesce((SELECT sum(c.net) FROM jackpot_windowreceipt c WHERE c.payment_id = y.id), 0)
          OR NOT EXISTS (SELECT FROM jackpot_windowreceipt c WHERE c.payment_id = y.id))
  UNION ALL
  SELECT 'Evidence without a file', initcap(replace(q.kind, '_', '-')) || coalesce(' of ' || j.code, '')
         || ', number ' || q.id, q.asked_at, q.asked_by_name, NULL, '/office/requests/' || q.id || '/',
         '/office/requests/', 6
    FROM jackpot_request q JOIN jackpot_property h ON h.id = q.premises_id AND h.evidence_files
    LEFT JOIN jackpot_jackpot j ON j.id = q.jackpot_id
   WHERE q.premises_id = %(house)s AND q.state IN ('asked', 'previewed') AND q.evidence <> ''
     AND NOT EXISTS (SELECT FROM jackpot_requestevidence e WHERE e.request_id = q.id)
  UNION ALL
  SELECT CASE WHEN n.due_at < %(now)s THEN 'Notice overdue' ELSE 'Notice' END,
         'Tell ' || n.to || ': ' || n.subject, n.raised_at, n.owner, NULL, '/office/notices/' || n.id || '/',
         '/office/notices/' || CASE WHEN n.due_at < %(now)s THEN '?state=overdue' ELSE '' END, 12
    FROM jackpot_notice n LEFT JOIN jackpot_win w ON w.id = n.win_id
   WHERE n.premises_id = %(house)s AND n.done_at IS NULL AND (w.id IS NULL OR w.state = 'owed')
  UNION ALL
  SELECT 'Page not printed', 'Slip ' || p.slip || ' at ' || r.code || CASE WHEN k.state = 'givenup' THEN ', given up'
         ELSE '' END, c.printed_at, c.printed_by, NULL, '/wins/' || p.slip || '/', '/office/wins/', 7
    FROM accounting_printjob k JOIN accounting_copy c ON c.id = k.copy_id JOIN accounting_winpage p ON p.id = c.page_id
    JOIN accounting_printer r ON r.id = k.printer_id
   WHERE r.premises_id = %(house)s AND (k.state IN ('givenup', 'failed')
         OR k.state = 'queued' AND c.printed_at < %(now)s - interval '1 minute')
  UNION ALL
  SELECT 'Overdue work', e.code, e.owed_since, 'worker', NULL, '', '', 8
    FROM jackpot_errand e WHERE e.owed_since < %(now)s - e.alarm_after
  UNION ALL
  SELECT 'Webhook failing', h.name || ', number ' || h.id, h.failing_since, 'worker', NULL,
         '/office/webhooks/' || h.id || '/', '/office/webhooks/', 13
    FROM accounting_webhook h
   WHERE h.premises_id = %(house)s AND h.alarmed_at IS NOT NULL AND h.paused_at IS NULL AND h.retired_at IS NULL
  UNION ALL
  SELECT 'Backup', coalesce('The last was ' || last.subject, 'None was ever made'), due.at, 'shell', NULL, '', '', 8
    FROM (SELECT) here
    LEFT JOIN LATERAL (SELECT at, subject FROM jackpot_trail WHERE act = 'backup' ORDER BY at DESC, id DESC
                        LIMIT 1) last ON true
   CROSS JOIN LATERAL (SELECT coalesce(last.at, (SELECT min(o.created_at) FROM jackpot_operator o
                         WHERE o.premises_id = %(house)s)) + interval '{BACKUP_HOURS} hours' AS at) due
   WHERE due.at < %(now)s
  UNION ALL
  SELECT 'People', CASE q.kind WHEN 'people' THEN coalesce(q.preview->>'what', 'A person') ELSE 'Review of rights' END,
         q.asked_at, q.asked_by_name, NULL, '/office/requests/' || q.id || '/', '/office/people/', 9
    FROM jackpot_request q
   WHERE q.premises_id = %(house)s AND q.kind IN ('people', 'people_review') AND q.state IN ('asked', 'previewed')
  UNION ALL
  SELECT 'Way out', coalesce(q.payload->>'name', '') || ', number ' || q.id, q.asked_at, q.asked_by_name, NULL,
         '/office/requests/' || q.id || '/', '/office/requests/', 9
    FROM jackpot_request q
   WHERE q.premises_id = %(house)s AND q.kind IN ({WAYS_OUT}) AND q.state IN ('asked', 'previewed')
  UNION ALL
  SELECT 'Program stopped', t.name || ', with ' || coalesce(gone.name, giver.name),
         coalesce(t.revoked_at, t.last_used_at, t.given_at), '', NULL, '/office/programs/', '/office/programs/', 13
    FROM accounting_programtoken t JOIN jackpot_operator giver ON giver.id = t.given_by_id
    LEFT JOIN jackpot_operator gone ON gone.id = t.ended_with_id
   WHERE t.premises_id = %(house)s AND t.ends_at > %(now)s
     AND (t.ended_with_id IS NOT NULL OR t.revoked_at IS NULL AND NOT giver.is_active)
     AND NOT EXISTS (SELECT FROM accounting_programtoken n
                      WHERE n.premises_id = t.premises_id AND n.name = t.name AND n.id > t.id)
  UNION ALL
  SELECT 'Gaming day', CASE q.kind WHEN 'reopen_day' THEN 'Reopening of ' || (q.payload->>'day')
         ELSE (SELECT 'Explanation of ' || x.subject || ', ' || x.day FROM accounting_explanation x
                WHERE x.request_ptr_id = q.id) END,
         q.asked_at, q.asked_by_name, NULL, '/office/requests/' || q.id || '/', '/office/days/', 11
    FROM jackpot_request q
   WHERE q.premises_id = %(house)s AND q.kind IN ('explanation', 'reopen_day') AND q.state IN ('asked', 'previewed')
  UNION ALL
  SELECT 'Day not closed',
         'Gaming day ' || d.day || CASE last.act WHEN 'sign' THEN ', signed by one person' ELSE '' END, d.at,
         '', NULL, '/office/days/' || d.day || '/', '/office/days/', 11
    FROM generate_series(%(today)s::date - {LOOKED_BACK_DAYS}, %(today)s::date - 1, '1 day') AS lately (day)
   CROSS JOIN LATERAL (SELECT s.day, s.at FROM accounting_daysnapshot s
                        WHERE s.premises_id = %(house)s AND s.day = lately.day::date LIMIT 1) d
    LEFT JOIN LATERAL (SELECT g.act FROM accounting_daysignature g
                        WHERE g.premises_id = %(house)s AND g.day = d.day ORDER BY g.id DESC LIMIT 1) last ON true
   WHERE coalesce(last.act, '') NOT IN ({CLOSES})
  UNION ALL
  SELECT 'Review of rights overdue', 'Everybody’s rights', due.at, '', NULL, '/office/people-review/',
         '/office/people-review/', 10
    FROM (SELECT coalesce((SELECT max(q.decided_at) FROM jackpot_request q WHERE q.premises_id = %(house)s
                              AND q.kind = 'people_review' AND q.state = 'in_force'),
                          (SELECT min(o.created_at) FROM jackpot_operator o WHERE o.premises_id = %(house)s))
                 + interval '{QUARTER_DAYS} days' AS at) due
   WHERE due.at < %(now)s
) x
"""
EXCEPTIONS: Final = OfficeReport(
    code="waiting", title="Exceptions by age", group=ReportGroup.MONEY,
    about="Everything that waits for somebody, the oldest first: hits, requests, slips, paper, days, overdue work.",
    columns=(
        ReportColumn("what", "What"), ReportColumn("subject", "Which", leads="{href}"),
        ReportColumn("age", "Waits for", ColumnKind.AGE), ReportColumn("since", "Since", ColumnKind.MOMENT),
        ReportColumn("who", "By"), ReportColumn("amount", "Amount", ColumnKind.MONEY, total=True),
    ),
    hidden=("href", "list", "place"), takes=(), order=("since", "place"),
    source=Selected(EVERYTHING), verbs=("read_books", "close_day", "adjust"),
)  # fmt: skip
WAITING_REPORTS: Final = (EXCEPTIONS,)

COUNTED: Final = f"""
SELECT what, list, place, count(*), min(since), sum(amount) FROM ({EVERYTHING}) y GROUP BY 1, 2, 3 ORDER BY 3
"""

_PIT: Final = frozenset({"run_tables", "approve", "verify"})
_ADJUST: Final = frozenset({"adjust", "sign_adjustments"})
_TERMS: Final = frozenset({"configure"})
_WINDOW: Final = frozenset({"pay"})
_DAY: Final = frozenset({"close_day"})
_RIGHTS: Final = frozenset({"people"})
_SERVES: Final = frozenset({"people", "service"})
_TELLS: Final = _ADJUST | _TERMS | _WINDOW | _DAY | _RIGHTS
# Of each kind what several are called, and whose work it is.
KINDS: Final[Mapping[str, tuple[str, frozenset[str]]]] = {
    "Hit": ("Hits", _PIT), "Table kept back": ("Tables kept back", _PIT), "Request": ("Requests", _ADJUST),
    "Terms": ("Changes of terms", _TERMS), "Authority": ("Changes of authority", _TERMS | _RIGHTS),
    "Other request": ("Other requests", _ADJUST | _TERMS | {"set_up"}),
    "Unclaimed slip": ("Unclaimed slips", _WINDOW),
    "Paid in error": ("Slips paid in error", _WINDOW),
    "Evidence without a file": ("Requests without a file of evidence", _TELLS - _WINDOW),
    "Notice": ("Notices", _TELLS), "Notice overdue": ("Notices overdue", _TELLS),
    "Page not printed": ("Pages not printed", _WINDOW), "Overdue work": ("Works overdue", _SERVES),
    "Webhook failing": ("Webhooks failing", _RIGHTS), "Program stopped": ("Programs that stopped", _RIGHTS),
    "Way out": ("Requests for ways out of the house", _RIGHTS), "Backup": ("Backups", _SERVES),
    "People": ("Requests about people", _RIGHTS), "Gaming day": ("Requests about gaming days", _DAY),
    "Day not closed": ("Days not closed", _DAY | {"count"}),
    "Review of rights overdue": ("Reviews of rights overdue", _RIGHTS), "Alarm": ("Alarms", _SERVES),
}  # fmt: skip

ONE: Final[Mapping[str, str]] = {
    "Terms": "Change of terms", "Authority": "Change of authority", "Paid in error": "Slip paid in error",
    "Evidence without a file": "Request without a file of evidence", "Overdue work": "Work overdue",
    "People": "Request about people", "Way out": "Request for a way out of the house",
    "Program stopped": "Program that stopped", "Gaming day": "Request about a gaming day",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class WaitingKind:
    """How many of one kind wait, since when the oldest does, and where they are all seen."""

    what: str
    where: str
    count: int
    since: datetime
    amount: Any

    @property
    def called(self) -> str:
        return KINDS[self.what][0] if self.count > 1 else ONE.get(self.what, self.what)


def waiting_now(question: ReportQuestion) -> list[WaitingKind]:
    """One line for each kind of which something waits."""
    with connection.cursor() as cursor:
        cursor.execute(COUNTED, question.values)
        return [
            WaitingKind(what, where, count, since, amount) for what, where, _, count, since, amount in cursor.fetchall()
        ]


def waiting_for(question: ReportQuestion, verbs: frozenset[str]) -> list[WaitingKind]:
    """Of all that waits what is the work of somebody with these verbs."""
    return [kind for kind in waiting_now(question) if KINDS[kind.what][1] & verbs]
