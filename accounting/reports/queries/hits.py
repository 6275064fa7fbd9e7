"""Hits against expectation: what was paid beside what as many coin-ins should bring, in its exact band."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
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
from jackpot.money import UNIT
from tables.games.hit_band import HitBand
from tables.par.actions.actual_hits import ActualHits, hits_of_jackpots

WHOLE: Final = ColumnKind.WHOLE
FEW: Final = "fewer than 5 expected: says little"


def hits_expected(question: ReportQuestion) -> ReckonedRows:
    """Every line of every jackpot since its books began; chances come from the game's exact mathematics."""
    rows: list[dict[str, Any]] = []
    notes: list[str] = []
    jackpots = Jackpot.objects.filter(premises=question.premises_id).order_by("code")
    asked = list(jackpots.filter(code=question.jackpot) if question.jackpot else jackpots)
    # All jackpots at once: their chances are asked for together, and what is not counted yet says how far it is.
    told = hits_of_jackpots(asked)
    for jackpot in asked:
        match told[jackpot.pk]:
            case ActualHits() as found:
                if found.percent < 100:
                    still = f"its chances are still counted, {found.percent} %; look again in a moment."
                    notes.append(f"{jackpot.code}: {still}")
                rows += list(_lines(jackpot.code, found))
            case unknown:
                notes.append(f"{jackpot.code}: {unknown.why}")
    return ReckonedRows(rows, " ".join(notes))


def _lines(jackpot: str, found: Any) -> Iterator[dict[str, Any]]:
    for place, line in enumerate(found.lines):
        least, most = line.band.bands[95]
        yield {
            "jackpot": jackpot, "place": place, "hand": line.name, "coin_ins": line.band.coin_ins,
            "expected": to_four_places(line.band), "seen": line.band.seen, "band": f"{least:,} to {most:,}",
            "verdict": verdict(line.band),
        }  # fmt: skip


def to_four_places(band: HitBand) -> Decimal:
    """Cut after four decimals; the band beside it is reckoned from the exact fraction."""
    step = UNIT // 10**4
    units = band.expected.numerator * UNIT // band.expected.denominator // step * step
    return Decimal(units).scaleb(-8)


def verdict(band: HitBand) -> str:
    """A word for people; where few were expected it says so instead."""
    if band.few:
        return FEW
    return f"outside of {band.outside} %" if band.outside else "within 90 %"


HITS: Final = OfficeReport(
    code="hits", title="Hits against expectation", group=ReportGroup.PLAY,
    about="Line by line since the books began: coin-ins, hits expected, hits paid, and the band of 95 in 100.",
    note="Bands are exact binomials. Each version counts with its own chances; lines that kept theirs stand together.",
    columns=(
        ReportColumn("jackpot", "Jackpot", leads="/office/par/actual/{jackpot}/"), ReportColumn("hand", "Hand"),
        ReportColumn("coin_ins", "Coin-ins", WHOLE), ReportColumn("expected", "Expected", ColumnKind.MONEY),
        ReportColumn("seen", "Paid", WHOLE, total=True), ReportColumn("band", "95 of 100 lie within"),
        ReportColumn("verdict", "Verdict"),
    ),
    hidden=("place",), takes=(ReportFilter.JACKPOT,), order=("jackpot", "place"), source=Reckoned(hits_expected),
)  # fmt: skip

HIT_REPORTS: Final = (HITS,)
