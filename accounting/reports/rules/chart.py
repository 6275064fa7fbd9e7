"""Bars with axes, reckoned in whole points, so that a page only draws them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

WIDTH: Final = 1200
HEIGHT: Final = 230
LEFT: Final = 96
BOTTOM: Final = 34
TOP: Final = 14
MOST_BARS: Final = 62
MOST_LABELS: Final = 16
STEPS: Final = (Decimal(1), Decimal(2), Decimal("2.5"), Decimal(5), Decimal(10))


@dataclass(frozen=True, slots=True)
class ChartBar:
    x: int
    y: int
    width: int
    height: int
    label: str
    value: Decimal
    labelled: bool

    @property
    def middle(self) -> int:
        return self.x + self.width // 2


@dataclass(frozen=True, slots=True)
class ChartLine:
    """A level of the axis: where it lies and what it says."""

    y: int
    value: Decimal


@dataclass(frozen=True, slots=True)
class BarChart:
    bars: tuple[ChartBar, ...]
    lines: tuple[ChartLine, ...]
    left: int = LEFT
    width: int = WIDTH
    height: int = HEIGHT
    foot: int = HEIGHT - BOTTOM


def bar_chart(labels: Sequence[str], values: Sequence[Decimal]) -> BarChart | None:
    """None where there is nothing to compare: fewer than two bars, too many to read, or nothing above zero."""
    assert len(labels) == len(values), "every bar has its label"
    top = max(values, default=Decimal(0))
    if not 2 <= len(values) <= MOST_BARS or top <= 0 or min(values) < 0:
        return None
    step = step_under(top)
    levels = int(top // step) + bool(top % step)
    high = step * levels
    room, tall = WIDTH - LEFT - 8, HEIGHT - TOP - BOTTOM
    every = -(-len(values) // MOST_LABELS)
    bars = []
    for place, (label, value) in enumerate(zip(labels, values, strict=True)):
        # Both ends from the whole width, so that what is cut to points does not add up from bar to bar.
        x, beyond = LEFT + room * place // len(values), LEFT + room * (place + 1) // len(values)
        # Cut to a whole point, for a bar above its level of the axis would show more than there is.
        height = int(tall * value / high)
        gap = max(1, (beyond - x) // 6)
        bars.append(
            ChartBar(x + gap, TOP + tall - height, beyond - x - 2 * gap, height, label, value, place % every == 0)
        )
    lines = tuple(ChartLine(TOP + tall - int(tall * step * level / high), step * level) for level in range(levels + 1))
    return BarChart(tuple(bars), lines)


def step_under(top: Decimal) -> Decimal:
    """The distance of the axis's lines: 1, 2, 2.5 or 5 of its size, so that four to eight lines lie under the top."""
    size = Decimal(1).scaleb(top.adjusted() - 1)
    for _ in range(2):
        for step in STEPS:
            if top / (size * step) <= 6:
                return size * step
        size *= 10
    raise AssertionError("some step of two sizes fits under any top")
