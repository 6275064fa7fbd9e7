"""What was played: coin-in by table, seat, hour and shift; what it contributed; hits beside what should have come."""

from __future__ import annotations

from typing import Final

from accounting.reports.queries.moved import MOVED_BY_KIND
from accounting.reports.queries.shifts import shift_join
from accounting.reports.rules.declaring import (
    ColumnKind,
    OfficeReport,
    ReportChart,
    ReportColumn,
    ReportFilter,
    ReportGroup,
    Selected,
)
from tables.play_sums.models import SEAT_NAMES
from tables.play_sums.models import SEATS as SEAT_DIGITS
from tables.play_sums.queries import PLAYED_BY_TIME, PLAYED_BY_WAGER

MONEY, WHOLE, DAY, PERCENT = ColumnKind.MONEY, ColumnKind.WHOLE, ColumnKind.DAY, ColumnKind.PERCENT
PERIOD, TABLE, SHIFT, JACKPOT = ReportFilter.PERIOD, ReportFilter.TABLE, ReportFilter.SHIFT, ReportFilter.JACKPOT

# A minute or half an hour at a time: few rows, each with the shift of its time by the plan of its day.
MINUTES: Final = f"""
SELECT m.*, shift.name AS shift FROM ({PLAYED_BY_TIME}) m{shift_join("m.gaming_day", "m.local")}
WHERE %(shift)s = '' OR shift.name = %(shift)s
"""
SUMS: Final = "sum(rounds)::bigint AS rounds, sum(chips)::bigint AS chips, sum(coin_in) AS coin_in"
PLAYED: Final = (
    ReportColumn("rounds", "Rounds", WHOLE, total=True),
    ReportColumn("chips", "Coin-ins", WHOLE, total=True),
    ReportColumn("coin_in", "Coin-in", MONEY, total=True),
)
NOT_VOID: Final = "Void rounds are left out; a round counted again stands as it was counted last."

COIN_IN_TABLE: Final = OfficeReport(
    code="coin-in-table", title="Coin-in by table", group=ReportGroup.PLAY,
    about="Rounds, coin-ins and money on the progressive, table by table.", note=NOT_VOID,
    columns=(ReportColumn("table_code", "Table", leads="/rounds/?table={table_code}"), *PLAYED),
    takes=(PERIOD, TABLE, SHIFT), order=("table_code",), chart=ReportChart("table_code", "coin_in"),
    source=Selected(f"SELECT table_code, {SUMS} FROM ({MINUTES}) x GROUP BY 1"),
)  # fmt: skip

# `place` counts the hours from the roll, so that the night stands behind the evening it belongs to.
COIN_IN_HOUR: Final = OfficeReport(
    code="coin-in-hour", title="Coin-in by hour", group=ReportGroup.PLAY,
    about="The hours of the gaming day, from its roll on.", note=NOT_VOID,
    columns=(ReportColumn("hour", "Hour"), *PLAYED), hidden=("place",),
    takes=(PERIOD, TABLE, SHIFT), order=("place",), chart=ReportChart("hour", "coin_in"),
    source=Selected(
        f"SELECT to_char(date_trunc('hour', local), 'HH24:00') AS hour, {SUMS}, "
        "(extract(hour FROM date_trunc('hour', local))::int * 60 - min(roll) / 60 * 60 + 1440) %% 1440 AS place "
        f"FROM ({MINUTES}) x GROUP BY 1, extract(hour FROM date_trunc('hour', local))"
    ),
)  # fmt: skip

_BY_SEAT: Final = ", ".join(f"('{seat}', p.{name})" for seat, name in zip(SEAT_DIGITS, SEAT_NAMES, strict=True))
SEATS: Final = f"""
SELECT seat, sum(s.chips)::bigint AS chips, sum(s.chips * p.chip) AS coin_in,
       CASE WHEN sum(sum(s.chips * p.chip)) OVER () > 0
            THEN 100 * sum(s.chips * p.chip) / sum(sum(s.chips * p.chip)) OVER () END AS share
  FROM ({PLAYED_BY_WAGER}) p CROSS JOIN LATERAL (VALUES {_BY_SEAT}) AS s(seat, chips)
 WHERE s.chips > 0 GROUP BY 1
"""
COIN_IN_WAGER: Final = OfficeReport(
    code="coin-in-wager", title="Coin-in by wager", group=ReportGroup.PLAY,
    about="The chips of each wager of a table; a table’s first wager has no code.", note=NOT_VOID,
    columns=(
        ReportColumn("table_code", "Table"), ReportColumn("wager", "Wager"), ReportColumn("chip", "Chip", MONEY),
        ReportColumn("chips", "Coin-ins", WHOLE, total=True), ReportColumn("coin_in", "Coin-in", MONEY, total=True),
    ),
    takes=(PERIOD, TABLE), order=("table_code", "wager", "chip"),
    source=Selected(f"""
      SELECT table_code, wager, chip, sum(chips)::bigint AS chips, sum(chips * chip) AS coin_in
        FROM ({PLAYED_BY_WAGER}) p GROUP BY 1, 2, 3"""),
)  # fmt: skip
COIN_IN_SEAT: Final = OfficeReport(
    code="coin-in-seat", title="Coin-in by seat", group=ReportGroup.PLAY,
    about="Which seats play the progressive; seat 1 is on the dealer’s left.", note=NOT_VOID,
    columns=(
        ReportColumn("seat", "Seat"), ReportColumn("chips", "Coin-ins", WHOLE, total=True),
        ReportColumn("coin_in", "Coin-in", MONEY, total=True), ReportColumn("share", "Of all", PERCENT),
    ),
    takes=(PERIOD, TABLE), order=("seat",), chart=ReportChart("seat", "coin_in"), source=Selected(SEATS),
)  # fmt: skip

