"""Play before and after each hit of a whole meter, beside what the next meter began with: what the reserve is worth."""

from __future__ import annotations

from typing import Any, Final

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
)
from jackpot.books.models.jackpot import Jackpot
from jackpot.wins.queries.play_around import PlayAround, play_around_each
from jackpot.wins.rules.play_around import DAYS_AROUND

MOST_HITS: Final = 100  # of one jackpot: each is looked for at four moments of its books
MONEY, WHOLE = ColumnKind.MONEY, ColumnKind.WHOLE


def hits_and_play(question: ReportQuestion) -> ReckonedRows:
    """Every jackpot's hits, the newest of each first."""
    jackpots = Jackpot.objects.filter(premises=question.premises_id).order_by("code")
    asked = list(jackpots.filter(code=question.jackpot) if question.jackpot else jackpots)
    found = play_around_each(asked, now=question.now, newest=MOST_HITS)
    rows = [_row(jackpot, hit) for jackpot in asked for hit in found[jackpot.pk]]
    judged = [row["change"] for row in rows if row["change"] is not None]
    fell = sum(1 for change in judged if change < 0)
    return ReckonedRows(
        rows, f"After {fell} of {len(judged)} hits that can be judged less was played." if judged else ""
    )


def _row(jackpot: Jackpot, hit: PlayAround) -> dict[str, Any]:
    return {
        "jackpot": jackpot.code, "at": hit.at, "slip": hit.win.slip, "won": hit.win.amount,
        "began_at": hit.began_at.decimal(), "from_reserve": hit.from_reserve.decimal(),
        "chips_before": hit.before.chips, "hours_before": hit.before.hours, "before": hit.before.whole_an_hour,
        "chips_after": hit.after.chips, "hours_after": hit.after.hours, "after": hit.after.whole_an_hour,
        "change": hit.change_decimal,
    }  # fmt: skip


PLAY_AROUND_HITS: Final = OfficeReport(
    code="play-around-hits", title="Play around hits", group=ReportGroup.PLAY,
    about=f"Chips an hour up to {DAYS_AROUND} days before and after a whole meter was won; what the next began at.",
    columns=(
        ReportColumn("jackpot", "Jackpot", leads="/jackpots/{jackpot}/"), ReportColumn("at", "Won", ColumnKind.MOMENT),
        ReportColumn("slip", "Slip", WHOLE, leads="/wins/{slip}/"), ReportColumn("won", "Amount", MONEY),
        ReportColumn("began_at", "Next meter began at", MONEY),
        ReportColumn("from_reserve", "From the reserve", MONEY, room=WIDE),
        ReportColumn("chips_before", "Chips before", WHOLE), ReportColumn("hours_before", "in hours", WHOLE, room=WIDE),
        ReportColumn("before", "an hour", WHOLE), ReportColumn("chips_after", "Chips after", WHOLE),
        ReportColumn("hours_after", "in hours", WHOLE, room=WIDE), ReportColumn("after", "an hour", WHOLE),
        ReportColumn("change", "Change", ColumnKind.PERCENT),
    ),
    takes=(ReportFilter.JACKPOT,), order=("jackpot", "-at"), source=Reckoned(hits_and_play),
    note="Neither side reaches over another such hit, the beginning of the books or now; a change is told when both "
    "last a day. Hours in which the house is closed count like any other.",
)  # fmt: skip
PLAY_AROUND_REPORTS: Final = (PLAY_AROUND_HITS,)
