"""The equations of a day as they were reckoned at its roll, beside what the books say of the day's last entries now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from accounting.days.models import DaySnapshot
from accounting.days.rules.equation import DayEquation, EquationPart, Holdings
from jackpot.database.raw import ask_together
from jackpot.money import Money, units_of

HEADS: Final = """
SELECT e.jackpot_id, e.seq, e.meter_after, e.reserve_after, e.overflow_after, e.seal
  FROM unnest(%s::bigint[], %s::bigint[]) AS named (jackpot_id, seq)
  JOIN jackpot_entry e ON e.jackpot_id = named.jackpot_id AND e.seq = named.seq
"""


@dataclass(frozen=True, slots=True)
class HeadNow:
    """The last entry of a jackpot's day as it stands now; nothing where it is gone."""

    holdings: Holdings
    seal: str = ""


def heads_of(snapshots: Sequence[DaySnapshot]) -> dict[int, HeadNow]:
    """By snapshot, all of them in one trip. What of house advances was owed no single entry says: it is the roll's."""
    named = [[each.jackpot_id for each in snapshots], [each.last_seq for each in snapshots]]
    (rows,) = ask_together([(HEADS, named)])
    found = {(jackpot, seq): (after, bytes(seal).hex()) for jackpot, seq, *after, seal in rows}
    heads = {}
    for each in snapshots:
        after, seal = found.get((each.jackpot_id, each.last_seq), ((0, 0, 0), ""))
        meter, reserve, overflow = map(units_of, after)
        heads[each.pk] = HeadNow(Holdings(meter, reserve, overflow, units_of(each.owed)), seal)
    return heads


def kept_equations(snapshots: Sequence[DaySnapshot]) -> list[DayEquation]:
    """No round is counted again: a page may show a day of any size. Whoever signs the day reckons it anew."""
    heads = heads_of(snapshots)
    return [_equation_of_snapshot(each.equation, heads[each.pk].holdings) for each in snapshots]


def _equation_of_snapshot(plain: Mapping[str, Any], books: Holdings) -> DayEquation:
    lines = {part: _held(plain["lines"].get(part.value, {})) for part in EquationPart}
    missing: Iterable[str] = plain["missing"]
    return DayEquation(
        plain["jackpot"], _held(plain["opened"]), lines, _held(plain["reckoned"]), books, plain["chips"], tuple(missing)
    )


def _held(texts: Mapping[str, str]) -> Holdings:
    return Holdings(**{word: Money.of(text).units for word, text in texts.items()})
