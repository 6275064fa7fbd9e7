"""What all seats of one round bring together: how many of each row, and how likely."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import comb
from typing import TYPE_CHECKING

from jackpot.laboratory.outcomes import Outcomes
from jackpot.laboratory.setting import RowCost, Setting, dollars, row_costs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Counts = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PartRound:
    """A round in which parts of the meter are won: the parts in rank order, and the fixed dollars beside them."""

    parts: tuple[float, ...]
    fixed: float


@dataclass(frozen=True, slots=True)
class RoundKinds:
    """All that a round can cost the meter: rounds with a part one by one, the others by their fixed dollars.

    The chance of a fixed award is that of a round without a part.
    """

    chance_of_part: float
    part_rounds: tuple[PartRound, ...]
    part_chances: NDArray[np.float64]
    chance_of_fixed: float
    fixed: NDArray[np.float64]
    fixed_chances: NDArray[np.float64]


def round_kinds(setting: Setting, outcomes: Outcomes, seats: int) -> RoundKinds:
    """The rounds of a table with so many coin-ins in each."""
    import numpy as np

    rows = row_costs(setting, outcomes)
    dollar = dollars(setting.wager)
    with_part: dict[PartRound, float] = defaultdict(float)
    without: dict[float, float] = defaultdict(float)
    for counts, chance in row_counts(rows, outcomes, seats).items():
        fixed = 1.0 * sum(count * row.from_meter * dollar for count, row in zip(counts, rows, strict=True))
        parts = tuple(1.0 * row.part for count, row in zip(counts, rows, strict=True) for _ in range(count) if row.part)
        if parts:
            with_part[PartRound(parts, fixed)] += chance
        elif fixed:
            without[fixed] += chance
    of_part, of_fixed = sum(with_part.values()), sum(without.values())
    return RoundKinds(
        of_part,
        tuple(with_part),
        np.array(list(with_part.values())) / (of_part or 1),
        of_fixed / (1 - of_part),
        np.array(list(without)),
        np.array(list(without.values())) / (of_fixed or 1),
    )


def row_counts(rows: Sequence[RowCost], outcomes: Outcomes, seats: int) -> dict[Counts, float]:
    """How likely each count of rows is. As dealt together where the game has dealt it; otherwise, given the board,
    each seat for itself."""
    chances: dict[Counts, float] = defaultdict(float)
    places = [outcomes.rows.index(row.code) for row in rows]
    if outcomes.together and seats in outcomes.together:
        for together, chance in outcomes.together[seats].items():
            chances[tuple(together[place] for place in places)] += chance
        return dict(chances)
    for weight, hits in _boards(outcomes):
        for counts, chance in _spread([hits[place] for place in places], seats):
            chances[counts] += weight * chance
    return dict(chances)


def _boards(outcomes: Outcomes) -> Iterator[tuple[float, list[float]]]:
    """Each kind of board with its share and the chance of each row on it; one board where seats share none."""
    if not outcomes.kinds:
        yield 1.0, [1.0 * chance for chance in outcomes.chances]
        return
    whole = sum(kind.weight for kind in outcomes.kinds)
    for kind in outcomes.kinds:
        yield kind.weight / whole, [hit / outcomes.holes for hit in kind.hits]


def _spread(chances: list[float], seats: int) -> Iterator[tuple[Counts, float]]:
    """The multinomial of a row for each seat: row by row, how many of the seats that are left take it."""
    left = 1 - sum(chances)
    stack: list[tuple[Counts, int, float]] = [((), seats, 1.0)]
    for chance in chances:
        stack = [
            ((*counts, taken), free - taken, worth * comb(free, taken) * chance**taken)
            for counts, free, worth in stack
            for taken in range(free + 1 if chance else 1)
        ]
    # Rounding may leave the rest a hair below nothing where one row takes every hole pair.
    for counts, free, worth in stack:
        chance = worth * max(left, 0.0) ** free
        if chance:
            yield counts, chance
