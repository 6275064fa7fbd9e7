"""What all seats of one round bring together: how many of each row, how likely, and what is paid in which order."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import comb

from jackpot.laboratory.outcomes import Outcomes
from jackpot.laboratory.setting import LabSetting, RowCost, dollars, row_costs

Counts = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class AwardTurn:
    """One award of a round in dollars: the larger of a fixed sum and a part of the meter."""

    fixed: float
    part: float = 0.0
    tray: bool = False
    top: bool = False


@dataclass(frozen=True, slots=True)
class RoundKind:
    """A round that moves the meter: its awards one after the other. Fixed awards come first, then parts by rank."""

    turns: tuple[AwardTurn, ...]
    chance: float

    @property
    def due(self) -> float:
        """What plain fixed awards draw on the meter together."""
        return sum(turn.fixed for turn in self.turns)

    @property
    def plain(self) -> bool:
        return not any(turn.part for turn in self.turns)


def round_kinds(setting: LabSetting, outcomes: Outcomes, seats: int) -> tuple[RoundKind, ...]:
    """The rounds of a table with so many coin-ins in each that draw on the meter or depend on it."""
    rows = row_costs(setting, outcomes)
    kinds: dict[tuple[AwardTurn, ...], float] = defaultdict(float)
    for counts, chance in row_counts(rows, outcomes, seats).items():
        turns = tuple(turn for turn in _turns(setting, rows, counts, seats) if not turn.tray or turn.part)
        if turns:
            kinds[turns] += chance
    return tuple(RoundKind(turns, chance) for turns, chance in kinds.items())


def cut_by_aggregate(setting: LabSetting, outcomes: Outcomes, seats: int) -> tuple[float, float]:
    """What the aggregate takes off the fixed awards from meter and tray on average, in wagers a coin-in."""
    if setting.aggregate is None:
        return 0.0, 0.0
    rows, whole = row_costs(setting, outcomes), 1.0 * dollars(setting.wager) * seats
    kept = meter = tray = 0.0
    for counts, chance in row_counts(rows, outcomes, seats).items():
        kept = 1 - _left_by_aggregate(setting, rows, counts)
        for count, row in zip(counts, rows, strict=True):
            if not row.part:
                meter += chance * kept * count * row.from_meter * dollars(setting.wager) / whole
                tray += chance * kept * count * row.from_tray * dollars(setting.wager) / whole
    return meter, tray


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


def _turns(setting: LabSetting, rows: Sequence[RowCost], counts: Counts, seats: int) -> Iterator[AwardTurn]:
    """Every award of a round, envy after the hit that causes it."""
    dollar, kept = 1.0 * dollars(setting.wager), _left_by_aggregate(setting, rows, counts)
    won = [(row, count) for row, count in zip(rows, counts, strict=True) if count]
    # Fixed awards before parts, which is not the order of the books: the answer says so (`left_out`).
    for row, count in sorted(won, key=lambda pair: bool(pair[0].part)):
        top = row.part == 1
        turn = AwardTurn(1.0 * row.fixed * dollar, 1.0 * row.part, bool(row.from_tray), top)
        turn = turn if row.part else replace(turn, fixed=turn.fixed * kept)
        envy = AwardTurn(1.0 * row.envy * dollar * (seats - 1), tray=row.envy_from_tray)
        # Equal shares of a top award take the meter once.
        shared = top and setting.policy.order == "equal_shares"
        for number in range(count):
            yield from () if shared and number else (turn,)
            yield from (envy,) if envy.fixed else ()


def _left_by_aggregate(setting: LabSetting, rows: Sequence[RowCost], counts: Counts) -> float:
    """Which part of the fixed awards the aggregate of the table leaves."""
    due = dollars(setting.wager) * sum(
        count * row.fixed for count, row in zip(counts, rows, strict=True) if not row.part
    )
    if setting.aggregate is None or due <= dollars(setting.aggregate):
        return 1.0
    return 1.0 * dollars(setting.aggregate) / due


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
