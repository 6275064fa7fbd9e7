"""The five columns of a day's close, each line as it stands now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, datetime, timedelta
from typing import Any, Final

from accounting.days.models import BankBalance, ChipCount, ChipPlace, DaySnapshot, MeterReading
from accounting.days.queries.days import snapshots_on
from accounting.days.queries.equation import equation_between
from accounting.days.queries.fees import fees_lines
from accounting.days.queries.kept import HeadNow, heads_of, kept_equations
from accounting.days.queries.slips import wins_lines
from accounting.days.queries.stretch import BooksStretch, last_before
from accounting.days.rules.equation import DayEquation, Holdings
from accounting.days.rules.piles import pile_name
from accounting.days.rules.reconcile import (
    CloseColumn,
    CloseLine,
    CountOfOne,
    CoverNeeded,
    DayLines,
    LineState,
    books_lines,
    chips_line,
    cover_line,
    reading_line,
    self_told_line,
)
from jackpot.books.models.entry import Entry
from jackpot.books.models.jackpot import Jackpot
from jackpot.database.raw import raw_cursor
from jackpot.money import Money, units_of
from jackpot.property.models.property import Property
from tables.floor.models.sign import SignTally
from tables.floor.models.table import FurtherWager, Table
from tables.play_sums.queries import PLAYED_BY_WAGER

A_MINUTE: Final = timedelta(seconds=60)
# Of a round that was voided the chips went back to the players. A gaming day of any house lies within these hours.
_OF_DAY: Final = """r.opened_at >= %(day)s::date - interval '14 hours'
   AND r.opened_at < %(day)s::date + interval '60 hours'
   AND r.gaming_day = %(day)s AND r.state <> 'void'"""
# Whoever signs has every round counted: they are added up by their table's key, and only then is its code looked up.
PLAYED: Final = f"""
SELECT t.code, '', p.chips, p.chip
  FROM (SELECT r.table_id, sum(length(r.seats)) AS chips, max(r.wager) AS chip
          FROM tables_round r WHERE {_OF_DAY} GROUP BY 1) p
  JOIN tables_table t ON t.id = p.table_id WHERE t.premises_id = %(premises)s
 UNION ALL
SELECT t.code, f.wager, sum(length(f.seats)), max(f.chip)
  FROM tables_furthercoinin f
  JOIN tables_round r ON r.table_id = f.table_id AND r.number = f.number AND r.revision = f.revision
  JOIN tables_table t ON t.id = r.table_id
 WHERE {_OF_DAY} AND t.premises_id = %(premises)s GROUP BY t.code, f.wager
"""
SUMMED: Final = f"SELECT table_code, wager, sum(chips), max(chip) FROM ({PLAYED_BY_WAGER}) p GROUP BY 1, 2"
# Entries whose balances do not follow from the entry before; the first is named, and what they say has a digest.
BROKEN: Final = """
SELECT min(seq), count(*), left(encode(sha256(convert_to(string_agg(said, ' ' ORDER BY seq), 'UTF8')), 'hex'), 16)
  FROM (
  SELECT seq, (meter_after, reserve_after, overflow_after, winners_after, house_after, paid_after)
         IS DISTINCT FROM (lag(meter_after) OVER w + meter, lag(reserve_after) OVER w + reserve,
                           lag(overflow_after) OVER w + overflow, lag(winners_after) OVER w + winners,
                           lag(house_after) OVER w + house, lag(paid_after) OVER w + paid) AS broken,
         concat_ws(',', seq, meter_after, reserve_after, overflow_after, winners_after, house_after, paid_after) AS said
    FROM jackpot_entry WHERE jackpot_id = %s AND seq >= %s AND seq <= %s WINDOW w AS (ORDER BY seq)) AS entries
 WHERE broken AND seq > %s
