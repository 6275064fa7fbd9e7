"""The morning: what yesterday made of every jackpot, what is owed now, what waits, how the last days were played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any, Final

from django.db import connection

from accounting.audit.models import AuditRun
from accounting.audit.queries.figures import last_proof
from accounting.reports.queries.asking import clock_of
from accounting.reports.queries.catalogue import REPORTS
from accounting.reports.queries.equations import differences_on
from accounting.reports.queries.frame import ReportPage, ReportReading, report_page
from accounting.reports.queries.waiting import WaitingKind, waiting_now
from accounting.reports.rules.asking import HouseClock, read_question
from accounting.reports.rules.chart import BarChart, bar_chart
from jackpot.database.raw import ask_together
from jackpot.errands.models import Errand
from jackpot.property.models.property import Property
from jackpot.trail.models import Trail
from tables.play_sums.queries import PLAYED_BY_WAGER

DAYS_ON_THE_CHART: Final = 14

# What acts moved between two entries of each jackpot; what coin-ins moved is the rest, so no coin-in is read.
ACTED: Final = """
SELECT e.jackpot_id,
       coalesce(sum(e.winners) FILTER (WHERE e.kind = 'award'), 0) AS awarded,
       coalesce(sum(e.meter) FILTER (WHERE e.kind = 'award'), 0) AS by_awards,
       coalesce(sum(e.meter) FILTER (WHERE e.kind NOT IN ('void', 'recount', 'repay', 'award')), 0) AS otherwise
  FROM unnest(%s::bigint[], %s::bigint[], %s::bigint[]) AS day (jackpot_id, after, upto)
  JOIN jackpot_entry e ON e.jackpot_id = day.jackpot_id AND e.seq > day.after AND e.seq <= day.upto
       AND e.kind <> 'coin_in'
 GROUP BY 1
"""


@dataclass(frozen=True, slots=True)
class YesterdayLine:
    """One jackpot's meter over a gaming day."""

    code: str
    name: str
    opened: Decimal
    played: Decimal
    by_awards: Decimal
    otherwise: Decimal
    closed: Decimal
    awarded: Decimal
    difference: Decimal | None  # books less reckoning; None: not reckoned yet


@dataclass(frozen=True, slots=True)
class MorningPage:
    """Everything that the first page of the office shows."""

    day: date
    lines: Sequence[YesterdayLine]
    sums: YesterdayLine
    liability: ReportPage
    waits: Sequence[WaitingKind]
    shifts: ReportPage
    unclaimed: ReportPage
    chart: BarChart | None
    errands: Sequence[Errand]
    backup: Trail | None
    proof: AuditRun | None
    now: datetime

    @property
    def played_in(self) -> Decimal:
        return Decimal(self.shifts.totals["coin_in"])


def morning_of(house: Property) -> MorningPage:
    """Read at once; no figure on it is older than the page."""
    clock = clock_of(house)
    day = clock.today - timedelta(days=1)
    lines = _yesterday(house, clock, day)
    yesterday = {"period": day.isoformat()}
    return MorningPage(
        day=day, lines=lines, sums=_summed(lines), liability=_report("liability", clock),
        waits=waiting_now(read_question(REPORTS["waiting"], {}, clock)),
        shifts=_report("shift-totals", clock, yesterday), unclaimed=_report("unclaimed", clock),
        chart=_played_lately(clock), errands=list(Errand.objects.order_by("code")),
        backup=Trail.objects.filter(act="backup").order_by("-at", "-id").first(), proof=last_proof(house),
        now=clock.now,
    )  # fmt: skip


def _report(code: str, clock: HouseClock, words: dict[str, str] | None = None) -> ReportPage:
    return report_page(REPORTS[code], read_question(REPORTS[code], words or {}, clock))


def _yesterday(house: Property, clock: HouseClock, day: date) -> list[YesterdayLine]:
    """Opened and closed are balances after entries; between them stands what the entries of the day moved."""
    opened = _balances(clock, clock.day_begins(day))
    closed = _balances(clock, clock.day_begins(day + timedelta(days=1)))
    keys = dict(house.jackpots.values_list("code", "pk"))
    reach = [
        [keys[code] for code in closed],
        [(opened.get(code) or {"seq": 0})["seq"] for code in closed],
        [row["seq"] for row in closed.values()],
    ]
    (rows,) = ask_together([(ACTED, reach)])
    acted = {pk: rest for pk, *rest in rows}
    lines, differ = [], differences_on(house.pk, day)
    for code, row in closed.items():
        awarded, by_awards, otherwise = acted.get(keys[code], (Decimal(0),) * 3)
        first = opened.get(code, {}).get("meter") or Decimal(0)
        # What is left between the balances: a million coin-ins are not added up for a page.
        played = row["meter"] - first - by_awards - otherwise
        lines.append(
            YesterdayLine(
                code, row["name"], first, played, by_awards, otherwise, row["meter"], awarded, differ.get(code)
            )
        )
    return lines


def _balances(clock: HouseClock, at: datetime) -> dict[str, Any]:
    # The close of a day that still runs is the moment of looking.
    question = replace(read_question(REPORTS["liability"], {}, clock), at=min(at, clock.now))
    return {row["jackpot"]: row for row in ReportReading(REPORTS["liability"], question).rows() if row["seq"]}


def _summed(lines: Sequence[YesterdayLine]) -> YesterdayLine:
    def total(name: str) -> Decimal:
        return sum((getattr(line, name) for line in lines), Decimal(0))

    # A sum that leaves one jackpot out would read as if that one agreed.
    known = [line.difference for line in lines if line.difference is not None]
    return YesterdayLine(
        "", "", total("opened"), total("played"), total("by_awards"), total("otherwise"), total("closed"),
        total("awarded"), sum(known, Decimal(0)) if lines and len(known) == len(lines) else None,
    )  # fmt: skip


PLAYED_BY_DAY: Final = f"SELECT gaming_day, sum(chips * chip) FROM ({PLAYED_BY_WAGER}) p GROUP BY 1"


def _played_lately(clock: HouseClock) -> BarChart | None:
    """Money on the progressive, day by day, today's so far the last."""
    days = [clock.today - timedelta(days=back) for back in range(DAYS_ON_THE_CHART - 1, -1, -1)]
    with connection.cursor() as cursor:
        values: dict[str, Any] = {"house": clock.premises_id, "first": days[0], "last": days[-1], "table": ""}
        cursor.execute(PLAYED_BY_DAY, values)
        played = dict(cursor.fetchall())
    return bar_chart([f"{day.day} {day:%b}" for day in days], [played.get(day) or Decimal(0) for day in days])
