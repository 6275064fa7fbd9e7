"""The chance that a meter runs dry: that a fixed award falls due which it does not hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import exp, floor, sqrt
from typing import TYPE_CHECKING

from jackpot.laboratory.growth import NoSuchFigure
from jackpot.laboratory.lives import Play
from jackpot.laboratory.outcomes import Outcomes
from jackpot.laboratory.setting import LabSetting, RowCost, dollars, row_costs
from jackpot.laboratory.simulate import Progress, play
from jackpot.money import Money

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Figures = NDArray[np.float64]

GRIDS = (1 << 15, 1 << 16)  # places of the meter that the analysis tells apart: coarse, and twice as fine
AGREES = 1e-5
REMEMBERS = 6  # earlier rounds of the solution that the next one learns from
ENOUGH_ROUNDS = 200
LEAST_TOLD = 5e-4  # below it what two grids tell may be off by more than two per cent of itself


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
    setting: LabSetting,
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
    """By simulation for seats that share a board: one board can bring a fixed award to all of them. In so many
    rounds, or before the first top award however long that takes."""
    if seats < 1 or rounds < 1 or paths < 2:
        raise NoSuchFigure("A simulation needs a seat, a round and two paths at least.")
    how = Play(seats, top_hits=1, until_dry=True) if until_top_hit else Play(seats, rounds, until_dry=True)
    lives = play(setting, outcomes, how, paths=paths, seed=seed, start=start, progress=progress)
    return DryChance(lives.dry_by(), paths)


def one_bettor_runs_dry(setting: LabSetting, outcomes: Outcomes, *, start: Money) -> float | None:
    """By analysis for a single bettor: the chance that the meter runs dry from this start before the next top award.
    Nothing with a limit: the analysis knows none.

    Between two awards that depend on the meter it is a random walk. How far it falls at most until the next of them
    follows from the walk's generating function, split into rises and falls (Wiener and Hopf) by fast Fourier
    transforms; how far it has risen from there is a geometric number. A part then takes its share of what there is,
    and the same begins anew from what is left. The chance from every meter solves that equation.
    """
    if setting.limit is not None:
        return None
    rows = [row for row in row_costs(setting, outcomes) if row.chance and not row.from_tray and (row.fixed or row.part)]
    plain, moving = [row for row in rows if not row.part], [row for row in rows if row.part]
    if not plain and not any(row.lifted for row in moving):
        return 0.0
    coarse, fine = (_on_grid(setting, plain, moving, 1.0 * dollars(start), places) for places in GRIDS)
    # Both grids hold the walk as it is: neither adds any spread that would have to be taken off.
    if coarse[1] - fine[1] < 1e-9:
        return min(1.0, max(0.0, fine[0]))
    # What a grid adds to the spread falls with its step, and the chance with it in a straight line.
    return min(1.0, max(0.0, fine[0] - (coarse[0] - fine[0]) * fine[1] / (coarse[1] - fine[1])))


def _on_grid(
    setting: LabSetting, plain: list[RowCost], moving: list[RowCost], start: float, places: int
) -> tuple[float, float]:
    """The chance on a grid of so many places, and how much spread a coin-in has from the grid alone."""
    walk = _walk(setting, plain, sum((row.chance for row in moving), Fraction(0)), start, places)
    place, spread = start / walk.step, walk.rise * (walk.step - walk.rise)
    if not moving:
        # Nothing ever ends such a walk: it runs dry for certain unless it rises on average.
        held = 0.0 if walk.mean_fall >= 0 else _greatest_fall(walk)[: floor(place + 1e-9) + 1].sum().item()
        return 1.0 - held, spread
    chances = _solved(_equation(setting, moving, walk), places)
    low = floor(place + 1e-9)
    between = min(max(place - low, 0.0), 1.0)
    return (chances[low] + between * (chances[low + 1] - chances[low])).item(), spread


@dataclass(frozen=True, slots=True)
class _RuinWalk:
    """One coin-in as a step of the walk: how far the meter falls (below zero: rises), in steps, and how likely."""

    places: int
    step: float
    rise: float
    moves: tuple[tuple[int, float], ...]

    @property
    def mean_fall(self) -> float:
        return sum(move * chance for move, chance in self.moves)

    @property
    def goes_on(self) -> float:
        return sum(chance for _, chance in self.moves)


def _walk(setting: LabSetting, plain: list[RowCost], ends: Fraction, start: float, places: int) -> _RuinWalk:
    """The fixed awards and the quiet coin-ins; whatever depends on the meter ends it."""
    wager, rise = dollars(setting.wager), 1.0 * setting.rate * dollars(setting.wager)
    most = None if setting.aggregate is None else dollars(setting.aggregate)
    awards = [(row.fixed * wager if most is None else min(row.fixed * wager, most), row.chance) for row in plain]
    reach = 2.0 * start + 25.0 * max((award for award, _ in awards), default=Fraction(1))
    # A rise of one step keeps the walk exact; a coarser grid only where the reach asks for it.
    step = max(rise, reach / (places - 2))
    quiet = 1.0 * (1 - ends - sum((chance for _, chance in awards), Fraction(0)))
    moves: dict[int, float] = {}
    for fall, chance in [(-rise, quiet), *((1.0 * award - rise, 1.0 * chance) for award, chance in awards)]:
        for place, share in _between(fall / step):
            moves[place] = moves.get(place, 0.0) + share * chance
    return _RuinWalk(places, step, rise, tuple(moves.items()))


def _between(place: float) -> tuple[tuple[int, float], ...]:
    """A place between two steps, shared between both so that the mean stays."""
    low = floor(place + 1e-9)
    over = max(place - low, 0.0)
    return ((low, 1 - over), (low + 1, over)) if over > 1e-9 else ((low, 1.0),)


def _equation(setting: LabSetting, moving: list[RowCost], walk: _RuinWalk) -> Callable[[Figures], Figures]:
    """From the chances after an award that depends on the meter to those before it; place by place."""
    import numpy as np

    places = walk.places
    greatest = np.zeros(2 * places)
    greatest[:places] = _greatest_fall(walk)[:places]
    falls = np.fft.rfft(greatest)
    first_fall = np.maximum(0.0, 1.0 - np.cumsum(greatest[:places]))
    root = _inner_root(walk)
    rises = np.fft.rfft(np.concatenate([(1 - root) * root ** np.arange(places), np.zeros(places)]))
    rises[0] = 1.0  # what rises beyond the grid ends at its edge
    ends = sum(1.0 * row.chance for row in moving)
    meters = np.arange(places) * walk.step + walk.rise
    wager = 1.0 * dollars(setting.wager)
    after = [
        (row.chance / ends, row.part == 1, meters - np.maximum(1.0 * row.part * meters, row.fixed * wager))
        for row in moving
    ]

    def before(chances: Figures) -> Figures:
        due = np.zeros(places)
        for share, top, left in after:
            stays = 0.0 if top else np.interp(left / walk.step, np.arange(places), chances)
            due += share * np.where(left < -1e-9, 1.0, stays)
        risen = np.fft.irfft(np.fft.rfft(np.concatenate([due, np.full(places, due[-1])])) * rises.conj())[:places]
        fallen = np.fft.irfft(np.fft.rfft(np.concatenate([risen, np.zeros(places)])) * falls)[:places]
        told: Figures = np.clip(first_fall + fallen, 0.0, 1.0)
        return told

    return before


def _solved(equation: Callable[[Figures], Figures], places: int) -> Figures:
    """The chances that the equation leaves as they are, by repeating it; each round learns from those before it
    (Anderson), for the equation alone forgets only a twentieth at a time."""
    import numpy as np

    chances = np.zeros(places)
    olds: list[Figures] = []
    news: list[Figures] = []
    for _ in range(ENOUGH_ROUNDS):
        told = equation(chances)
        olds, news = [*olds, chances][-REMEMBERS:], [*news, told][-REMEMBERS:]
        off = np.stack([new - old for new, old in zip(news, olds, strict=True)])
        if np.abs(off[-1]).max() < AGREES:
            return told
        gains = np.diff(off, axis=0)
        # A few earlier rounds against each other: a system so small is solved at every one.
        weights = np.linalg.lstsq(gains @ gains.T, gains @ off[-1], rcond=1e-12)[0] if len(gains) else np.zeros(0)
        chances = np.clip(told - weights @ np.diff(np.stack(news), axis=0), 0.0, 1.0) if len(gains) else told
    return chances


def _greatest_fall(walk: _RuinWalk) -> Figures:
    """How likely each greatest fall is. The root that the rises leave near the circle is divided out first, so that
    the logarithm is smooth; of the logarithm only the falls' half is kept."""
    import numpy as np

    size = 4 * walk.places
    chances_of_moves = np.zeros(size)
    for move, chance in walk.moves:
        chances_of_moves[move % size] += chance
    generating = size * np.fft.ifft(chances_of_moves)
    turns = np.exp(-2j * np.pi / size * np.arange(size))
    root = _inner_root(walk)
    # The logarithm of zero at angle nought is replaced by its limit below.
    with np.errstate(divide="ignore", invalid="ignore"):
        smooth = np.log(1 - generating) - np.log(1 - root * turns)
    if root == 1.0:
        smooth[0] = np.log(-walk.mean_fall)
    halves = np.fft.fft(smooth) / size
    falls = np.zeros(size, dtype=np.complex128)
    falls[1 : size // 2] = halves[1 : size // 2]
    greatest = np.fft.fft(np.exp(-(size * np.fft.ifft(falls)))).real / size
    likely: Figures = np.maximum(greatest[: size // 2], 0.0)
    likely /= likely.sum()
    return likely


def _inner_root(walk: _RuinWalk) -> float:
    """The real root below one at which the walk's generating function is one; one itself if nothing ends the walk,
    nothing where it never rises."""
    if not walk.rise:
        return 0.0
    if abs(walk.goes_on - 1) < 1e-12:
        return 1.0
    low, high = -1.0, 0.0
    # Two hundred halvings end beyond what a double tells apart, and cost nothing beside the transforms.
    for _ in range(200):
        middle = (low + high) / 2
        total = sum(chance * exp(middle * move) for move, chance in walk.moves)
        low, high = (middle, high) if total > 1 else (low, middle)
    return exp(high)