"""


def lines_of(premises: Property, day: date, *, anew: bool = True) -> DayLines:
    """Everything that the close compares; nothing while the day has not rolled. Pages show the equations that were kept
    at the roll, and chips out of sums; signing, and whoever asks for it, has all of it reckoned anew, by entries and
    rounds."""
    snapshots = snapshots_on(premises, day)
    equations = [equation_then(each) for each in snapshots] if anew else kept_equations(snapshots)
    heads = heads_of(snapshots)
    lines: list[CloseLine] = []
    for each, equation in zip(snapshots, equations, strict=True):
        lines += books_of(each, equation, heads[each.pk])
        # It walks every entry of the day, so only who signs, or asks for it, pays for that (decision 0092).
        lines += _broken_lines(each) if anew else ()
    lines += _signs(premises, day, snapshots)
    lines += _chips(premises, day, anew=anew)
    lines += wins_lines(premises, day, snapshots)
    lines += fees_lines(premises, day, anew=anew)
    if snapshots:
        lines.append(_cover(premises, day, snapshots))
    return DayLines(lines, equations)


def equation_then(snapshot: DaySnapshot) -> DayEquation:
    """Reckoned anew over the very entries of the snapshot."""
    return equation_between(snapshot.jackpot, BooksStretch(snapshot.after_seq, snapshot.last_seq))


def books_of(snapshot: DaySnapshot, equation: DayEquation, head: HeadNow) -> list[CloseLine]:
    then = Holdings(*(units_of(getattr(snapshot, word)) for word in ("meter", "reserve", "overflow", "owed")))
    return books_lines(equation, equation.books.less(then), None if head.seal == snapshot.seal else head.seal)


def _broken_lines(snapshot: DaySnapshot) -> Iterator[CloseLine]:
    broken, count, digest = _broken(snapshot)
    if broken is not None:
        others = f" Nor does that of {count - 1:,} more." if count > 1 else ""
        told = f"Entry {broken}: what stood after it does not follow from what stood before.{others} Run the proof."
        # An explanation holds for these entries as they stand, and for no others that break later.
        told += f" Digest of what they say: {digest}."
        name = f"{snapshot.jackpot.code} entry {broken}"
        yield CloseLine(CloseColumn.BOOKS, name, LineState.DIFFERS, told=told)


def _broken(snapshot: DaySnapshot) -> tuple[int | None, int, str]:
    # From the last entry of the day before, so that the day's first one has something it must follow from.
    first = max(snapshot.after_seq, 1)
    with raw_cursor() as cursor:
        cursor.execute(BROKEN, [snapshot.jackpot_id, first, snapshot.last_seq, first])
        row = cursor.fetchone()
    assert row is not None, "a count has a row"
    seq, count, digest = row
    return seq, count, digest or ""


def _signs(premises: Property, day: date, snapshots: list[DaySnapshot]) -> Iterator[CloseLine]:
    """One reading a shift; a jackpot whose sign nobody read is still to be done. Signs’ own words are apart."""
    rows = MeterReading.objects.filter(premises=premises, day=day).select_related("jackpot", "person").order_by("id")
    # In the order they were typed, so a later reading of the same shift and sign takes an earlier one's place.
    latest = {(row.jackpot_id, row.shift, row.sign): row for row in rows}
    for each in snapshots:
        mine = [row for (jackpot, *_), row in latest.items() if jackpot == each.jackpot_id]
        if not mine:
            yield reading_line(each.jackpot.code, None, [])
        for row in mine:
            name = " ".join(word for word in (each.jackpot.code, row.sign, row.shift) if word)
            around = shown_around(row.jackpot, row.read_at)
            told = f"Read by {row.person} at {row.read_at.astimezone(premises.zone):%H:%M}."
            yield reading_line(name, Money(units_of(row.shown)), around, told)
    tallies = SignTally.objects.filter(jackpot__in=[each.jackpot_id for each in snapshots], gaming_day=day)
    for tally in tallies.select_related("sign", "jackpot").order_by("sign__code", "jackpot__code"):
        name = f"{tally.sign.code} {tally.jackpot.code} itself"
        at = tally.said_at.astimezone(premises.zone)
        yield self_told_line(name, Money(units_of(tally.shown)), tally.reports, tally.disagreed, f"{at:%H:%M:%S}")


def shown_around(jackpot: Jackpot, at: datetime) -> list[Money]:
    """What the meter showed within a minute of a reading, oldest first."""
    # As a sign cuts it: a reading can show no more than the currency's smallest coin.
    digits = 2 if jackpot.version is None else jackpot.version.value.digits
    first, last = last_before(jackpot, at - A_MINUTE), last_before(jackpot, at + A_MINUTE)
    # From the entry before that minute on: a meter that nothing moved shows it still.
    rows = Entry.objects.filter(jackpot=jackpot, seq__gte=max(first, 1), seq__lte=max(last, 1)).order_by("seq")
    meters = dict.fromkeys(rows.values_list("meter_after", flat=True))
    return [Money(units_of(meter)).shown(digits) for meter in meters]


def _chips(premises: Property, day: date, *, anew: bool) -> Iterator[CloseLine]:
    place = ChipPlace.objects.filter(premises=premises).first()
    in_box = place is None or place.where == ChipPlace.Where.BOX
    counts = counts_on(premises, day)
    played = played_on(premises, day) if anew else summed_on(premises, day)
    for code in sorted({*played, *counts}):
        chips, wager = played.get(code, (0, Money(0)))
        yield chips_line(code, counts.get(code, []), chips, wager, in_box=in_box)


def counts_on(premises: Property, day: date) -> dict[str, list[CountOfOne]]:
    found: dict[str, list[CountOfOne]] = {}
    for row in ChipCount.objects.filter(premises=premises, day=day).select_related("person").order_by("id"):
        found.setdefault(row.pile, []).append(CountOfOne(row.person_id, str(row.person), row.chips))
    return found


def played_on(premises: Property, day: date) -> dict[str, tuple[int, Money]]:
    """Chips that stayed with the house, by table and wager, and what one is worth."""
    return _piles(PLAYED, {"day": day, "premises": premises.pk})


def summed_on(premises: Property, day: date) -> dict[str, tuple[int, Money]]:
    """The same, out of sums where they hold."""
    return _piles(SUMMED, {"house": premises.pk, "first": day, "last": day, "table": ""})


def _piles(statement: str, values: Mapping[str, Any]) -> dict[str, tuple[int, Money]]:
    with raw_cursor() as cursor:
        cursor.execute(statement, values)
        return {pile_name(code, wager): (int(chips or 0), Money(units_of(chip))) for code, wager, chips, chip in cursor}


def tables_counted(premises: Property, found: DayLines) -> list[str]:
    """What is to be counted: the tables that played, each wager by itself, and those with a count."""
    known: Any = Table.objects.filter(premises=premises).values_list("code", flat=True)
    further = FurtherWager.objects.filter(table__premises=premises).values_list("table__code", "code")
    piles = {*known, *(pile_name(*each) for each in further)}
    return sorted({line.name for line in found.of(CloseColumn.CHIPS)} & piles)


def _cover(premises: Property, day: date, snapshots: list[DaySnapshot]) -> CloseLine:
    row = balance_for(premises, day)
    age = 0 if row is None else (day - row.as_of).days
    return cover_line([cover_of(each) for each in snapshots], None if row is None else Money(units_of(row.amount)), age)


def balance_for(premises: Property, day: date) -> BankBalance | None:
    """The youngest statement that is not younger than the day; of the same age the last that was typed."""
    return BankBalance.objects.filter(premises=premises, as_of__lte=day).order_by("as_of", "id").last()


def cover_of(snapshot: DaySnapshot) -> CoverNeeded:
    words = ("meter", "seed", "reserve", "overflow", "winners")
    return CoverNeeded(**{word: Money(units_of(getattr(snapshot, word))) for word in words})
