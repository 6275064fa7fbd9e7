"""The meters of every row: how often it was won, for how much, the last of them, and what was played for it."""

from __future__ import annotations

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
from jackpot.wins.queries.row_meters import LAST, RowMeter, row_meters_of
from tables.par.actions.actual_hits import lifetime_play


def row_meters(question: ReportQuestion) -> ReckonedRows:
    """Every row of the terms in force, won or not, and every other that was ever won."""
    jackpots = Jackpot.objects.filter(premises=question.premises_id, version__isnull=False).select_related("version")
    asked = list(jackpots.filter(code=question.jackpot) if question.jackpot else jackpots)
    rows: list[dict[str, Any]] = []
    silent: list[str] = []
    play, won = lifetime_play(asked), row_meters_of(asked)
    for jackpot in asked:
        told = play[jackpot.pk]
        played = {"jackpot": jackpot.code, "coin_ins": told.coin_ins, "coin_in": told.coin_in.decimal()}
        rows += [{**played, **_row(meter), "place": place} for place, meter in enumerate(won[jackpot.pk])]
        if told.uncounted:
            named = ", ".join(map(str, told.uncounted))
            silent.append(f"{jackpot.code}: versions {named} bring nothing and count no chips.")
    return ReckonedRows(rows, " ".join(silent))


def _row(meter: RowMeter) -> dict[str, Any]:
    return {
        "hand": meter.name, "hits": meter.hits, "sum": meter.total.decimal(),
        "largest": meter.largest and meter.largest.decimal(), "last_at": meter.last_at,
        "last": " · ".join(map(str, meter.last)),
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
