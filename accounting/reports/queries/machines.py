"""Machines: which software they run, what signs said they showed, and where that differed from the books."""

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

MOMENT: Final = ColumnKind.MOMENT

# A rule “at least” compares versions part by part, as numbers: 2.10 is newer than 2.9.
INSTALLED: Final = """
SELECT d.code,
       CASE d.kind WHEN 'controller' THEN 'table controller' WHEN 'coin_spot' THEN 'coin spot' ELSE d.kind END AS kind,
       coalesce(t.code, s.code, '') AS place, d.serial, d.version,
       CASE WHEN r.id IS NULL THEN 'no rule'
            ELSE (CASE r.rule WHEN 'exact' THEN 'exactly ' ELSE 'at least ' END) || r.version END AS wanted,
       CASE WHEN r.id IS NULL THEN '' WHEN d.version = r.version THEN 'fits'
            WHEN r.rule = 'minimum' AND d.version ~ '^[0-9]+([.][0-9]+)*$' AND r.version ~ '^[0-9]+([.][0-9]+)*$'
                 AND string_to_array(d.version, '.')::int[] >= string_to_array(r.version, '.')::int[] THEN 'fits'
            ELSE 'does not fit' END AS fits,
       d.state, d.enrolled_at, d.last_seen_at
  FROM tables_device d LEFT JOIN tables_table t ON t.id = d.table_id LEFT JOIN tables_sign s ON s.id = d.sign_id
  LEFT JOIN tables_versionrule r ON r.kind = d.kind
 WHERE coalesce(t.premises_id, s.premises_id) = %(house)s AND (%(table)s = '' OR t.code = %(table)s)
"""
DEVICE_VERSIONS: Final = OfficeReport(
    code="device-versions", title="Device versions", group=ReportGroup.HOUSE,
    about="Every controller, sign and coin spot with its software, and whether the rule of its kind admits it.",
    columns=(
        ReportColumn("code", "Device"), ReportColumn("kind", "Kind"), ReportColumn("place", "At"),
        ReportColumn("serial", "Serial"), ReportColumn("version", "Version"), ReportColumn("wanted", "Wanted"),
        ReportColumn("fits", "Fits"), ReportColumn("state", "State"),
        ReportColumn("enrolled_at", "Enrolled", MOMENT), ReportColumn("last_seen_at", "Last seen", MOMENT),
    ),
    takes=(ReportFilter.TABLE,), order=("code",), source=Selected(INSTALLED),
    verbs=("read_books", "close_day", "service"),
)  # fmt: skip

DISAGREED: Final = """
SELECT t.at, t.subject AS sign, t.details ->> 'jackpot' AS jackpot, (t.details ->> 'shown')::numeric AS shown,
       e.meter_after AS books, (t.details ->> 'shown')::numeric - trunc(e.meter_after, 2) AS difference,
       (t.details ->> 'version')::bigint AS seq, t.why
  FROM jackpot_trail t
  JOIN tables_sign s ON s.code = t.subject
  LEFT JOIN jackpot_jackpot j ON j.code = t.details ->> 'jackpot'
  LEFT JOIN jackpot_entry e ON e.jackpot_id = j.id AND e.seq = (t.details ->> 'version')::bigint
 WHERE t.act = 'sign_report' AND t.outcome = 'disagrees' AND s.premises_id = %(house)s
   AND t.at >= %(begins)s AND t.at < %(ends)s AND (%(jackpot)s = '' OR j.code = %(jackpot)s)
"""
SIGN_REPORTS: Final = OfficeReport(
    code="sign-reports", title="Signs that disagreed", group=ReportGroup.HOUSE, period="this month",
    about="When a sign said by itself that it showed something that the books did not bear out.",
    note="Signs report what they show every few seconds; only disagreements are kept, each when it began.",
    columns=(
        ReportColumn("at", "When", MOMENT), ReportColumn("sign", "Sign", leads="/signs/{sign}/"),
        ReportColumn("jackpot", "Jackpot"), ReportColumn("shown", "Shown", ColumnKind.MONEY),
        ReportColumn("books", "Books at that entry", ColumnKind.MONEY),
        ReportColumn("difference", "Difference", ColumnKind.MONEY),
        ReportColumn("seq", "Entry", ColumnKind.WHOLE, leads="/jackpots/{jackpot}/ledger/{seq}/"),
        ReportColumn("why", "Why"),
    ),
    takes=(ReportFilter.PERIOD, ReportFilter.JACKPOT), order=("-at",), source=Selected(DISAGREED),
)  # fmt: skip

# What people typed, beside the meter after the last entry before that moment, cut as a sign cuts it.
READ: Final = """
SELECT r.day, r.shift, j.code AS jackpot, r.sign, r.read_at, o.name AS person, r.shown,
       trunc(e.meter_after, 2) AS books,
       r.shown - trunc(e.meter_after, 2) AS difference, e.seq
  FROM accounting_meterreading r JOIN jackpot_jackpot j ON j.id = r.jackpot_id
  JOIN jackpot_operator o ON o.id = r.person_id
  LEFT JOIN LATERAL (
    SELECT b.meter_after, b.seq FROM jackpot_entry b
     WHERE b.jackpot_id = r.jackpot_id AND b.occurred_at <= r.read_at ORDER BY b.seq DESC LIMIT 1
  ) e ON true
 WHERE r.premises_id = %(house)s AND r.day BETWEEN %(first)s AND %(last)s
   AND (%(jackpot)s = '' OR j.code = %(jackpot)s) AND (%(shift)s = '' OR r.shift = %(shift)s)
   AND (%(person)s = '' OR o.name ILIKE '%%' || %(person)s || '%%')
"""
READINGS: Final = OfficeReport(
    code="sign-readings", title="Sign readings", group=ReportGroup.HOUSE, period="this week",
    about="What people read off the signs, shift by shift, beside the books of that minute.",
    columns=(
        ReportColumn("day", "Gaming day", ColumnKind.DAY), ReportColumn("shift", "Shift"),
        ReportColumn("jackpot", "Jackpot"), ReportColumn("sign", "Sign"), ReportColumn("read_at", "Read", MOMENT),
        ReportColumn("person", "By"), ReportColumn("shown", "Shown", ColumnKind.MONEY),
        ReportColumn("books", "Books", ColumnKind.MONEY), ReportColumn("difference", "Difference", ColumnKind.MONEY),
        ReportColumn("seq", "Entry", ColumnKind.WHOLE, leads="/jackpots/{jackpot}/ledger/{seq}/"),
    ),
    takes=(ReportFilter.PERIOD, ReportFilter.JACKPOT, ReportFilter.SHIFT, ReportFilter.PERSON),
    order=("-read_at",), source=Selected(READ),
)  # fmt: skip

MACHINE_REPORTS: Final = (DEVICE_VERSIONS, READINGS, SIGN_REPORTS)
