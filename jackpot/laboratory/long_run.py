"""What a setting comes to in the long run, by play: the first meter of a new jackpot, those after it, and what the
house pays for shortfalls."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import hypot, sqrt
from typing import TYPE_CHECKING, Any

from jackpot.laboratory.growth import economy, long_run_meter, top_hit
from jackpot.laboratory.lives import Lives
from jackpot.laboratory.outcomes import Outcomes
from jackpot.laboratory.rounds import round_kinds
from jackpot.laboratory.setting import LabSetting, dollars, row_costs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Figures = NDArray[np.float64]

CYCLES = 2  # a first life from the bare seed, and one as all later ones
MOST_HITS = 4_000_000  # rounds that a life of two cycles may have to play one by one


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its standard error; nothing where it is exact."""

    mean: float
    standard_error: float = 0.0

    def plain(self) -> dict[str, Any]:
        how = "simulated" if self.standard_error else "exact"
        return {"mean": self.mean, "standard_error": self.standard_error, "how": how}

    def line(self, offset: float, slope: float) -> Estimate:
        """What follows from it in a straight line."""
        return Estimate(offset + slope * self.mean, abs(slope) * self.standard_error)


NOTHING = Estimate(0.0)


@dataclass(frozen=True, slots=True)
class LongRun:
    """Meters at the top award and shares of each chip. What is None has no end that could be played to."""

    first_meter: Estimate | None
    meter: Estimate | None
    house_pays: Estimate | None
    overflow: Estimate | None
    lives: int

    def edge(self, exact: Fraction) -> Estimate | None:
        """The house edge once shortfalls, advances and revenue from overflow are counted."""
        pays = self.house_pays
        return None if pays is None else Estimate(1.0 * exact - pays.mean, pays.standard_error)


def top_hits_to_play(setting: LabSetting, outcomes: Outcomes, seats: int) -> int:
    """How many top awards each life is to be played through: none where every figure is exact without, or where the
    whole meter is won too rarely."""
    top = economy(setting, outcomes, seats).top_chance
    hits = sum(kind.chance for kind in round_kinds(setting, outcomes, seats))
    rare = not top or CYCLES * hits / (seats * top) > MOST_HITS
    return 0 if rare or not _needs_play(setting, outcomes) else CYCLES


def long_run(setting: LabSetting, outcomes: Outcomes, *, seats: int, played: Lives) -> LongRun:
    """Exact where nothing overflows, runs dry or is lifted; else from lives that were played through top awards."""
    if top_hits_to_play(setting, outcomes, seats):
        return _long_run_of(setting, outcomes, seats, played)
    if _needs_play(setting, outcomes) or not economy(setting, outcomes, seats).top_chance:
        return LongRun(None, None, None, None, 0)
    first = top_hit(setting, outcomes, coin_ins_a_day=1, seats=seats).mean_meter
    later = long_run_meter(setting, outcomes, seats)
    return LongRun(Estimate(1.0 * first), Estimate(1.0 * later), NOTHING, NOTHING, 0)


def can_run_dry(setting: LabSetting, outcomes: Outcomes) -> bool:
    """Whether anything but a part of it is ever drawn on the meter."""
    rows = [row for row in row_costs(setting, outcomes) if row.chance]
    return any(row.from_meter or (row.envy and not row.envy_from_tray) for row in rows)


def ratio(counted: Figures, of: Figures, least: float = 0.0) -> Estimate:
    """The mean of a ratio over independent lives, and its standard error; where no life counted anything, as if one
    of them had counted the least."""
    whole = of.sum().item()
    mean = counted.sum().item() / whole
    off = counted - mean * of
    return Estimate(mean, (sqrt((off @ off).item()) or least) / whole)


def _needs_play(setting: LabSetting, outcomes: Outcomes) -> bool:
    """A limit, a row that is a part at one meter and a fixed sum at another, or anything that may find it dry."""
    lifted = any(row.lifted for row in row_costs(setting, outcomes))
    return setting.limit is not None or lifted or can_run_dry(setting, outcomes)


def _long_run_of(setting: LabSetting, outcomes: Outcomes, seats: int, played: Lives) -> LongRun:
    """The meters as looked at, and what the house paid. Where nothing overflows and no row is lifted, one follows
    from the other, for the books must balance; then the one that errs less tells both."""
    chips = 1.0 * seats * dollars(setting.wager)
    cycles = [chips * played.cycle_rounds[0], chips * (played.cycle_rounds[1] - played.cycle_rounds[0])]
    largest = max(kind.due for kind in round_kinds(setting, outcomes, seats))
    pays = ratio(played.cycle_house[1], cycles[1], largest)
    first, later = (ratio(played.looked[number], played.looks[number]) for number in (0, 1))
    if any(row.lifted for row in row_costs(setting, outcomes)):
        overflow = ratio(played.cycle_overflow[1], cycles[1]) if setting.limit else NOTHING
        return LongRun(first, later, pays, overflow, played.number)
    bare = 1.0 * long_run_meter(setting, outcomes, seats)
    slope = 1.0 * long_run_meter(setting, outcomes, seats, Fraction(1)) - bare
    if setting.limit is None:
        added = ratio(played.cycle_house[0] + played.cycle_drawn[0], cycles[0], largest)
        alone = 1.0 * top_hit(setting, outcomes, coin_ins_a_day=1, seats=seats).mean_meter
        first = _surer(first, added.line(alone, slope))
        later = _surer(later, pays.line(bare, slope))
        return LongRun(first, later, later.line(-bare / slope, 1 / slope), NOTHING, played.number)
    if setting.policy.overflow == "revenue":
        return LongRun(first, later, later.line(-bare / slope, 1 / slope), NOTHING, played.number)
    missing = later.line(bare / slope, -1 / slope)
    overflow = Estimate(missing.mean + pays.mean, hypot(missing.standard_error, pays.standard_error))
    return LongRun(first, later, pays, overflow, played.number)


def _surer(one: Estimate, other: Estimate) -> Estimate:
    return min(one, other, key=lambda figure: figure.standard_error)
