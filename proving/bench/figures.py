"""The arithmetic of a measurement: ratios inside a round, their median and spread, and what may be said of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import Enum
from math import ceil
from statistics import median
from typing import Any, Final

MOST_FOREIGN_CORES: Final = 0.35
FEWEST_GOOD_ROUNDS: Final = 3


@dataclass(frozen=True, slots=True)
class Window:
    """What one contender did in one window. CPU in seconds; `foreign` in cores, by programs that are not ours."""

    events: int
    seconds: float
    python_cpu: float = 0.0
    database_cpu: float = 0.0
    client_cpu: float = 0.0
    foreign: float = 0.0
    p50_ms: float = 0.0
    p99_ms: float = 0.0

    @property
    def rate(self) -> float:
        return self.events / self.seconds

    @property
    def is_quiet(self) -> bool:
        return self.foreign <= MOST_FOREIGN_CORES

    @property
    def server_us(self) -> float:
        """Server CPU per event, Python and PostgreSQL together."""
        return (self.python_cpu + self.database_cpu) / self.events * 1e6


Round = Mapping[str, Window]


class Better(Enum):
    HIGHER = "higher"
    LOWER = "lower"


class FigureVerdict(Enum):
    AIM = "aim reached"
    FLOOR = "above the floor"
    BELOW = "BELOW THE FLOOR"
    INCONCLUSIVE = "inconclusive"
    MEASURED = "measured"
    UNJUDGED = "not judged"


@dataclass(frozen=True, slots=True)
class FigureQuestion:
    """One line of the table: what is asked of a round, of which windows, and what the answer should be."""

    name: str
    windows: tuple[str, ...]
    answer: Callable[..., float]
    aim: float | None = None
    floor: float | None = None
    better: Better = Better.HIGHER
    unit: str = "×"


@dataclass(frozen=True, slots=True)
class FigureLine:
    """An answered question, as it is printed and kept. `noisy_median` counts dropped rounds too: a hint, no proof."""

    name: str
    ratio_median: float | None
    ratio_min: float | None
    ratio_max: float | None
    good_rounds: int
    dropped_rounds: int
    noisy_median: float
    aim: float | None
    floor: float | None
    unit: str
    better: str
    verdict: str

    def plain(self) -> dict[str, Any]:
        return asdict(self)


def rate_ratio(candidate: str, peer: str, name: str, aim: float, floor: float) -> FigureQuestion:
    return FigureQuestion(name, (candidate, peer), lambda ours, theirs: ours.rate / theirs.rate, aim, floor)


def answered(question: FigureQuestion, rounds: Sequence[Round], judged: bool = True) -> FigureLine:
    """The median of per-round answers over the rounds in which every window asked for was quiet."""
    asked = [[round_[name] for name in question.windows] for round_ in rounds]
    answers = [(question.answer(*windows), all(window.is_quiet for window in windows)) for windows in asked]
    good = [answer for answer, is_quiet in answers if is_quiet]
    found = verdict(question, good) if judged else FigureVerdict.UNJUDGED
    return FigureLine(
        question.name,
        median(good) if good else None,
        min(good, default=None),
        max(good, default=None),
        len(good), len(asked) - len(good), median(answer for answer, _ in answers),
        question.aim, question.floor, question.unit, question.better.value, found.value,
    )  # fmt: skip


def verdict(question: FigureQuestion, answers: Sequence[float]) -> FigureVerdict:
    if len(answers) < FEWEST_GOOD_ROUNDS:
        return FigureVerdict.INCONCLUSIVE
    if question.aim is None or question.floor is None:
        return FigureVerdict.MEASURED
    sign = 1 if question.better is Better.HIGHER else -1
    found = median(answers) * sign
    if found >= question.aim * sign:
        return FigureVerdict.AIM
    return FigureVerdict.FLOOR if found >= question.floor * sign else FigureVerdict.BELOW


def percentile(values: Iterable[float], part: float) -> float:
    """The smallest value that at least this part of all values does not exceed."""
    ordered = sorted(values)
    assert ordered, "a percentile needs values"
    return ordered[max(0, ceil(part * len(ordered)) - 1)]
