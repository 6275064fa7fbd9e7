"""Actual against expected: the hits that the books paid beside what as many coin-ins should bring, line by line."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from django.db import connection

from jackpot.books.models.jackpot import Jackpot, Version
from jackpot.books.queries import versions
from jackpot.money import Money, units_of
from jackpot.terms.rules.terms import Terms
from tables.games.hit_band import HitBand, hit_band
from tables.games.par_sheet import ParSheet
from tables.par.actions.par_sheets import Fold, find_sheet, question_of_terms

# A void or a second count takes a coin-in back under the version it was counted by, whichever is in force by then.
CONTRIBUTED: Final = """
SELECT coalesce(o.version_id, e.version_id), -sum(e.contributed)
  FROM jackpot_entry e
  LEFT JOIN jackpot_entry o ON o.jackpot_id = e.jackpot_id AND o.seq = e.corrects
 WHERE e.jackpot_id = %s AND e.kind IN ('coin_in', 'void', 'recount')
 GROUP BY 1
"""
HITS: Final = """
SELECT version_id, line, count(*) FROM jackpot_win
 WHERE jackpot_id = %s AND state IN ('logged', 'owed', 'paid') AND envy_of_id IS NULL AND difference_of_id IS NULL
 GROUP BY 1, 2
"""


@dataclass(frozen=True, slots=True)
class ActualLine:
    """One line of a jackpot: the hits paid so far in their band."""

    line: str
    name: str
    band: HitBand


@dataclass(frozen=True, slots=True)
class ActualHits:
    """All lines of a jackpot since its books began, or how far the calculation of their chances is."""

    coin_ins: int
    lines: tuple[ActualLine, ...]
    uncounted: tuple[int, ...] = ()  # versions that contribute nothing: the books cannot say how many coin-ins they had
    percent: int = 100


def actual_hits(jackpot: Jackpot, *, fold: Fold = "live", wait: float | None = None) -> ActualHits:
    """Every version with its own coin-ins and chances; lines that kept their chance are counted together. `wait` is
    how long the chances may take to come, where nobody knows them yet."""
    rows = {version.pk: version for version in versions(jackpot)}
    counted, uncounted = _coin_ins(jackpot, rows)
    hits = _hits(jackpot)
    silent = {pk for pk, row in rows.items() if row.number in uncounted}
    for version, _ in hits:  # a hit may be paid under a version that came in force after its coin-in
        if version not in silent:
            counted.setdefault(version, 0)
    sheets: dict[int, ParSheet] = {}
    for row in (row for pk, row in rows.items() if pk in counted):
        answer = find_sheet(question_of_terms(jackpot, row, fold=fold), wait)
        if answer.sheet is None:
            return ActualHits(sum(counted.values()), (), uncounted, answer.percent)
        sheets[row.pk] = answer.sheet
    return ActualHits(sum(counted.values()), tuple(_lines(counted, hits, sheets)), uncounted)


def _lines(
    counted: Mapping[int, int], hits: Mapping[tuple[int, str], int], sheets: Mapping[int, ParSheet]
) -> list[ActualLine]:
    names: dict[tuple[str, Fraction], str] = {}
    coin_ins: dict[tuple[str, Fraction], int] = defaultdict(int)
    seen: dict[tuple[str, Fraction], int] = defaultdict(int)
    for version, sheet in sorted(sheets.items(), reverse=True):
        for row in sheet.rows:
            key = (row.hand, sheet.chance(row))
            names.setdefault(key, row.name)
            coin_ins[key] += counted[version]
            seen[key] += hits.get((version, row.hand), 0)
    return [ActualLine(key[0], name, hit_band(coin_ins[key], key[1], seen[key])) for key, name in names.items()]


def lifetime_coin_in(jackpot: Jackpot) -> tuple[int, Money, tuple[int, ...]]:
    """Chips and their money since the books began; versions whose chips bring nothing are named, not counted."""
    rows = {version.pk: version for version in versions(jackpot)}
    counted, uncounted = _coin_ins(jackpot, rows)
    wagers = {pk: rows[pk].value.wager for pk in counted}
    money = Money(sum(chips * wagers[pk].units for pk, chips in counted.items()))
    return sum(counted.values()), money, uncounted


def _contributed(jackpot: Jackpot, known: Collection[int]) -> dict[int, int]:
    """What chips brought under each version. Where there was only one, that is the account itself: the books need not
    be read from the first entry on."""
    if len(known) == 1:
        brought = Jackpot.objects.values_list("contributed", flat=True).get(pk=jackpot.pk)
        return dict.fromkeys(known, -units_of(brought)) if brought else {}
    with connection.cursor() as cursor:
        cursor.execute(CONTRIBUTED, [jackpot.pk])
        return {version: units_of(amount) for version, amount in cursor.fetchall()}


def _coin_ins(jackpot: Jackpot, rows: Mapping[int, Version]) -> tuple[dict[int, int], tuple[int, ...]]:
    contributed = _contributed(jackpot, rows)
    counted, uncounted = {}, []
    for pk, units in contributed.items():
        each = _of_one_chip(rows[pk].value)
        if not each:
            uncounted.append(rows[pk].number)
            continue
        assert units % each == 0, "a coin-in contributes whole chips"
        counted[pk] = units // each
    return counted, tuple(sorted(uncounted))


def _of_one_chip(terms: Terms) -> int:
    return terms.meter_part.units + terms.reserve_part.units


def _hits(jackpot: Jackpot) -> dict[tuple[int, str], int]:
    with connection.cursor() as cursor:
        cursor.execute(HITS, [jackpot.pk])
        return {(version, line): count for version, line, count in cursor.fetchall()}
