"""Actual against expected: the hits that the books paid beside what as many coin-ins should bring, line by line."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from time import monotonic
from typing import Any, Final

from django.db import connection

from jackpot.books.models.jackpot import Jackpot, Version
from jackpot.money import Money, units_of
from jackpot.refusals import Refused
from jackpot.terms.rules.terms import Terms
from tables.calculation.desk import IN_A_REQUEST
from tables.games.game import Game
from tables.games.hit_band import HitBand, hit_band
from tables.games.par_sheet import ParSheet
from tables.par.actions.par_sheets import Fold, find_sheet, games_of, question_of_terms, seating_of

# Terms change at an act alone, so the coin-ins between two acts are of one version, and what they brought is the
# difference of the account: the acts are read, not the book. A void or a second count takes a coin-in back under the
# version it was counted by, whichever is in force by then.
CONTRIBUTED: Final = """
WITH acts AS (
  SELECT e.jackpot_id, e.seq, e.kind, e.corrects, e.version_id, e.contributed, e.contributed_after,
         lead(e.contributed_after - e.contributed) OVER later AS before_next
    FROM jackpot_entry e WHERE e.jackpot_id = ANY(%s) AND e.kind <> 'coin_in'
  WINDOW later AS (PARTITION BY e.jackpot_id ORDER BY e.seq)
)
SELECT jackpot_id, version_id, -sum(moved) FROM (
  SELECT a.jackpot_id, played.version_id, coalesce(a.before_next, j.contributed) - a.contributed_after AS moved
    FROM acts a JOIN jackpot_jackpot j ON j.id = a.jackpot_id
    JOIN jackpot_entry played ON played.jackpot_id = a.jackpot_id AND played.seq = a.seq + 1
         AND played.kind = 'coin_in'
  UNION ALL
  SELECT a.jackpot_id, coalesce(undone.version_id, a.version_id), a.contributed
    FROM acts a LEFT JOIN jackpot_entry undone ON undone.jackpot_id = a.jackpot_id AND undone.seq = a.corrects
   WHERE a.kind IN ('void', 'recount')
) brought GROUP BY 1, 2
"""
# What was backed out was no hit, and envy and differences hang on another hit's cards: none of them is a deal won.
HITS: Final = """
SELECT jackpot_id, version_id, line, count(*) FROM jackpot_win
 WHERE jackpot_id = ANY(%s) AND state IN ('logged', 'owed', 'paid')
   AND envy_of_id IS NULL AND difference_of_id IS NULL
 GROUP BY 1, 2, 3
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


@dataclass(frozen=True, slots=True)
class LifetimePlay:
    """What chips brought to a jackpot since its books began, by version; versions whose chips bring nothing are named,
    not counted."""

    versions: Mapping[int, Version]
    chips: Mapping[int, int]
    uncounted: tuple[int, ...] = ()

    @property
    def coin_ins(self) -> int:
        return sum(self.chips.values())

    @property
    def coin_in(self) -> Money:
        return Money(sum(chips * self.versions[pk].value.wager.units for pk, chips in self.chips.items()))


def actual_hits(jackpot: Jackpot, *, fold: Fold = "live", wait: float | None = None) -> ActualHits:
    """Of one jackpot; `wait` is how long the chances may take to come, where nobody knows them yet."""
    (found,) = hits_of_jackpots([jackpot], fold=fold, wait=wait).values()
    if isinstance(found, Refused):
        raise found
    return found


def hits_of_jackpots(
    jackpots: Sequence[Jackpot], *, fold: Fold = "live", wait: float | None = None
) -> dict[int, ActualHits | Refused]:
    """Every version with its own coin-ins and chances; lines that kept their chance are counted together. One look for
    all jackpots, and one wait; of a jackpot whose chances nobody can say, why."""
    until = monotonic() + (IN_A_REQUEST if wait is None else wait)
    played, hits, games = lifetime_play(jackpots), _hits(jackpots), games_of(jackpots)
    found: dict[int, ActualHits | Refused] = {}
    for jackpot in jackpots:
        try:
            asked = partial(
                _answer, jackpot, played[jackpot.pk], hits[jackpot.pk], seating_of(jackpot, games), fold=fold
            )
            found[jackpot.pk] = asked(wait=max(0.0, until - monotonic()))
        except Refused as unknown:  # a line of the house's own that no pack knows
            found[jackpot.pk] = unknown
    return found


