"""The slips of a house: the register with tax, approvers and payment, gaps in their numbers, what is unclaimed."""

from __future__ import annotations

from typing import Any, Final

from babel.numbers import get_currency_precision
from django.db import connection

from accounting.reports.queries.shifts import shift_join
from accounting.reports.rules.declaring import (
    ASKED,
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
from jackpot.money import Money, units_of
from jackpot.property.models.property import Property
from jackpot.property.queries import tax_rules
from jackpot.property.rules.tax import TaxDue, TaxRule, rule_on, tax_on, tax_on_more
from jackpot.wins.rules.win_life import SPOKEN, WinState

MONEY, WHOLE, DAY, MOMENT = ColumnKind.MONEY, ColumnKind.WHOLE, ColumnKind.DAY, ColumnKind.MOMENT
TO_THE_SLIP: Final = "/wins/{slip}/"
IN_A_LIST: Final = {WinState.OWED.value: "owed"}  # what a page says in a sentence takes a column's room
OPENS: Final = ("read_books", "close_day", "pay")

SHIFT: Final = shift_join("w.gaming_day", "(w.logged_at AT TIME ZONE p.time_zone)")
REGISTER: Final = f"""
SELECT w.slip, w.gaming_day AS day, w.logged_at, shift.name AS shift, j.code AS jackpot, w.table_code, w.round_number,
       w.seat,
       w.line_name AS hand, w.amount, w.state, w.paid_at, w.paid_by, w.paper ->> 'wager' AS wager,
       w.paper #>> '{{difference,was}}' AS was, w.paper #>> '{{difference,would_be}}' AS would_be,
       y.withheld AS was_withheld, y.net AS was_paid, y.taxable AS was_taxable, y.reported AS was_reported,
       coalesce(a.names, '') AS approved_by, upper(left(w.paid_method, 1))
       || substr(w.paid_method, 2) AS method
  FROM jackpot_win w JOIN jackpot_jackpot j ON j.id = w.jackpot_id JOIN jackpot_property p ON p.id = w.premises_id
  LEFT JOIN jackpot_payment y ON y.win_id = w.id
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
    """Every slip of the days with its tax: as it was paid, else by the rule of its day. A backed-out one is nothing."""
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
    # Its line stays, for the numbers run without a gap; its amount counts in no sum.
    amount = Money(0) if void else Money(units_of(row["amount"]))
    due = None if void else _tax(row, amount, rules, digits)
    withheld = due.withheld if due else Money(0)
    # The payment's own record goes before any rule: rules may have been dated differently since.
    if row["was_paid"] is not None and not void:
        return {**row, **_as_paid(row)}
    told = {
        "amount": amount.decimal(), "withheld": withheld.decimal(), "net": (amount - withheld).decimal(),
        "taxable": due.taxable.decimal() if due and due.reported else None,
        "report": "" if due is None else "required" if due.reported else "no",
        "state": IN_A_LIST.get(row["state"]) or SPOKEN[WinState(row["state"])], "void": int(void),
        "place": f"{row['table_code']}/{row['round_number']}",
    }  # fmt: skip
    return {**row, **told}


def _as_paid(row: dict[str, Any]) -> dict[str, Any]:
    """What the window made of it, as its payment record has it: the rule of the day of payment counted."""
    return {
        "withheld": row["was_withheld"], "net": row["was_paid"],
        "taxable": row["was_taxable"] if row["was_reported"] else None,
        "report": "" if row["was_taxable"] is None else "required" if row["was_reported"] else "no",
        "state": SPOKEN[WinState(row["state"])], "void": 0, "place": f"{row['table_code']}/{row['round_number']}",
    }  # fmt: skip


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
        ReportColumn("slip", "Slip", WHOLE, leads=TO_THE_SLIP), ReportColumn("day", "Gaming day", DAY, room=WIDE),
        ReportColumn("shift", "Shift", room=ASKED), ReportColumn("jackpot", "Jackpot"),
        ReportColumn("place", "Round", leads="/rounds/{table_code}/{round_number}/"),
        ReportColumn("seat", "Seat", room=ASKED), ReportColumn("hand", "Hand"),
        ReportColumn("amount", "Amount", MONEY, total=True),
        ReportColumn("report", "Tax report", room=ASKED),
        ReportColumn("taxable", "Taxable", MONEY, total=True, room=ASKED),
        ReportColumn("withheld", "Withheld", MONEY, total=True),
        ReportColumn("net", "To the player", MONEY, total=True),
        ReportColumn("approved_by", "Approved by", room=WIDE),
        ReportColumn("logged_at", "Approved", MOMENT, room=ASKED),
        ReportColumn("state", "State"), ReportColumn("method", "Paid in", room=ASKED),
        ReportColumn("paid_by", "Paid by", room=ASKED),
        ReportColumn("paid_at", "Paid", MOMENT, room=WIDE),
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

# Every entry that took from a meter; an award after which the reset left it higher took from it too. What an award drew
# from where stands in its win's record, for one entry holds the award and the reset.
# A repayment is none of these: it takes no more than its coin-in brought, so no sign falls by it.
FELL: Final = """
SELECT e.occurred_at, j.code AS jackpot, e.seq, initcap(replace(e.kind, '_', '-')) AS what, w.slip, w.line_name AS hand,
       e.table_code, e.round_number, CASE WHEN e.round_number IS NULL THEN '' ELSE e.table_code || '/' || e.round_number
       END AS place, e.meter_after - e.meter AS before, e.meter AS moved, e.meter_after AS after,
       CASE WHEN e.kind = 'award' THEN e.winners END AS amount,
       CASE WHEN e.kind = 'award' THEN CASE WHEN w.paper ->> 'source' = 'tray' THEN 0 ELSE e.winners
            - (w.paper #>> '{drawn,from_reserve}')::numeric - (w.paper #>> '{drawn,from_house}')::numeric END END
         AS from_meter,
       CASE WHEN e.kind = 'award' THEN (w.paper #>> '{drawn,from_reserve}')::numeric END AS from_reserve,
       CASE WHEN e.kind = 'award' THEN CASE WHEN w.paper ->> 'source' = 'tray' THEN e.winners
            ELSE (w.paper #>> '{drawn,from_house}')::numeric END END AS from_house,
       CASE WHEN e.kind = 'award' THEN (w.paper #>> '{drawn,seed}')::numeric END AS seed,
       coalesce(a.names, '') AS approved_by,
       CASE WHEN e.kind <> 'award' THEN '' WHEN w.override IS NOT NULL THEN 'in spite of its cards, by two people'
            WHEN w.envy_of_id IS NOT NULL THEN 'with the hand it envies' WHEN w.cards_checked THEN 'cards of the hand'
            ELSE 'cards seen' END AS verified,
       CASE WHEN e.kind = 'award' AND e.meter > 0 THEN 'the reset raised it above what was taken'
            WHEN e.kind = 'award' AND e.meter = 0 THEN 'nothing of it came out of the meter' ELSE '' END AS rose
  FROM jackpot_entry e JOIN jackpot_jackpot j ON j.id = e.jackpot_id LEFT JOIN jackpot_win w ON w.id = e.win_id
  LEFT JOIN LATERAL (
    SELECT string_agg(o.name, ', ' ORDER BY g.at, g.id) AS names
      FROM jackpot_signature g JOIN jackpot_operator o ON o.id = g.operator_id
     WHERE g.win_id = coalesce(w.envy_of_id, w.id)
       AND g.part IN ('approve', 'override', 'cards', 'back_out', 'difference')
  ) a ON true
 WHERE j.premises_id = %(house)s AND e.kind NOT IN ('coin_in', 'repay')
   AND (e.meter < 0 OR e.kind = 'award' AND (e.meter > 0 OR %(slip)s <> ''))
   AND e.gaming_day BETWEEN %(first)s AND %(last)s AND (%(jackpot)s = '' OR j.code = %(jackpot)s)
   AND (%(table)s = '' OR e.table_code = %(table)s)
   AND (%(slip)s = '' OR w.slip = nullif(%(slip)s, '')::bigint)
"""
FALLS: Final = OfficeReport(
    code="falls", title="Why meters fell", group=ReportGroup.WINS, period="this month",
    about="Every entry that took from a meter: slip, hand, amount and what of it came from meter, reserve and house.",
    note="“Moved” is the award and the reset in one; where the reset was larger, the meter stood higher afterwards.",
    columns=(
        ReportColumn("occurred_at", "When", MOMENT), ReportColumn("jackpot", "Jackpot", room=ASKED),
        ReportColumn("what", "What", room=WIDE),
        ReportColumn("slip", "Slip", WHOLE, leads=TO_THE_SLIP), ReportColumn("hand", "Hand"),
        ReportColumn("place", "Round", leads="/rounds/{table_code}/{round_number}/", room=WIDE),
        ReportColumn("amount", "Amount", MONEY, total=True),
        ReportColumn("from_meter", "From the meter", MONEY, total=True),
        ReportColumn("from_reserve", "From the reserve", MONEY, total=True),
        ReportColumn("from_house", "From the house", MONEY, total=True),
        ReportColumn("seed", "Seed posted", MONEY, total=True, room=ASKED),
        ReportColumn("before", "Meter before", MONEY, room=WIDE),
        ReportColumn("moved", "Moved", MONEY, total=True, room=WIDE),
        ReportColumn("after", "Meter after", MONEY), ReportColumn("rose", "And yet", room=ASKED),
        ReportColumn("approved_by", "Approved by", room=ASKED), ReportColumn("verified", "Verified by", room=ASKED),
        ReportColumn("seq", "Entry", WHOLE, leads="/jackpots/{jackpot}/ledger/{seq}/", room=ASKED),
    ),
    hidden=("table_code", "round_number"),
    takes=(ReportFilter.PERIOD, ReportFilter.JACKPOT, ReportFilter.TABLE, ReportFilter.SLIP),
    order=("-occurred_at", "-seq"), source=Selected(FELL),
)  # fmt: skip

# What a window paid for a win that was backed out afterwards, and what of it came back.
# “Not a coin-in” is the condition of the small index of acts, among which the back-out is then looked for.
IN_ERROR: Final = """
SELECT w.slip, y.gaming_day AS day, y.paid_at, j.code AS jackpot, w.line_name AS hand, y.payer_name, y.gross,
       y.withheld, y.net, coalesce(r.net, 0) AS came_back, y.net - coalesce(r.net, 0) AS outstanding,
       coalesce(r.receipts, 0) AS receipts, r.last_at, CASE WHEN y.net > coalesce(r.net, 0) OR r.receipts = 0
       THEN extract(epoch FROM %(now)s - e.occurred_at)::bigint END AS age
  FROM jackpot_payment y JOIN jackpot_win w ON w.id = y.win_id AND w.state = 'backed_out'
  JOIN jackpot_jackpot j ON j.id = w.jackpot_id
  JOIN jackpot_entry e ON e.jackpot_id = w.jackpot_id AND e.kind <> 'coin_in' AND e.key = 'back_out/' || w.id
  LEFT JOIN LATERAL (SELECT sum(c.net) AS net, count(*) AS receipts, max(c.taken_at) AS last_at
                       FROM jackpot_windowreceipt c WHERE c.payment_id = y.id) r ON true
 WHERE y.premises_id = %(house)s AND (%(jackpot)s = '' OR j.code = %(jackpot)s)
"""
PAID_IN_ERROR: Final = OfficeReport(
    code="paid-in-error", title="Paid in error", group=ReportGroup.WINS, verbs=OPENS,
    about="Slips that were paid and backed out afterwards: what came back over the window, and what is still out.",
    note="The house bears what is out since the back-out. “Out for” counts from there; it is empty where all is back. "
         "Where everything was withheld, a receipt of nothing takes the tax back.",
    columns=(
        ReportColumn("slip", "Slip", WHOLE, leads="/office/cage/{slip}/"), ReportColumn("day", "Paid on", DAY),
        ReportColumn("jackpot", "Jackpot"), ReportColumn("hand", "Hand"), ReportColumn("payer_name", "Paid by"),
        ReportColumn("gross", "Gross", MONEY, total=True), ReportColumn("withheld", "Withheld", MONEY, total=True),
        ReportColumn("net", "The player got", MONEY, total=True),
        ReportColumn("came_back", "Came back", MONEY, total=True),
        ReportColumn("outstanding", "Still out", MONEY, total=True),
        ReportColumn("receipts", "Receipts", WHOLE, total=True), ReportColumn("last_at", "Last receipt", MOMENT),
        ReportColumn("age", "Out for", ColumnKind.AGE),
    ),
    hidden=("paid_at",), takes=(ReportFilter.JACKPOT,), order=("-outstanding", "slip"), source=Selected(IN_ERROR),
)  # fmt: skip

SLIP_REPORTS: Final = (WIN_REGISTER, SLIP_GAPS, UNCLAIMED, PAID_IN_ERROR, FALLS)
