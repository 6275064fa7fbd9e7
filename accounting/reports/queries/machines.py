"""Machines: which software they run, what signs said they showed, and where that differed from the books."""

from __future__ import annotations

from dataclasses import asdict
from typing import Final

from accounting.reports.rules.declaring import (
    WIDE,
    ColumnKind,
    OfficeReport,
    Reckoned,
    ReckonedRows,
    ReportColumn,
    ReportFilter,
    ReportGroup,
    ReportQuestion,
    Selected,
)
from jackpot.property.models.property import Property
from tables.floor.queries.components import FITS, NO_RULE, components_of

MOMENT: Final = ColumnKind.MOMENT


def installed(question: ReportQuestion) -> ReckonedRows:
    """The server first, then every device; a table that was asked for shows the machines that stand there."""
    lines = components_of(Property.objects.get(pk=question.premises_id))
    rows = [asdict(line) for line in lines if not question.table or line.place == question.table]
    failing = sum(line.verdict not in (FITS, NO_RULE) for line in lines)
    return ReckonedRows(rows, f"{failing} of {len(lines)} do not run what their rule wants.")


DEVICE_VERSIONS: Final = OfficeReport(
    code="device-versions", title="Components and versions", group=ReportGroup.HOUSE,
    about="The server, every controller, sign and coin spot with its software, and whether its rule admits it.",
    columns=(
        ReportColumn("code", "Component"), ReportColumn("kind", "Kind"), ReportColumn("model", "Model"),
        ReportColumn("place", "At"), ReportColumn("serial", "Serial", room=WIDE), ReportColumn("version", "Version"),
        ReportColumn("wanted", "Wanted", room=WIDE), ReportColumn("verdict", "Fits"),
        ReportColumn("approval", "Approved under"),
        ReportColumn("state", "State"), ReportColumn("enrolled_at", "Enrolled", MOMENT, room=WIDE),
        ReportColumn("last_seen_at", "Last seen", MOMENT),
    ),
    hidden=("keeps_closed",), takes=(ReportFilter.TABLE,), order=("kind", "code"), source=Reckoned(installed),
    verbs=("read_books", "close_day", "service"),
    note="Rules are set under Setting up, Software; the rule of a model goes before that of its kind.",
)  # fmt: skip

# As a sign cuts it: by the digits that the currency has under the terms of that very entry, as the close does.
CUT: Final = "trunc(e.meter_after, coalesce((v.terms::jsonb ->> 'digits')::int, 2))"
DISAGREED: Final = f"""
SELECT t.at, t.subject AS sign, t.details ->> 'jackpot' AS jackpot, (t.details ->> 'shown')::numeric AS shown,
       e.meter_after AS books, (t.details ->> 'shown')::numeric - {CUT} AS difference,
       (t.details ->> 'version')::bigint AS seq, t.why
  FROM jackpot_trail t
  JOIN tables_sign s ON s.code = t.subject
  LEFT JOIN jackpot_jackpot j ON j.code = t.details ->> 'jackpot'
  LEFT JOIN jackpot_entry e ON e.jackpot_id = j.id AND e.seq = (t.details ->> 'version')::bigint
  LEFT JOIN jackpot_version v ON v.id = e.version_id
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
READ: Final = f"""
SELECT r.day, r.shift, j.code AS jackpot, r.sign, r.read_at, o.name AS person, r.shown,
       {CUT} AS books,
       r.shown - {CUT} AS difference, e.seq
  FROM accounting_meterreading r JOIN jackpot_jackpot j ON j.id = r.jackpot_id
  JOIN jackpot_operator o ON o.id = r.person_id
  LEFT JOIN LATERAL (
    SELECT b.meter_after, b.seq, b.version_id FROM jackpot_entry b
     WHERE b.jackpot_id = r.jackpot_id AND b.occurred_at <= r.read_at ORDER BY b.seq DESC LIMIT 1
  ) e ON true
  LEFT JOIN jackpot_version v ON v.id = e.version_id
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

INSTALLS: Final = """
SELECT b.at, b.program, left(b.build, 12) AS build, left(b.before, 12) AS before, b.host,
       (SELECT count(*) FROM jsonb_object_keys(b.files)) AS files, jsonb_array_length(b.changed) AS changed,
       (SELECT string_agg(path, ', ') FROM (SELECT path FROM jsonb_array_elements_text(b.changed) path LIMIT 5) five)
         AS first_changed
  FROM jackpot_installedbuild b WHERE b.at >= %(begins)s AND b.at < %(ends)s
"""
BUILDS: Final = OfficeReport(
    code="installs", title="Installed programs", group=ReportGroup.HOUSE, period="this month",
    about="Every program that began to serve here, by the digest of all its files, and what changed since then.",
    columns=(
        ReportColumn("at", "Noticed", MOMENT), ReportColumn("program", "Program"), ReportColumn("build", "Build"),
        ReportColumn("before", "Before"), ReportColumn("host", "Machine"),
        ReportColumn("files", "Files", ColumnKind.WHOLE), ReportColumn("changed", "Changed", ColumnKind.WHOLE),
        ReportColumn("first_changed", "Among them"),
    ),
    takes=(ReportFilter.PERIOD,), order=("-at",), source=Selected(INSTALLS),
    verbs=("read_books", "close_day", "service", "read_trail"),
    note="A build is the SHA-256 of the list of its files as sha256sum writes it; manage.py build prints the list.",
)  # fmt: skip

# What a box stored is told when it is back: such a round is opened later than it was played.
SILENT: Final = """
SELECT o.began_at, o.ended_at, extract(epoch FROM o.ended_at - o.began_at)::bigint AS lasted, t.code AS table_code,
       d.code AS device, o.table_state,
       (SELECT count(*) FROM tables_round r WHERE r.table_id = o.table_id AND r.opened_at >= o.began_at
           AND r.opened_at < o.ended_at + interval '1 day' AND r.played_at >= o.began_at
           AND r.played_at < o.ended_at) AS stored
  FROM tables_outage o JOIN tables_table t ON t.id = o.table_id JOIN tables_device d ON d.id = o.device_id
 WHERE t.premises_id = %(house)s AND o.ended_at >= %(begins)s AND o.began_at < %(ends)s
   AND (%(table)s = '' OR t.code = %(table)s)
"""
OUTAGES: Final = OfficeReport(
    code="outages", title="Outages of boxes", group=ReportGroup.HOUSE, period="this month",
    about="When the box of a table was not heard for fifteen seconds or more: last word, first word after, and what"
    " was played meanwhile.",
    columns=(
        ReportColumn("began_at", "Last heard", MOMENT), ReportColumn("ended_at", "Heard again", MOMENT),
        ReportColumn("lasted", "For", ColumnKind.AGE),
        ReportColumn("table_code", "Table", leads="/pit/tables/{table_code}/"),
        ReportColumn("device", "Box"), ReportColumn("table_state", "Table then"),
        ReportColumn("stored", "Coin-ins told later", ColumnKind.WHOLE, total=True),
    ),
    takes=(ReportFilter.PERIOD, ReportFilter.TABLE), order=("-began_at",), source=Selected(SILENT),
    verbs=("read_books", "close_day", "service"),
    note="A box that is silent now is an alarm and no line yet. One that was switched off is a line, too.",
)  # fmt: skip

MACHINE_REPORTS: Final = (DEVICE_VERSIONS, BUILDS, READINGS, SIGN_REPORTS, OUTAGES)
