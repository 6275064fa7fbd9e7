"""How a jackpot was played before and after each hit of its whole meter, from the running sums of its entries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from math import floor
from typing import Any, Final

from jackpot.books.models.entry import Entry
from jackpot.books.models.jackpot import Jackpot, Version
from jackpot.books.queries import versions
from jackpot.database.raw import raw_cursor
from jackpot.money import Money, units_of
from jackpot.terms.rules.paytable import PartOfMeter
from jackpot.wins.models import Win
from jackpot.wins.rules.play_around import PlayPace, PlaySpan, change_of_pace, spans_around
from jackpot.wins.rules.win_life import WinState

MOVED: Final = (WinState.OWED, WinState.PAID)

# The numbers of entries rise with their time: the last one up to a moment is found by halving, however long the books
# are. What chips brought in between is the difference of two running sums.
UP_TO: Final = """
WITH RECURSIVE halves(n, at, low, high) AS (
  SELECT m.n, m.at, 0::bigint, j.last_seq
    FROM unnest(%(places)s::int[], %(at)s::timestamptz[]) AS m(n, at) JOIN jackpot_jackpot j ON j.id = %(jackpot)s
  UNION ALL
  SELECT h.n, h.at, CASE WHEN e.occurred_at <= h.at THEN e.seq ELSE h.low END,
         CASE WHEN e.occurred_at <= h.at THEN h.high ELSE e.seq - 1 END
    FROM halves h JOIN jackpot_entry e ON e.jackpot_id = %(jackpot)s AND e.seq = (h.low + h.high + 1) / 2
   WHERE h.low < h.high
)
SELECT h.n, h.low, coalesce(e.contributed_after, 0), e.version_id
  FROM halves h LEFT JOIN jackpot_entry e ON e.jackpot_id = %(jackpot)s AND e.seq = h.low
 WHERE h.low = h.high
"""
# Where terms changed within: a void takes a coin-in back under the version it was counted by.
BY_VERSION: Final = """
SELECT coalesce(o.version_id, e.version_id), -sum(e.contributed)
  FROM jackpot_entry e LEFT JOIN jackpot_entry o ON o.jackpot_id = e.jackpot_id AND o.seq = e.corrects
 WHERE e.jackpot_id = %(jackpot)s AND e.seq > %(after)s AND e.seq <= %(last)s
   AND e.kind IN ('coin_in', 'void', 'recount')
 GROUP BY 1
"""


@dataclass(frozen=True, slots=True)
class PlayAround:
    """One hit of the whole meter: what was won, what the next meter began with, and the play on both sides."""

    win: Win
    at: datetime
    began_at: Money
    from_reserve: Money
    before: PlayPace
    after: PlayPace

    @property
    def change(self) -> Fraction | None:
        """Of the chips an hour, in percent."""
        return change_of_pace(self.before, self.after)

    @property
    def change_decimal(self) -> Decimal | None:
        """To a tenth of a percent; None where it is too early or too little to say."""
        return None if self.change is None else Decimal(floor(self.change * 10 + Fraction(1, 2))) / 10

    @property
    def change_words(self) -> str:
        return "" if self.change_decimal is None else f"{self.change_decimal:+.1f} %".replace("-", "−")


@dataclass(frozen=True, slots=True)
class _Standing:
    """What the books had counted at a moment."""

    seq: int
    contributed: int
    version_id: int | None


def play_around(jackpot: Jackpot, *, now: datetime, newest: int) -> list[PlayAround]:
    """The newest hits first. What was backed out never was a hit."""
    hits = _whole_hits(jackpot)
    if not hits:
        return []
    first = Entry.objects.values_list("occurred_at", flat=True).get(jackpot=jackpot, seq=1)
    moments = [None, *(_moved(hit) for hit in hits), None]
    spans: list[PlaySpan] = []
    for hit, before, after in zip(hits, moments, moments[2:], strict=False):
        spans += spans_around(hit=_moved(hit), first=first, before=before, after=after, now=now)
    spans = spans[-2 * newest :]
    paces = _paces(jackpot, spans)
    entries = {row.seq: row for row in Entry.objects.filter(jackpot=jackpot, seq__in=[hit.award_seq for hit in hits])}
    shown = hits[-newest:]
    told = [
        _with_play(hit, entries[hit.award_seq or 0], *paces[2 * place : 2 * place + 2])
        for place, hit in enumerate(shown)
    ]
    return told[::-1]


def _moved(hit: Win) -> datetime:
    assert hit.moved_at is not None, "only hits that moved the meter are asked for"
    return hit.moved_at


def _with_play(hit: Win, entry: Entry, before: PlayPace, after: PlayPace) -> PlayAround:
    released = Money(max(0, -units_of(entry.reserve)))
    return PlayAround(hit, _moved(hit), Money(units_of(entry.meter_after)), released, before, after)


def _whole_hits(jackpot: Jackpot) -> list[Win]:
    """In their order; of a round that was shared the last, whose entry holds the reset."""
    rows = Win.objects.filter(
        jackpot=jackpot, part=True, state__in=MOVED, moved_at__isnull=False, award_seq__isnull=False,
        envy_of__isnull=True, difference_of__isnull=True,
    )  # fmt: skip
    whole = [row for row in rows.select_related("version").order_by("award_seq") if _is_whole(row)]
    return [row for row, following in pairwise([*whole, None]) if row and not _same_round(row, following)]


def _is_whole(row: Win) -> bool:
    line = next((each for each in row.version.value.pay_table if each.code == row.line), None)
    return line is not None and line.award == PartOfMeter(Fraction(1))


def _same_round(one: Win, other: Win | None) -> bool:
    return other is not None and (one.table_code, one.round_number) == (other.table_code, other.round_number)


def _paces(jackpot: Jackpot, spans: Sequence[PlaySpan]) -> list[PlayPace]:
    rows = {version.pk: version for version in versions(jackpot)}
    with raw_cursor() as cursor:
        moments = sorted({moment for span in spans for moment in (span.begins, span.ends)})
        values: dict[str, Any] = {
            "jackpot": jackpot.pk, "places": list(range(len(moments))), "at": moments,
        }  # fmt: skip
        cursor.execute(UP_TO, values)
        found = {moments[n]: _Standing(seq, units_of(sum_), version) for n, seq, sum_, version in cursor.fetchall()}
        return [
            PlayPace(_chips(cursor, jackpot.pk, found[span.begins], found[span.ends], rows), span.lasts)
            for span in spans
        ]


def _chips(cursor: Any, jackpot_id: int, begins: _Standing, ends: _Standing, rows: Mapping[int, Version]) -> int:
    """One division where one set of terms held throughout, else version by version. Chips that bring nothing cannot
    be seen in the books."""
    brought = begins.contributed - ends.contributed
    if begins.version_id == ends.version_id and ends.version_id is not None:
        each = _of_one_chip(rows[ends.version_id])
        if each and brought % each == 0:
            return brought // each
    cursor.execute(BY_VERSION, {"jackpot": jackpot_id, "after": begins.seq, "last": ends.seq})
    parts = [(units_of(amount), _of_one_chip(rows[version])) for version, amount in cursor.fetchall()]
    return sum(amount // each for amount, each in parts if each)


def _of_one_chip(version: Version) -> int:
    terms = version.value
    return terms.meter_part.units + terms.reserve_part.units
