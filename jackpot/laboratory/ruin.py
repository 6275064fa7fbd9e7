"""The chance that a meter runs dry: that a fixed award falls due which it does not hold."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import exp, floor, sqrt
from typing import TYPE_CHECKING

from jackpot.laboratory.growth import NoSuchFigure
from jackpot.laboratory.outcomes import Outcomes
from jackpot.laboratory.setting import Setting, dollars, row_costs
from jackpot.laboratory.simulate import Play, Progress, play
from jackpot.money import Money

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

STEPS = 1 << 20


@dataclass(frozen=True, slots=True)
class DryChance:
    """A chance by simulation, with its standard error."""

    dry: int
    paths: int

    @property
    def chance(self) -> float:
        return self.dry / self.paths

    @property
    def standard_error(self) -> float:
        """Of a proportion; with none or all dry, that of one path more, so that it never claims certainty."""
        dry = min(max(self.dry, 1), self.paths - 1) if self.paths > 1 else 0.5
        share = dry / self.paths
        return sqrt(share * (1 - share) / self.paths)


def seats_run_dry(
    setting: Setting,
    outcomes: Outcomes,
    *,
    seats: int,
    rounds: int,
    paths: int,
    seed: int,
    start: Money | None = None,
    until_top_hit: bool = False,
    progress: Progress | None = None,
) -> DryChance:
    """By simulation for seats that share a board: one board can bring a fixed award to all of them."""
    if seats < 1 or rounds < 1 or paths < 2:
        raise NoSuchFigure("A simulation needs a seat, a round and two paths at least.")
    lives = play(
        setting, outcomes, Play(seats, rounds, until_top_hit), paths=paths, seed=seed, start=start, progress=progress
    )
    return DryChance(sum(life.dry_at is not None for life in lives), paths)


def one_bettor_runs_dry(setting: Setting, outcomes: Outcomes, *, start: Money, until_top_hit: bool = True) -> float:
    """By analysis for a single bettor: the chance that the meter ever runs dry from this start, before the next top
    hit or, without it, as if no top hit ever came.

    The fall of the meter below its start is a random walk; the chance that its greatest fall exceeds the start
    follows from the walk's generating function, split into rises and falls (Wiener and Hopf) by fast Fourier
    transforms. Lesser parts are taken at the start's size.
    """
    walk = _walk(setting, outcomes, start, until_top_hit=until_top_hit)
    if not walk.falls:
        return 0.0
    if not until_top_hit and walk.mean_fall >= 0:
        return 1.0
    greatest = _greatest_fall(walk)
    room = floor(1.0 * dollars(start) / walk.step + 1e-9)
    held: list[float] = greatest.tolist()
    return max(0.0, 1.0 - sum(held[: room + 1]) / sum(held))


@dataclass(frozen=True, slots=True)
class _Walk:
    """One coin-in as a step of the walk: how far the meter falls (below zero: rises), in steps, and how likely."""

    step: float
    falls: tuple[tuple[int, float], ...]
    moves: tuple[tuple[int, float], ...]

    @property
    def mean_fall(self) -> float:
        return sum(move * chance for move, chance in self.moves)


def _walk(setting: Setting, outcomes: Outcomes, start: Money, *, until_top_hit: bool) -> _Walk:
    wager = dollars(setting.wager)
    rise = setting.rate * wager
    awards = [
        (row.from_meter * wager + row.part * dollars(start), row.chance)
        for row in row_costs(setting, outcomes)
        if row.part < 1 and (row.from_meter or row.part)
    ]
    top = sum((row.chance for row in row_costs(setting, outcomes) if row.part == 1), Fraction(0))
    stays = 1 - top
    reach = 1.0 * dollars(start) + 2.0 * max((award for award, _ in awards), default=Fraction(0))
    # Seven steps a rise keep the common 70 % exact; a coarser grid only where the reach asks for it.
    step = max(1.0 * rise / 7, 8.0 * reach / STEPS)
    quiet = 1.0 * (stays - sum((chance for _, chance in awards), Fraction(0)))
    # Before a top hit its chance ends the walk; as if none ever came, the others share it.
    whole = 1.0 if until_top_hit else 1.0 * stays
    moves: dict[int, float] = {}
    for fall, chance in [(-1.0 * rise, quiet), *((1.0 * (award - rise), 1.0 * chance) for award, chance in awards)]:
        for place, share in _between(fall / step):
            moves[place] = moves.get(place, 0.0) + share * chance / whole
    falls = tuple((award_place, share) for award_place, share in moves.items() if award_place > 0)
    return _Walk(step, falls, tuple(moves.items()))


def _between(place: float) -> tuple[tuple[int, float], ...]:
    """A place between two steps, shared between both so that the mean stays."""
    low = floor(place + 1e-9)
    over = max(place - low, 0.0)
    return ((low, 1 - over), (low + 1, over)) if over > 1e-9 else ((low, 1.0),)


def _greatest_fall(walk: _Walk) -> NDArray[np.float64]:
    """How likely each greatest fall is. The root that the rises leave near the circle is divided out first, so that
    the logarithm is smooth; of the logarithm only the falls' half is kept."""
    import numpy as np

    chances_of_moves = np.zeros(STEPS)
    for move, chance in walk.moves:
        chances_of_moves[move % STEPS] += chance
    generating = STEPS * np.fft.ifft(chances_of_moves)
    turns = np.exp(-2j * np.pi / STEPS * np.arange(STEPS))
    root = _inner_root(walk)
    # The logarithm of zero at angle nought is replaced by its limit below.
    with np.errstate(divide="ignore", invalid="ignore"):
        smooth = np.log(1 - generating) - np.log(1 - root * turns)
    if root == 1.0:
        smooth[0] = np.log(-walk.mean_fall)
    halves = np.fft.fft(smooth) / STEPS
    falls = np.zeros(STEPS, dtype=np.complex128)
    falls[1 : STEPS // 2] = halves[1 : STEPS // 2]
    greatest = np.fft.fft(np.exp(-(STEPS * np.fft.ifft(falls)))).real / STEPS
    likely: NDArray[np.float64] = greatest[: STEPS // 2]
    return likely


def _inner_root(walk: _Walk) -> float:
    """The real root below one at which the walk's generating function is one; one itself if nothing ends the walk."""
    if abs(sum(chance for _, chance in walk.moves) - 1) < 1e-12:
        return 1.0
    low, high = -1.0, 0.0
    for _ in range(200):
        middle = (low + high) / 2
        total = sum(chance * exp(middle * move) for move, chance in walk.moves)
        low, high = (middle, high) if total > 1 else (low, middle)
    return exp(high)
