"""Rounds: every contender has its window, and every second round goes backwards."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import median

from proving.bench.figures import Round, Window

Contender = Callable[[], Window]


@dataclass(frozen=True, slots=True)
class MeasurePlan:
    """How long a run takes: rounds, and seconds of warm-up and window."""

    rounds: int = 6
    warm_up: float = 0.7
    window: float = 2.0
    smoke: bool = False

    @classmethod
    def of(cls, rounds: int, smoke: bool) -> MeasurePlan:
        return cls(1, 0.1, 0.5, smoke=True) if smoke else cls(rounds)


def order(names: list[str], number: int) -> list[str]:
    """What comes first has a colder machine and a smaller table: that changes sides every round."""
    return names if number % 2 == 0 else names[::-1]


def play(contenders: Mapping[str, Contender], count: int, before: Callable[[int], None]) -> list[Round]:
    """`before` runs ahead of each round (a checkpoint, a word to the reader), never inside one."""
    rounds: list[Round] = []
    for number in range(count):
        before(number)
        rounds.append({name: contenders[name]() for name in order(list(contenders), number)})
    return rounds


@dataclass(frozen=True, slots=True)
class Summary:
    """The medians of one contender over all rounds, for the reader; verdicts rest on ratios inside rounds."""

    name: str
    rate: float
    p50_ms: float
    p99_ms: float
    python_us: float
    database_us: float
    client_us: float
    foreign: float


def summary(name: str, rounds: list[Round]) -> Summary:
    windows = [round_[name] for round_ in rounds]

    def middle(value: Callable[[Window], float]) -> float:
        return round(median(map(value, windows)), 3)

    return Summary(
        name,
        middle(lambda window: window.rate),
        middle(lambda window: window.p50_ms),
        middle(lambda window: window.p99_ms),
        middle(lambda window: window.python_cpu / window.events * 1e6),
        middle(lambda window: window.database_cpu / window.events * 1e6),
        middle(lambda window: window.client_cpu / window.events * 1e6),
        middle(lambda window: window.foreign),
    )
