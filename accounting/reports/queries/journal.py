"""The journal for the general ledger: what the entries of a day moved, as debits and credits that are equal."""

from __future__ import annotations

from typing import Final

from accounting.reports.queries.moved import MOVED_BY_KIND
from accounting.reports.rules.declaring import (
    ColumnKind,
    OfficeReport,
    ReportColumn,
    ReportFilter,
    ReportGroup,
    Selected,
)
from accounting.reports.rules.ledger import USUAL
from jackpot.books.rules.movement import ACCOUNTS

MONEY: Final = ColumnKind.MONEY
_SUMS: Final = ", ".join(f"sum(e.{account}) AS {account}" for account in ACCOUNTS)
# What a window withheld is no cash that left: it is owed to the tax office.
_OWN: Final = {"paid": "m.paid - coalesce(t.withheld, 0)", "withheld": "coalesce(t.withheld, 0)"}
_SIDES: Final = ", ".join(
    f"('{account}', {_OWN.get(account, f'm.{account}')}, {place})"
    for place, account in enumerate((*ACCOUNTS, "withheld"))
)
# Constants of this program alone; a house's own codes are joined as rows and never written into the statement.
_USUAL: Final = ", ".join(f"('{line.account}', '{line.code}', '{line.name}')" for line in USUAL)

# What goes into an account is a credit, what comes out a debit: contributions are the expense that fills the meters,
# and meters, reserves and winners are owed. A movement sums to zero, so debits and credits of every line group agree.
MOVED: Final = f"""
SELECT m.day, m.jackpot, m.what, u.account, coalesce(l.code, u.code) AS code, coalesce(l.name, u.name) AS name,
       CASE WHEN s.amount < 0 THEN -s.amount END AS debit, CASE WHEN s.amount > 0 THEN s.amount END AS credit,
       m.step * 10 + s.place AS place, to_char(m.day, 'YYYY-MM-DD') AS iso
  FROM (
    SELECT e.day, e.jackpot, e.jackpot_id,
           CASE WHEN e.kind IN ('coin_in', 'void', 'recount', 'repay') THEN 'Coin-ins'
                WHEN e.kind IN ('award', 'advance', 'difference', 'back_out') THEN 'Awards'
                WHEN e.kind = 'pay' THEN 'Payments' WHEN e.kind = 'receipt' THEN 'Receipts'
                WHEN e.kind = 'adjust' THEN 'Adjustments'
                WHEN e.kind IN ('transfer_in', 'transfer_out') THEN 'Transfers' ELSE 'Openings' END AS what,
           min(CASE WHEN e.kind IN ('coin_in', 'void', 'recount', 'repay') THEN 1
                WHEN e.kind IN ('award', 'advance', 'difference', 'back_out') THEN 2
                WHEN e.kind = 'pay' THEN 3 WHEN e.kind = 'receipt' THEN 4 WHEN e.kind = 'adjust' THEN 5
                WHEN e.kind IN ('transfer_in', 'transfer_out') THEN 6 ELSE 7 END) AS step,
           {_SUMS}
      FROM ({MOVED_BY_KIND}) e
     GROUP BY 1, 2, 3, 4
  ) m
  LEFT JOIN (
    SELECT y.gaming_day, w.jackpot_id, 'Payments' AS what, sum(y.withheld) AS withheld
      FROM jackpot_payment y JOIN jackpot_win w ON w.id = y.win_id
     WHERE y.premises_id = %(house)s AND y.gaming_day BETWEEN %(first)s AND %(last)s GROUP BY 1, 2
    UNION ALL
    SELECT r.gaming_day, w.jackpot_id, 'Receipts', -sum(r.withheld)
      FROM jackpot_windowreceipt r JOIN jackpot_payment y ON y.id = r.payment_id JOIN jackpot_win w ON w.id = y.win_id
     WHERE r.premises_id = %(house)s AND r.gaming_day BETWEEN %(first)s AND %(last)s GROUP BY 1, 2
  ) t ON t.gaming_day = m.day AND t.jackpot_id = m.jackpot_id AND t.what = m.what
 CROSS JOIN LATERAL (VALUES {_SIDES}) AS s(account, amount, place)
  JOIN (VALUES {_USUAL}) AS u(account, code, name) ON u.account = s.account
  LEFT JOIN accounting_ledgeraccount l ON l.premises_id = %(house)s AND l.account = s.account
 WHERE s.amount <> 0
"""
JOURNAL: Final = OfficeReport(
    code="journal", title="Journal for the general ledger", group=ReportGroup.MONEY,
    about="What every jackpot moved on a gaming day, under the house’s own account codes; debits = credits.",
    note="The accounts are the house’s own: “Ledger accounts” changes their codes and names.",
    columns=(
        ReportColumn("day", "Gaming day", ColumnKind.DAY),
        ReportColumn("jackpot", "Jackpot", leads="/jackpots/{jackpot}/ledger/?day={iso}"),
        ReportColumn("what", "What"), ReportColumn("code", "Account"), ReportColumn("name", "Name"),
        ReportColumn("debit", "Debit", MONEY, total=True), ReportColumn("credit", "Credit", MONEY, total=True),
    ),
    hidden=("account", "place", "iso"), takes=(ReportFilter.PERIOD, ReportFilter.JACKPOT),
    order=("-day", "jackpot", "place"), source=Selected(MOVED),
)  # fmt: skip

JOURNAL_REPORTS: Final = (JOURNAL,)
