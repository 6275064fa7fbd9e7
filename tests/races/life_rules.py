"""Terms as the life's oracle reads them, and sums of 1e-8: what a row pays, what a limit cuts, what a cent lacks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

CENT = 10**6


@dataclass(frozen=True)
class Line:
    """A pay line: a part of the meter, or so many times the wager from a source."""

    rank: int
    part: Fraction | None = None
    times: int = 0
    source: str = "tray"
    envy: int = 0


@dataclass(frozen=True)
class Rules:
    wager: int
    rate: Fraction
    reserve_rate: Fraction
    seed: int
    lines: Mapping[str, Line]
    limit: int | None = None
    overflow: str = "next_meter"
    freeze: str = "mark"
    order: str = "counter_clockwise"
    shortfall: str = "reserve_then_house"
    overflow_at_reset: str = "since_frozen"
    rounding: str = "half_up"
    row: str = "highest"
    dry_meter: str = "stay"
    repay_rate: Fraction = Fraction(0)

    def pays(self, line: Line, basis: int) -> int:
        """What a row pays by itself; a part is rounded once."""
        if line.part is None:
            return line.times * self.wager
        cents = max(basis, 0) // CENT * line.part
        return int(cents if self.rounding == "down" else cents + Fraction(1, 2)) * CENT

    def below(self, line: Line) -> list[Line]:
        """The rows that a hand of this one must never get less than."""
        return [each for each in self.lines.values() if each.rank > line.rank] if self.row == "never_less" else []


@dataclass(frozen=True)
class Moved:
    """What one act did to a jackpot. `ranked`: it moves the basis of the hits that rank behind it."""

    meter: int = 0
    reserve: int = 0
    overflow: int = 0
    house: int = 0
    ranked: bool = False
    returned: int = 0  # of the overflow, by a reset, before the limit cut it off again


NOTHING = Moved()


def whole_cents(lack: int) -> int:
    """What is lacking, in cents, never too little."""
    return -(-max(lack, 0) // CENT) * CENT


def spare(rules: Rules, reserve: int) -> int:
    """The whole cents that a reserve may give for a shortfall."""
    return 0 if rules.shortfall == "house" else max(reserve, 0) // CENT * CENT


def limited(rules: Rules, before: int, moved: Moved) -> Moved:
    if rules.limit is None or moved.meter <= 0 or before + moved.meter <= rules.limit:
        return moved
    over = min(moved.meter, before + moved.meter - rules.limit)
    if rules.overflow == "revenue":
        return Moved(moved.meter - over, moved.reserve, moved.overflow, moved.house + over, moved.ranked)
    return Moved(moved.meter - over, moved.reserve, moved.overflow + over, moved.house, moved.ranked)
