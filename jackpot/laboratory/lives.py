"""How long the lives of a meter are followed, and what was seen of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Figures = NDArray[np.float64]
    Places = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Play:
    """How long lives are followed: so many rounds, and until each has seen so many top awards; by choice no longer
    than until it runs dry. Else the house pays what is lacking and the life goes on."""

    seats: int
    rounds: int = 0
    top_hits: int = 0
    until_dry: bool = False
    checkpoints: Sequence[int] = ()


@dataclass(slots=True)
class Lives:
    """What was seen of all lives, one place for each. By cycle (from reset to top award): how often the meter was
    looked at, the sum of what it held, and what the house paid beside seeds and tray."""

    dry_at: Figures
    rounds: Figures
    meter: Figures
    tops: Places
    house: Figures
    to_overflow: Figures
    seen: Figures
    looks: Figures
    looked: Figures
    cycle_house: Figures
    cycle_drawn: Figures
    cycle_overflow: Figures
    cycle_rounds: Figures

    @property
    def number(self) -> int:
        return len(self.dry_at)

    def dry_by(self, rounds: float = float("inf")) -> int:
        """How many had run dry by then."""
        lives: int = (self.dry_at <= rounds).sum().item()
        return lives


def fan(lives: Lives, quantiles: Sequence[float]) -> list[list[float]]:
    """For each checkpoint the meter's quantiles over all lives."""
    import numpy as np

    rows: list[list[float]] = np.quantile(lives.seen, list(quantiles), axis=1).T.tolist()
    return rows


def fan_errors(lives: Lives, quantiles: Sequence[float]) -> list[list[float]]:
    """The standard error of each quantile: a quarter of the distance between those two errors of a proportion away."""
    import numpy as np

    shares = np.array(list(quantiles))
    apart = np.sqrt(shares * (1 - shares) / lives.number)
    low, high = (np.quantile(lives.seen, np.clip(shares + side * apart, 0, 1), axis=1) for side in (-2, 2))
    rows: list[list[float]] = ((high - low) / 4).T.tolist()
    return rows
