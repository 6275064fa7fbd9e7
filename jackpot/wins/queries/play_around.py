"""How a jackpot was played before and after each hit of its whole meter, from the running sums of its entries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from math import floor
from typing import Any, Final

from jackpot.books.models.entry import Entry
from jackpot.books.models.jackpot import Jackpot, Version
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
WITH RECURSIVE halves(n, jackpot, at, low, high) AS (
  SELECT m.n, m.jackpot, m.at, 0::bigint, j.last_seq
    FROM unnest(%(places)s::int[], %(jackpots)s::bigint[], %(at)s::timestamptz[]) AS m(n, jackpot, at)
    JOIN jackpot_jackpot j ON j.id = m.jackpot
  UNION ALL
  SELECT h.n, h.jackpot, h.at, CASE WHEN e.occurred_at <= h.at THEN e.seq ELSE h.low END,
         CASE WHEN e.occurred_at <= h.at THEN h.high ELSE e.seq - 1 END
    FROM halves h JOIN jackpot_entry e ON e.jackpot_id = h.jackpot AND e.seq = (h.low + h.high + 1) / 2
   WHERE h.low < h.high
)
SELECT h.n, h.low, coalesce(e.contributed_after, 0), e.version_id
  FROM halves h LEFT JOIN jackpot_entry e ON e.jackpot_id = h.jackpot AND e.seq = h.low
 WHERE h.low = h.high
"""
# Where terms changed within: a void takes a coin-in back under the version it was counted by.
BY_VERSION: Final = """
SELECT s.n, v.version_id, v.brought
  FROM unnest(%(places)s::int[], %(jackpots)s::bigint[], %(after)s::bigint[], %(last)s::bigint[])
       AS s(n, jackpot, after, last)
 CROSS JOIN LATERAL (
  SELECT coalesce(o.version_id, e.version_id) AS version_id, -sum(e.contributed) AS brought
    FROM jackpot_entry e LEFT JOIN jackpot_entry o ON o.jackpot_id = e.jackpot_id AND o.seq = e.corrects
   WHERE e.jackpot_id = s.jackpot AND e.seq > s.after AND e.seq <= s.last AND e.kind IN ('coin_in', 'void', 'recount')
   GROUP BY 1
 ) v
"""
AWARDS: Final = """
SELECT e.jackpot_id, e.seq, e.reserve, e.meter_after
  FROM unnest(%(jackpots)s::bigint[], %(seqs)s::bigint[]) AS a(jackpot, seq)
  JOIN jackpot_entry e ON e.jackpot_id = a.jackpot AND e.seq = a.seq
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


@dataclass(frozen=True, slots=True)
class _Award:
    """What the entry of an award did to the reserve, and where it left the meter."""

    reserve: int
    meter_after: int


@dataclass(frozen=True, slots=True)
class _Stretch:
    """A stretch of time in the books of one jackpot."""

    jackpot_id: int
    span: PlaySpan


def play_around(jackpot: Jackpot, *, now: datetime, newest: int) -> list[PlayAround]:
    """The newest hits first. What was backed out never was a hit."""
    return play_around_each([jackpot], now=now, newest=newest)[jackpot.pk]


def play_around_each(jackpots: Sequence[Jackpot], *, now: datetime, newest: int) -> dict[int, list[PlayAround]]:
    """Of each jackpot its newest hits, asked for all of them at once."""
    hits = _whole_hits(jackpots)
    shown = {pk: rows[-newest:] for pk, rows in hits.items()}
    # Each hit has a span on either side.
    spans = {pk: _spans(rows, first, now)[-2 * newest :] for pk, rows, first in _with_beginnings(hits)}
    stretches = [_Stretch(pk, span) for pk, found in spans.items() for span in found]
    paces = iter(_paces(jackpots, stretches) if stretches else ())
    awards = _awards(shown) if shown else {}
    told: dict[int, list[PlayAround]] = {jackpot.pk: [] for jackpot in jackpots}
    for pk in spans:
        told[pk] = [_with_play(hit, awards[pk, hit.award_seq or 0], next(paces), next(paces)) for hit in shown[pk]]
        told[pk].reverse()
    return told


def _with_beginnings(hits: Mapping[int, list[Win]]) -> Iterator[tuple[int, list[Win], datetime]]:
    """Beside the moment of the first entry of their books."""
    firsts = Entry.objects.filter(jackpot__in=list(hits), seq=1).values_list("jackpot_id", "occurred_at")
    for pk, first in firsts:
        yield pk, hits[pk], first


def _spans(hits: Sequence[Win], first: datetime, now: datetime) -> list[PlaySpan]:
    moments = [None, *(_moved(hit) for hit in hits), None]
    spans: list[PlaySpan] = []
    for hit, before, after in zip(hits, moments, moments[2:], strict=False):
        spans += spans_around(hit=_moved(hit), first=first, before=before, after=after, now=now)
    return spans


def _awards(shown: Mapping[int, Sequence[Win]]) -> dict[tuple[int, int], _Award]:
    """What each of these awards left, by its number in the books of its jackpot."""
    wanted = [(pk, hit.award_seq) for pk, rows in shown.items() for hit in rows]
    with raw_cursor() as cursor:
        cursor.execute(AWARDS, {"jackpots": [pk for pk, _ in wanted], "seqs": [seq for _, seq in wanted]})
        return {(pk, seq): _Award(units_of(reserve), units_of(after)) for pk, seq, reserve, after in cursor.fetchall()}


def _moved(hit: Win) -> datetime:
    assert hit.moved_at is not None, "only hits that moved the meter are asked for"
    return hit.moved_at


def _with_play(hit: Win, award: _Award, before: PlayPace, after: PlayPace) -> PlayAround:
    return PlayAround(hit, _moved(hit), Money(award.meter_after), Money(max(0, -award.reserve)), before, after)


def _whole_hits(jackpots: Sequence[Jackpot]) -> dict[int, list[Win]]:
    """In their order; of a round that was shared the last, whose entry holds the reset. Who had none is left out."""
    rows = Win.objects.filter(
        jackpot__in=jackpots, part=True, state__in=MOVED, moved_at__isnull=False, award_seq__isnull=False,
        envy_of__isnull=True, difference_of__isnull=True,
    )  # fmt: skip
    ordered = rows.select_related("version", "jackpot").order_by("jackpot_id", "award_seq")
    whole = [row for row in ordered if _is_whole(row)]
    found: dict[int, list[Win]] = {}
    for row, following in pairwise([*whole, None]):
        if row and not _same_round(row, following):
            found.setdefault(row.jackpot_id, []).append(row)
    return found


def _is_whole(row: Win) -> bool:
    line = next((each for each in row.version.value.pay_table if each.code == row.line), None)
    return line is not None and line.award == PartOfMeter(Fraction(1))


def _same_round(one: Win, other: Win | None) -> bool:
    return other is not None and _round_of(one) == _round_of(other)


def _round_of(win: Win) -> tuple[int, str, int]:
    return win.jackpot_id, win.table_code, win.round_number


def _paces(jackpots: Sequence[Jackpot], stretches: Sequence[_Stretch]) -> list[PlayPace]:
    rows = Version.objects.filter(jackpot__in=jackpots).in_bulk()
    moments = sorted({(each.jackpot_id, at) for each in stretches for at in (each.span.begins, each.span.ends)})
    values: dict[str, Any] = {
        "places": list(range(len(moments))), "jackpots": [pk for pk, _ in moments], "at": [at for _, at in moments],
    }  # fmt: skip
    with raw_cursor() as cursor:
        cursor.execute(UP_TO, values)
        found = {moments[n]: _Standing(seq, units_of(sum_), version) for n, seq, sum_, version in cursor.fetchall()}
        between = [
            (each, found[each.jackpot_id, each.span.begins], found[each.jackpot_id, each.span.ends])
            for each in stretches
        ]
        plain = [_plain_chips(begins, ends, rows) for _, begins, ends in between]
        mixed = [(n, *between[n]) for n, chips in enumerate(plain) if chips is None]
        counted = _by_version(cursor, mixed, rows) if mixed else {}
    return [
        PlayPace(counted.get(n, 0) if chips is None else chips, each.span.lasts)
        for n, (each, chips) in enumerate(zip(stretches, plain, strict=True))
    ]


def _plain_chips(begins: _Standing, ends: _Standing, rows: Mapping[int, Version]) -> int | None:
    """One division where one set of terms held throughout; None where it must be told version by version."""
    if begins.version_id != ends.version_id or ends.version_id is None:
        return None
    brought, each = begins.contributed - ends.contributed, rows[ends.version_id].value.contribution.units
    return brought // each if each and brought % each == 0 else None


def _by_version(
    cursor: Any, mixed: Sequence[tuple[int, _Stretch, _Standing, _Standing]], rows: Mapping[int, Version]
) -> dict[int, int]:
    """Chips of each stretch, version by version. Chips that bring nothing cannot be seen in the books."""
    values = {
        "places": [n for n, *_ in mixed], "jackpots": [each.jackpot_id for _, each, *_ in mixed],
        "after": [begins.seq for *_, begins, _ in mixed], "last": [ends.seq for *_, ends in mixed],
    }  # fmt: skip
    cursor.execute(BY_VERSION, values)
    chips: dict[int, int] = {}
    for n, version, amount in cursor.fetchall():
        each = rows[version].value.contribution.units
        chips[n] = chips.get(n, 0) + (units_of(amount) // each if each else 0)
    return chips
