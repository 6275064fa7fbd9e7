"""What the house owes on its jackpots, now and at any moment, from the balances that stand after an entry."""

from __future__ import annotations

from typing import Final

from django.utils import timezone

from accounting.days.queries.cover import LAST_ENTRIES, bank_cover
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
from jackpot.property.models.property import Property

MONEY: Final = ColumnKind.MONEY

# A jackpot without any entry stands in it with nothing; left out is what began after that moment.
LAST_BEFORE: Final = f"""{LAST_ENTRIES}
SELECT j.code AS jackpot, j.name, e.meter_after AS meter, e.reserve_after AS reserve, e.overflow_after AS overflow,
       e.winners_after AS winners,
       e.meter_after + e.reserve_after + e.overflow_after + e.winners_after AS liability, e.seq, e.occurred_at
  FROM halves h JOIN jackpot_jackpot j ON j.id = h.id
  LEFT JOIN jackpot_entry e ON e.jackpot_id = h.id AND e.seq = h.low
 WHERE h.low = h.high AND (h.low > 0 OR j.last_seq = 0)
"""
LIABILITY: Final = OfficeReport(
    code="liability", title="Liability", group=ReportGroup.MONEY,
    about="What the house owes on its jackpots at a moment: meter, reserve, overflow and winners not yet paid.",
    note="The balances after the last entry before that moment. A day means its close.",
    columns=(
        ReportColumn("jackpot", "Jackpot", leads="/jackpots/{jackpot}/"), ReportColumn("name", "Name"),
        ReportColumn("meter", "Meter", MONEY, total=True), ReportColumn("reserve", "Reserve", MONEY, total=True),
        ReportColumn("overflow", "Overflow", MONEY, total=True),
        ReportColumn("winners", "Owed to winners", MONEY, total=True),
        ReportColumn("liability", "Liability", MONEY, total=True),
        ReportColumn("seq", "Last entry", ColumnKind.WHOLE, leads="/jackpots/{jackpot}/ledger/{seq}/"),
        ReportColumn("occurred_at", "Written", ColumnKind.MOMENT),
    ),
    takes=(ReportFilter.MOMENT, ReportFilter.JACKPOT), order=("jackpot",), source=Selected(LAST_BEFORE),
)  # fmt: skip


def required_of_bank(question: ReportQuestion) -> ReckonedRows:
    """Jackpot by jackpot, with the last statement and its age in the sentence."""
    house = Property.objects.get(pk=question.premises_id)
    # The same function as the alarm asks: two ways to reckon it would be two opinions of one account.
    cover = bank_cover(house, question.now)
    rows = [
        {
            "jackpot": row.code, "meter": part.meter.decimal(), "seed": part.seed.decimal(),
            "reserve": part.reserve.decimal(), "overflow": part.overflow.decimal(),
            "winners": part.winners.decimal(), "required": part.amount.decimal(), "state": row.get_state_display(),
        }
        for row, part in cover.parts
    ]  # fmt: skip
    return ReckonedRows(rows, cover.sentence(house.gaming_day(timezone.now())))


BANK_COVER: Final = OfficeReport(
    code="bank-cover", title="Funds required against the bank", group=ReportGroup.MONEY,
    about="What the account has to hold for each jackpot: meter above its seed, reserve, overflow, owed to winners.",
    columns=(
        ReportColumn("jackpot", "Jackpot", leads="/jackpots/{jackpot}/"), ReportColumn("state", "State"),
        ReportColumn("meter", "Meter", MONEY, total=True), ReportColumn("seed", "Seed", MONEY, total=True),
        ReportColumn("reserve", "Reserve", MONEY, total=True), ReportColumn("overflow", "Overflow", MONEY, total=True),
        ReportColumn("winners", "Owed to winners", MONEY, total=True),
        ReportColumn("required", "Required", MONEY, total=True),
    ),
    takes=(), order=("jackpot",), source=Reckoned(required_of_bank),
    note="As the books stood when the last statement was typed at the close of a day; without one, as they stand now.",
)  # fmt: skip
BALANCE_REPORTS: Final = (LIABILITY, BANK_COVER)