def _answer(
    jackpot: Jackpot, played: LifetimePlay, hits: Mapping[tuple[int, str], int], seating: tuple[Game, int], *,
    fold: Fold, wait: float,
) -> ActualHits:  # fmt: skip
    silent = {pk for pk, row in played.versions.items() if row.number in played.uncounted}
    counted = dict(played.chips)
    for version, _ in hits:  # a hit may be paid under a version that came in force after its coin-in
        if version not in silent:
            counted.setdefault(version, 0)
    until, sheets = monotonic() + wait, {}
    for row in (row for pk, row in played.versions.items() if pk in counted):
        question = question_of_terms(jackpot, row, fold=fold, seating=seating)
        answer = find_sheet(question, max(0.0, until - monotonic()))
        if answer.sheet is None:
            return ActualHits(sum(counted.values()), (), played.uncounted, answer.percent)
        sheets[row.pk] = answer.sheet
    return ActualHits(sum(counted.values()), tuple(_lines(counted, hits, sheets)), played.uncounted)


def _lines(
    counted: Mapping[int, int], hits: Mapping[tuple[int, str], int], sheets: Mapping[int, ParSheet]
) -> list[ActualLine]:
    names: dict[tuple[str, Fraction], str] = {}
    coin_ins: dict[tuple[str, Fraction], int] = defaultdict(int)
    seen: dict[tuple[str, Fraction], int] = defaultdict(int)
    # The newest version first: its names are those that people know.
    for version, sheet in sorted(sheets.items(), reverse=True):
        for row in sheet.rows:
            # A line whose chance changed is another line: its hits before and after are not of one binomial.
            key = (row.hand, sheet.chance(row))
            names.setdefault(key, row.name)
            coin_ins[key] += counted[version]
            seen[key] += hits.get((version, row.hand), 0)
    return [ActualLine(key[0], name, hit_band(coin_ins[key], key[1], seen[key])) for key, name in names.items()]


def lifetime_play(jackpots: Sequence[Jackpot]) -> dict[int, LifetimePlay]:
    """Of each of these jackpots, in one look for all."""
    rows: dict[int, dict[int, Version]] = {jackpot.pk: {} for jackpot in jackpots}
    for version in Version.objects.filter(jackpot__in=jackpots).select_related("jackpot"):
        rows[version.jackpot_id][version.pk] = version
    brought = _contributed({pk: list(known) for pk, known in rows.items()})
    return {pk: _in_chips(known, brought.get(pk, {})) for pk, known in rows.items()}


def _contributed(known: Mapping[int, Sequence[int]]) -> dict[int, dict[int, int]]:
    """What chips brought each jackpot under each version. Where there was only one, that is the account itself."""
    found: dict[int, dict[int, int]] = defaultdict(dict)
    alone = {pk: versions[0] for pk, versions in known.items() if len(versions) == 1}
    for pk, brought in Jackpot.objects.filter(pk__in=alone).values_list("pk", "contributed"):
        if brought:
            found[pk] = {alone[pk]: -units_of(brought)}
    several = [pk for pk in known if pk not in alone]
    for pk, version, amount in _read(CONTRIBUTED, several) if several else ():
        found[pk][version] = units_of(amount)
    return found


def _in_chips(versions: Mapping[int, Version], brought: Mapping[int, int]) -> LifetimePlay:
    counted, uncounted = {}, []
    for pk, units in brought.items():
        each = _of_one_chip(versions[pk].value)
        if not each:
            uncounted.append(versions[pk].number)
            continue
        assert units % each == 0, "a coin-in contributes whole chips"
        counted[pk] = units // each
    return LifetimePlay(versions, counted, tuple(sorted(uncounted)))


def _of_one_chip(terms: Terms) -> int:
    return terms.meter_part.units + terms.reserve_part.units


def _hits(jackpots: Sequence[Jackpot]) -> dict[int, dict[tuple[int, str], int]]:
    found: dict[int, dict[tuple[int, str], int]] = defaultdict(dict)
    for pk, version, line, count in _read(HITS, [jackpot.pk for jackpot in jackpots]):
        found[pk][version, line] = count
    return found


def _read(statement: str, jackpots: Sequence[int]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, [list(jackpots)])
        return list(cursor.fetchall())
