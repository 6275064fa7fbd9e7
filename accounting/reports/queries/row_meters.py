"""The meters of every row: how often it was won, for how much, the last of them, and what was played for it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from accounting.reports.rules.declaring import (
    WIDE,
    ColumnKind,
    LongText,
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
from tables.par.actions.actual_hits import lifetime_play

LAST: Final = 25
# What was backed out counts nowhere; envy and what a difference made up are paid for another's hit.
_COUNTS: Final = """jackpot_id = ANY(%s) AND state IN ('logged', 'owed', 'paid')
   AND envy_of_id IS NULL AND difference_of_id IS NULL"""
WON: Final = f"""
SELECT jackpot_id, line, max(line_name), count(*), sum(amount), max(amount), max(logged_at)
  FROM jackpot_win WHERE {_COUNTS} GROUP BY 1, 2
"""
LATEST: Final = f"""
SELECT jackpot_id, line, array_agg(amount ORDER BY slip DESC) FROM (
  SELECT jackpot_id, line, amount, slip, row_number() OVER (PARTITION BY jackpot_id, line ORDER BY slip DESC) AS place
    FROM jackpot_win WHERE {_COUNTS}
) newest WHERE place <= {LAST} GROUP BY 1, 2
"""
WonRow = tuple[str, int, Any, Any, Any, Sequence[Any]]  # its name, hits, their sum, the largest, the last, amounts


def row_meters(question: ReportQuestion) -> ReckonedRows:
    """Every row of the terms in force, won or not, and every other that was ever won."""
    jackpots = Jackpot.objects.filter(premises=question.premises_id, version__isnull=False).select_related("version")
    asked = list(jackpots.filter(code=question.jackpot) if question.jackpot else jackpots)
    rows: list[dict[str, Any]] = []
    silent: list[str] = []
    play, won = lifetime_play(asked), _won([jackpot.pk for jackpot in asked])
    for jackpot in asked:
        told = play[jackpot.pk]
        played = {"jackpot": jackpot.code, "coin_ins": told.coin_ins, "coin_in": told.coin_in.decimal()}
        rows += [{**played, **row, "place": place} for place, row in enumerate(_rows(jackpot, won[jackpot.pk]))]
        if told.uncounted:
            named = ", ".join(map(str, told.uncounted))
            silent.append(f"{jackpot.code}: versions {named} bring nothing and count no chips.")
    return ReckonedRows(rows, " ".join(silent))


def _won(jackpots: Sequence[int]) -> dict[int, dict[str, WonRow]]:
    """Of every jackpot and row, in one trip for all."""
    asked = [list(jackpots)]
    sums, latest = ask_together([(WON, asked), (LATEST, asked)])
    amounts = {(pk, line): last for pk, line, last in latest}
    found: dict[int, dict[str, WonRow]] = defaultdict(dict)
    for pk, line, *row in sums:
        found[pk][line] = (*row, amounts[pk, line])
    return found


def _rows(jackpot: Jackpot, won: Mapping[str, WonRow]) -> Iterator[dict[str, Any]]:
    assert jackpot.version is not None, "only jackpots with terms are asked"
    lines = {line.code: line.name for line in jackpot.version.value.pay_table}
    for code in [*lines, *sorted(set(won) - set(lines))]:
        name, hits, total, largest, last_at, last = won.get(code, (lines.get(code, ""), 0, 0, None, None, []))
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
        ReportColumn("largest", "Largest", ColumnKind.MONEY),
        ReportColumn("last_at", "Last", ColumnKind.MOMENT, room=WIDE),
        ReportColumn("last", f"Last {LAST}, newest first", text=LongText.LINES),
        ReportColumn("coin_ins", "Coin-ins", ColumnKind.WHOLE, room=WIDE),
        ReportColumn("coin_in", "Coin-in", ColumnKind.MONEY),
    ),
    hidden=("place",), takes=(ReportFilter.JACKPOT,), order=("jackpot", "place"), source=Reckoned(row_meters),
    note="What was backed out counts nowhere any more. Coin-ins are those of the whole jackpot.",
)  # fmt: skip

ROW_REPORTS: Final = (ROW_METERS,)