# Both sides whole: a shift may award what an earlier one played, and mostly plays without an award.
SHIFT_TOTALS: Final = f"""
SELECT coalesce(played.day, won.day) AS day, coalesce(played.shift, won.shift) AS shift,
       coalesce(rounds, 0) AS rounds, coalesce(chips, 0) AS chips, coalesce(coin_in, 0) AS coin_in,
       coalesce(slips, 0) AS slips, coalesce(awards, 0) AS awards,
       to_char(coalesce(played.day, won.day), 'YYYY-MM-DD') AS iso
  FROM (SELECT gaming_day AS day, coalesce(shift, '') AS shift, {SUMS} FROM ({MINUTES}) x GROUP BY 1, 2) played
  FULL JOIN (
    SELECT w.gaming_day AS day, coalesce(shift.name, '') AS shift, count(*) AS slips, sum(w.amount) AS awards
      FROM jackpot_win w JOIN jackpot_property p ON p.id = w.premises_id
      {shift_join("w.gaming_day", "(w.logged_at AT TIME ZONE p.time_zone)").strip()}
     WHERE w.premises_id = %(house)s AND w.slip IS NOT NULL AND w.state <> 'backed_out'
       AND w.gaming_day BETWEEN %(first)s AND %(last)s AND (%(table)s = '' OR w.table_code = %(table)s)
       AND (%(shift)s = '' OR shift.name = %(shift)s)
     GROUP BY 1, 2
  ) won ON won.day = played.day AND won.shift = played.shift
"""
COIN_IN_SHIFT: Final = OfficeReport(
    code="shift-totals", title="Shift totals", group=ReportGroup.PLAY,
    about="What each shift of each gaming day played and awarded.",
    note=f"{NOT_VOID} Awards count in the shift of their approval; backed-out slips do not count.",
    columns=(
        ReportColumn("day", "Gaming day", DAY), ReportColumn("shift", "Shift"), *PLAYED,
        ReportColumn("slips", "Slips", WHOLE, total=True, leads="/office/wins/?days={iso}"),
        ReportColumn("awards", "Awards", MONEY, total=True),
    ),
    hidden=("iso",), takes=(PERIOD, TABLE, SHIFT), order=("-day", "shift"), source=Selected(SHIFT_TOTALS),
)  # fmt: skip

CONTRIBUTIONS_BY_DAY: Final = f"""
SELECT e.day, e.jackpot, coalesce(sum(e.entries) FILTER (WHERE e.kind = 'coin_in'), 0)::bigint AS coin_ins,
       coalesce(sum(e.meter) FILTER (WHERE e.kind = 'coin_in'), 0) AS meter,
       coalesce(sum(e.reserve) FILTER (WHERE e.kind = 'coin_in'), 0) AS reserve,
       coalesce(sum(e.overflow + e.house) FILTER (WHERE e.kind = 'coin_in'), 0) AS above,
       coalesce(-sum(e.contributed) FILTER (WHERE e.kind <> 'coin_in'), 0) AS taken_back,
       -sum(e.contributed) AS net, to_char(e.day, 'YYYY-MM-DD') AS iso
  FROM ({MOVED_BY_KIND}) e WHERE e.kind IN ('coin_in', 'void', 'recount')
 GROUP BY 1, 2
"""
CONTRIBUTIONS: Final = OfficeReport(
    code="contributions", title="Contributions", group=ReportGroup.MONEY,
    about="What coin-ins brought to each jackpot, and what voids and second counts took back.",
    columns=(
        ReportColumn("day", "Gaming day", DAY), ReportColumn("jackpot", "Jackpot", leads="/jackpots/{jackpot}/"),
        ReportColumn(
            "coin_ins", "Entries", WHOLE, total=True, leads="/jackpots/{jackpot}/ledger/?kind=coin_in&day={iso}"
        ),
        ReportColumn("meter", "To the meter", MONEY, total=True),
        ReportColumn("reserve", "To the reserve", MONEY, total=True),
        ReportColumn("above", "Above the limit", MONEY, total=True),
        ReportColumn("taken_back", "Taken back", MONEY, total=True),
        ReportColumn("net", "Net", MONEY, total=True),
    ),
    hidden=("iso",), takes=(PERIOD, JACKPOT), order=("-day", "jackpot"), source=Selected(CONTRIBUTIONS_BY_DAY),
)  # fmt: skip

PLAY_REPORTS: Final = (COIN_IN_TABLE, COIN_IN_WAGER, COIN_IN_SEAT, COIN_IN_HOUR, COIN_IN_SHIFT, CONTRIBUTIONS)
