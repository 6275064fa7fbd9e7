"""The meters of every row: how often it was won, for how much, the last of them, and what was played for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from accounting.reports.rules.declaring import (
    ColumnKind,
    OfficeReport,
    Reckoned,
    ReckonedRows,
    ReportColumn,
    ReportFilter,
    ReportGroup,
    ReportQuestion,
)
from jackpot.books.models.jackpot import Jackpot
from jackpot.database.raw import ask_together
from jackpot.money import Money, units_of
from tables.par.actions.actual_hits import lifetime_coin_in

LAST: Final = 25
# What was backed out counts nowhere; envy and what a difference made up are paid for another's hit.
WON: Final = f"""
SELECT w.line, max(w.line_name), count(*), sum(w.amount), max(w.amount), max(w.logged_at),
       ARRAY(SELECT x.amount FROM jackpot_win x
              WHERE x.jackpot_id = %s AND x.line = w.line AND x.state IN ('logged', 'owed', 'paid')
                AND x.envy_of_id IS NULL AND x.difference_of_id IS NULL
              ORDER BY x.slip DESC LIMIT {LAST})
  FROM jackpot_win w
 WHERE w.jackpot_id = %s AND w.state IN ('logged', 'owed', 'paid')
   AND w.envy_of_id IS NULL AND w.difference_of_id IS NULL
 GROUP BY w.line
"""


def row_meters(question: ReportQuestion) -> ReckonedRows:
    """Every row of the terms in force, won or not, and every other that was ever won."""
    rows: list[dict[str, Any]] = []
    silent: list[str] = []
    jackpots = Jackpot.objects.filter(premises=question.premises_id, version__isnull=False).select_related("version")
    for jackpot in jackpots.filter(code=question.jackpot) if question.jackpot else jackpots:
        coin_ins, coin_in, uncounted = lifetime_coin_in(jackpot)
        played = {"jackpot": jackpot.code, "coin_ins": coin_ins, "coin_in": coin_in.decimal()}
        rows += [{**played, **row, "place": place} for place, row in enumerate(_rows(jackpot))]
        if uncounted:
            silent.append(
                f"{jackpot.code}: versions {', '.join(map(str, uncounted))} bring nothing and count no chips."
            )
    return ReckonedRows(rows, " ".join(silent))


def _rows(jackpot: Jackpot) -> Iterator[dict[str, Any]]:
    (found,) = ask_together([(WON, [jackpot.pk, jackpot.pk])])
    won = {line: row for line, *row in found}
    assert jackpot.version is not None, "only jackpots with terms are asked"
    lines = {line.code: line.name for line in jackpot.version.value.pay_table}
    for code in [*lines, *sorted(set(won) - set(lines))]:
        name, hits, total, largest, last_at, last = won.get(code, (lines.get(code), 0, 0, None, None, []))
        yield {
            "hand": lines.get(code, name), "hits": hits, "sum": total, "largest": largest, "last_at": last_at,
            "last": " · ".join(str(Money(units_of(amount))) for amount in last),
        }  # fmt: skip


ROW_METERS: Final = OfficeReport(
    code="row-meters", title="Meters of every row", group=ReportGroup.WINS,
    about=f"Hits, their sum, the largest and the last {LAST} of each row since the books began, and what was played.",
    columns=(
        ReportColumn("jackpot", "Jackpot", leads="/jackpots/{jackpot}/"),
        ReportColumn("hand", "Row", leads="/office/wins/?jackpot={jackpot}&q={hand}"),
        ReportColumn("hits", "Hits", ColumnKind.WHOLE, total=True),
        ReportColumn("sum", "Won", ColumnKind.MONEY, total=True),
        ReportColumn("largest", "Largest", ColumnKind.MONEY), ReportColumn("last_at", "Last", ColumnKind.MOMENT),
        ReportColumn("last", f"Last {LAST}, newest first"),
        ReportColumn("coin_ins", "Coin-ins", ColumnKind.WHOLE), ReportColumn("coin_in", "Coin-in", ColumnKind.MONEY),
    ),
    hidden=("place",), takes=(ReportFilter.JACKPOT,), order=("jackpot", "place"), source=Reckoned(row_meters),
    note="What was backed out counts nowhere any more. Coin-ins are those of the whole jackpot.",
)  # fmt: skip

ROW_REPORTS: Final = (ROW_METERS,)
