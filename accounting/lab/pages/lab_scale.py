"""Axes: round steps, and where a value lies on a line of so many dots. Pictures only; no amount is booked from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)


@dataclass(frozen=True, slots=True)
class Scale:
    """A line from `start` to `end` in dots that shows values from nothing up to `top`."""

    top: float
    start: float
    end: float

    def at(self, value: float) -> float:
        return self.start + (self.end - self.start) * min(value / self.top, 1.0)

    def ticks(self, most: int) -> Iterator[float]:
        step = _step(self.top / most)
        yield from (number * step for number in range(floor(self.top / step + 1e-9) + 1))


def reaching(values: Sequence[float], start: float, end: float, most: int) -> Scale:
    """A scale whose top is a round step at or above the largest value."""
    largest = max([*values, 1e-9])
    step = _step(largest / most)
    # A hair less, for a value that lies on a step must not open another one by a binary fraction.
    return Scale(step * ceil(largest / step - 1e-9), start, end)


def short(amount: float) -> str:
    """An amount on an axis: 250, 12.5k, 1.2M."""
    for size, letter in ((1e6, "M"), (1e3, "k")):
        if amount >= size:
            return f"{amount / size:.2f}".rstrip("0").rstrip(".") + letter
    return f"{amount:.2f}".rstrip("0").rstrip(".")


def _step(least: float) -> float:
    size = 10.0 ** floor(log10(least))
    return next(size * step for step in STEPS if size * step >= least * (1 - 1e-9))
