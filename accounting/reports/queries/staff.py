"""People: who undid, adjusted and overrode how much of what they did, and who may do what."""

from __future__ import annotations

from typing import Final

from accounting.reports.rules.declaring import (
    WIDE,
    ColumnKind,
    LongText,
    OfficeReport,
    ReportColumn,
    ReportFilter,
    ReportGroup,
    Selected,
)

WHOLE, PERCENT = ColumnKind.WHOLE, ColumnKind.PERCENT

# Requests and signatures name people by key. A void and a second count stand in the trail, by the name of that day.
EXCEPTIONS_BY_PERSON: Final = """
WITH acts(person, what, sum) AS (
  SELECT o.name, 'asked', coalesce(abs(a.amount), 0) FROM jackpot_request q
    JOIN jackpot_adjustment a ON a.request_ptr_id = q.id JOIN jackpot_operator o ON o.id = q.asked_by_id
   WHERE q.premises_id = %(house)s AND q.asked_at >= %(begins)s AND q.asked_at < %(ends)s
  UNION ALL
  SELECT o.name, CASE WHEN q.state = 'refused' THEN 'refused' ELSE 'signed' END, 0 FROM jackpot_request q
    JOIN jackpot_adjustment a ON a.request_ptr_id = q.id JOIN jackpot_operator o ON o.id = q.decided_by_id
   WHERE q.premises_id = %(house)s AND q.decided_at >= %(begins)s AND q.decided_at < %(ends)s
  UNION ALL
  SELECT o.name, CASE s.part WHEN 'approve' THEN 'approved' WHEN 'pay' THEN 'paid' ELSE 'overrode' END, 0
    FROM jackpot_signature s JOIN jackpot_operator o ON o.id = s.operator_id JOIN jackpot_win w ON w.id = s.win_id
    JOIN jackpot_jackpot j ON j.id = w.jackpot_id
   WHERE j.premises_id = %(house)s AND s.at >= %(begins)s AND s.at < %(ends)s
     AND s.part IN ('approve', 'pay', 'override', 'cards', 'rejoin', 'claim')
  UNION ALL
  SELECT t.actor, CASE t.act WHEN 'void' THEN 'voided' ELSE 'recounted' END, 0 FROM jackpot_trail t
    JOIN tables_table tb ON tb.code = split_part(t.subject, '/', 1)
   WHERE tb.premises_id = %(house)s AND t.act IN ('void', 'recount') AND t.outcome = 'done'
     AND t.at >= %(begins)s AND t.at < %(ends)s
  UNION ALL
  SELECT c.printed_by, 'reprinted', 0 FROM accounting_copy c JOIN accounting_winpage p ON p.id = c.page_id
    JOIN jackpot_win w ON w.id = p.win_id
   WHERE w.premises_id = %(house)s AND c.kind = 'reprint' AND c.printed_at >= %(begins)s AND c.printed_at < %(ends)s
)
SELECT person, count(*) FILTER (WHERE what = 'asked') AS asked, sum(sum) AS amount,
       count(*) FILTER (WHERE what = 'signed') AS signed, count(*) FILTER (WHERE what = 'refused') AS refused,
       count(*) FILTER (WHERE what = 'overrode') AS overrode, count(*) FILTER (WHERE what = 'voided') AS voided,
       count(*) FILTER (WHERE what = 'recounted') AS recounted, count(*) FILTER (WHERE what = 'reprinted') AS reprinted,
       count(*) FILTER (WHERE what IN ('approved', 'paid')) AS usual, count(*) AS acts,
       100.0 * count(*) FILTER (WHERE what NOT IN ('approved', 'paid')) / count(*) AS ratio
  FROM acts WHERE %(person)s = '' OR person ILIKE '%%' || %(person)s || '%%'
 GROUP BY person
"""
BY_PERSON: Final = OfficeReport(
    code="exceptions-by-person", title="Adjustments, overrides and voids by person", group=ReportGroup.PEOPLE,
    about="What each person asked for, signed, overrode, voided, counted again and printed again.", period="this month",
    note="The ratio is exceptions among all acts counted here. Voids stand under the name of that day.",
    columns=(
        ReportColumn("person", "Person"), ReportColumn("asked", "Requests", WHOLE, total=True),
        ReportColumn("amount", "Amounts asked", ColumnKind.MONEY, total=True),
        ReportColumn("signed", "Signed", WHOLE, total=True),
        ReportColumn("refused", "Refused", WHOLE, total=True, room=WIDE),
        ReportColumn("overrode", "Overrides", WHOLE, total=True), ReportColumn("voided", "Voids", WHOLE, total=True),
        ReportColumn("recounted", "Second counts", WHOLE, total=True, room=WIDE),
        ReportColumn("reprinted", "Reprints", WHOLE, total=True, room=WIDE),
        ReportColumn("usual", "Approved and paid", WHOLE, total=True, room=WIDE),
        ReportColumn("acts", "All acts", WHOLE, total=True),
        ReportColumn("ratio", "Exceptions", PERCENT),
    ),
    takes=(ReportFilter.PERIOD, ReportFilter.PERSON), order=("-ratio", "person"),
    source=Selected(EXCEPTIONS_BY_PERSON),
)  # fmt: skip

