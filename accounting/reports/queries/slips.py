"""The slips of a house: the register with tax, approvers and payment, gaps in their numbers, what is unclaimed."""

from __future__ import annotations

from typing import Any, Final

from babel.numbers import get_currency_precision
from django.db import connection

from accounting.reports.queries.shifts import shift_join
from accounting.reports.rules.declaring import (
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
from jackpot.money import Money, units_of
from jackpot.property.models.property import Property
from jackpot.property.queries import tax_rules
from jackpot.property.rules.tax import TaxDue, TaxRule, rule_on, tax_on, tax_on_more
from jackpot.wins.rules.win_life import SPOKEN, WinState

MONEY, WHOLE, DAY, MOMENT = ColumnKind.MONEY, ColumnKind.WHOLE, ColumnKind.DAY, ColumnKind.MOMENT
TO_THE_SLIP: Final = "/office/wins/{slip}/"
OPENS: Final = ("read_books", "close_day", "pay")

SHIFT: Final = shift_join("w.gaming_day", "(w.logged_at AT TIME ZONE p.time_zone)")
REGISTER: Final = f"""
SELECT w.slip, w.gaming_day AS day, w.logged_at, shift.name AS shift, j.code AS jackpot, w.table_code, w.round_number,
       w.seat,
       w.line_name AS hand, w.amount, w.state, w.paid_at, w.paid_by, w.paper ->> 'wager' AS wager,
       w.paper #>> '{{difference,was}}' AS was, w.paper #>> '{{difference,would_be}}' AS would_be,
       coalesce(a.names, '') AS approved_by, upper(left(w.paid_method, 1))
       || substr(w.paid_method, 2) AS method
  FROM jackpot_win w JOIN jackpot_jackpot j ON j.id = w.jackpot_id JOIN jackpot_property p ON p.id = w.premises_id
  {SHIFT}
  LEFT JOIN LATERAL (
    SELECT string_agg(o.name, ', ' ORDER BY g.at, g.id) AS names
      FROM jackpot_signature g JOIN jackpot_operator o ON o.id = g.operator_id
     WHERE g.win_id = coalesce(w.envy_of_id, w.id) AND g.part IN ('approve', 'override', 'cards', 'difference')
  ) a ON true
 WHERE w.premises_id = %(house)s AND w.slip IS NOT NULL AND w.gaming_day BETWEEN %(first)s AND %(last)s
   AND (%(jackpot)s = '' OR j.code = %(jackpot)s) AND (%(table)s = '' OR w.table_code = %(table)s)
   AND (%(shift)s = '' OR shift.name = %(shift)s) AND (%(person)s = '' OR a.names ILIKE '%%' || %(person)s || '%%')
 ORDER BY w.slip
"""


def register(question: ReportQuestion) -> ReckonedRows:
    """Every slip of the days with what the tax rule of its day makes of it; a backed-out slip is worth nothing."""
    house = Property.objects.get(pk=question.premises_id)
    rules, digits = tax_rules(house), get_currency_precision(house.currency)
    with connection.cursor() as cursor:
        cursor.execute(REGISTER, question.values)
        names = [column[0] for column in cursor.description or ()]
        found = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
    rows = [_registered(row, rules, digits) for row in found]
    void = sum(row["void"] for row in rows)
    note = f"Of these, {void} {'is' if void == 1 else 'are'} backed out and counted with 0.00." if void else ""
    return ReckonedRows(rows, note)


def _registered(row: dict[str, Any], rules: list[TaxRule], digits: int) -> dict[str, Any]:
    void = row["state"] == WinState.BACKED_OUT
    amount = Money(0) if void else Money(units_of(row["amount"]))
    due = None if void else _tax(row, amount, rules, digits)
    withheld = due.withheld if due else Money(0)
    told = {
        "amount": amount.decimal(), "withheld": withheld.decimal(), "net": (amount - withheld).decimal(),
        "taxable": due.taxable.decimal() if due and due.reported else None,
        "report": "" if due is None else "required" if due.reported else "no",
        "state": SPOKEN[WinState(row["state"])], "void": int(void),
        "place": f"{row['table_code']}/{row['round_number']}",
    }  # fmt: skip
    return {**row, **told}


def _tax(row: dict[str, Any], amount: Money, rules: list[TaxRule], digits: int) -> TaxDue | None:
    """As the win page prints it: a difference is taxed as the rest of one award."""
    rule = rule_on(rules, row["day"])
    if rule is None:
        return None
    wager = Money.of(row["wager"])
    if row["would_be"] is None:
        return tax_on(rule, amount, wager, digits)
    was, whole = Money.of(row["was"]), Money.of(row["would_be"])
    return tax_on_more(tax_on(rule, was, wager, digits), tax_on(rule, whole, wager, digits))


WIN_REGISTER: Final = OfficeReport(
    code="wins", title="Win register", group=ReportGroup.WINS,
    about="Every slip with its hand, tax, approvers and payment.", verbs=OPENS,
    columns=(
        ReportColumn("slip", "Slip", WHOLE, leads=TO_THE_SLIP), ReportColumn("day", "Gaming day", DAY),
        ReportColumn("shift", "Shift"), ReportColumn("jackpot", "Jackpot"),
        ReportColumn("place", "Round", leads="/rounds/{table_code}/{round_number}/"),
        ReportColumn("seat", "Seat"), ReportColumn("hand", "Hand"),
        ReportColumn("amount", "Amount", MONEY, total=True),
        ReportColumn("report", "Tax report"), ReportColumn("taxable", "Taxable", MONEY, total=True),
        ReportColumn("withheld", "Withheld", MONEY, total=True),
        ReportColumn("net", "To the player", MONEY, total=True),
        ReportColumn("approved_by", "Approved by"), ReportColumn("logged_at", "Approved", MOMENT),
        ReportColumn("state", "State"), ReportColumn("method", "Paid in"), ReportColumn("paid_by", "Paid by"),
        ReportColumn("paid_at", "Paid", MOMENT),
    ),
    hidden=("table_code", "round_number"), source=Reckoned(register), order=("-slip",),
    takes=(
        ReportFilter.PERIOD, ReportFilter.JACKPOT, ReportFilter.TABLE, ReportFilter.SHIFT, ReportFilter.PERSON,
    ),
)  # fmt: skip

# Runs of numbers without a gap; what is missing behind a run lies before the next one, or before the counter.
RUNS: Final = """
SELECT run.first_slip, run.last_slip, run.slips,
       lead(run.first_slip, 1, c.next_slip) OVER (ORDER BY run.first_slip) - run.last_slip - 1 AS missing,
       CASE WHEN lead(run.first_slip, 1, c.next_slip) OVER (ORDER BY run.first_slip) - run.last_slip > 1
            THEN (run.last_slip + 1)::text || ' to '
                 || (lead(run.first_slip, 1, c.next_slip) OVER (ORDER BY run.first_slip) - 1)::text
            ELSE 'none' END AS gap
  FROM (
    SELECT min(slip) AS first_slip, max(slip) AS last_slip, count(*) AS slips
      FROM (
        SELECT w.slip, w.slip - row_number() OVER (ORDER BY w.slip) AS island
          FROM jackpot_win w WHERE w.premises_id = %(house)s AND w.slip IS NOT NULL
      ) numbered
     GROUP BY island
  ) run
  LEFT JOIN jackpot_slipcounter c ON c.premises_id = %(house)s
"""
SLIP_GAPS: Final = OfficeReport(
    code="slip-gaps", title="Slip gaps", group=ReportGroup.WINS,
    about="Every slip number that was given, in unbroken runs, and the numbers between them that are missing.",
    note="One run and nothing missing: every number up to the counter’s next one is on record.",
    columns=(
        ReportColumn("first_slip", "From slip", WHOLE), ReportColumn("last_slip", "To slip", WHOLE),
        ReportColumn("slips", "On record", WHOLE, total=True),
        ReportColumn("missing", "Missing behind", WHOLE, total=True),
        ReportColumn("gap", "Missing numbers"),
    ),
    takes=(), order=("first_slip",),
    source=Selected(RUNS),
)  # fmt: skip

OWED: Final = """
SELECT w.slip, w.gaming_day AS day, w.logged_at, j.code AS jackpot, w.table_code, w.seat, w.line_name AS hand, w.amount,
       extract(epoch FROM %(now)s - w.logged_at)::bigint AS age
  FROM jackpot_win w JOIN jackpot_jackpot j ON j.id = w.jackpot_id
 WHERE w.premises_id = %(house)s AND w.state IN ('logged', 'owed') AND w.slip IS NOT NULL
   AND (%(jackpot)s = '' OR j.code = %(jackpot)s) AND (%(table)s = '' OR w.table_code = %(table)s)
"""
UNCLAIMED: Final = OfficeReport(
    code="unclaimed", title="Unclaimed slips", group=ReportGroup.WINS, verbs=OPENS,
    about="Slips that are owed and not yet paid, oldest first, with their age and their sum.",
    columns=(
        ReportColumn("slip", "Slip", WHOLE, leads=TO_THE_SLIP), ReportColumn("day", "Gaming day", DAY),
        ReportColumn("age", "Age", ColumnKind.AGE), ReportColumn("amount", "Amount", MONEY, total=True),
        ReportColumn("jackpot", "Jackpot"), ReportColumn("table_code", "Table"), ReportColumn("seat", "Seat"),
        ReportColumn("hand", "Hand"), ReportColumn("logged_at", "Approved", MOMENT),
    ),
    takes=(ReportFilter.JACKPOT, ReportFilter.TABLE), order=("slip",), source=Selected(OWED),
)  # fmt: skip

SLIP_REPORTS: Final = (WIN_REGISTER, SLIP_GAPS, UNCLAIMED)