# The trail keeps every sign-in by user name; `last_login` is Django's own note of the same.
RIGHTS: Final = """
SELECT o.name AS person, o.username, coalesce(r.names, 'none') AS roles, coalesce(r.verbs, '') AS may,
       coalesce(c.cards, '') AS cards,
       CASE WHEN NOT o.is_active THEN 'dismissed' WHEN o.password NOT LIKE '!%%' THEN 'may sign in'
            WHEN c.cards IS NULL THEN 'no way in yet' ELSE 'card only' END AS state,
       o.created_at, o.last_login
  FROM jackpot_operator o
  LEFT JOIN LATERAL (
    SELECT string_agg(DISTINCT r.name, ', ') AS names, string_agg(DISTINCT verb, ' ' ORDER BY verb) AS verbs
      FROM jackpot_operator_roles m JOIN jackpot_role r ON r.id = m.role_id LEFT JOIN unnest(r.may) AS verb ON true
     WHERE m.operator_id = o.id
  ) r ON true
  LEFT JOIN LATERAL (
    SELECT string_agg('•••• ' || k.last_four || ' ' || CASE k.level WHEN 1 THEN 'dealer' WHEN 2 THEN 'supervisor'
                      ELSE 'executive' END || CASE WHEN k.blocked_at IS NOT NULL THEN ', blocked'
                      WHEN k.locked_at IS NOT NULL THEN ', locked' WHEN k.expires_on < %(today)s THEN ', expired'
                      ELSE '' END, '; ' ORDER BY k.id) AS cards
      FROM jackpot_card k WHERE k.operator_id = o.id
  ) c ON true
 WHERE o.premises_id = %(house)s AND (%(person)s = '' OR o.name ILIKE '%%' || %(person)s || '%%')
"""
ACCESS: Final = OfficeReport(
    code="access", title="Rights and access review", group=ReportGroup.PEOPLE,
    about="Everybody of the house: roles, what they may do, cards with their level, and when they signed in last.",
    verbs=("read_books", "read_trail", "people"),
    columns=(
        ReportColumn("person", "Person"), ReportColumn("username", "User name", room=WIDE),
        ReportColumn("state", "State"),
        ReportColumn("roles", "Roles"), ReportColumn("cards", "Cards", room=WIDE),
        ReportColumn("last_login", "Last sign-in", ColumnKind.MOMENT),
        ReportColumn("created_at", "Hired", ColumnKind.MOMENT, room=WIDE),
        ReportColumn("may", "May", text=LongText.LINES),
    ),
    takes=(ReportFilter.PERSON,), order=("person", "username"), source=Selected(RIGHTS),
)  # fmt: skip

STAFF_REPORTS: Final = (BY_PERSON, ACCESS)
