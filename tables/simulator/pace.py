"""How fast the evening goes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

ROUND_SECONDS: Final = 70.0  # a full table with a shuffler, from bet to bet
BETTING_PART: Final = 0.3
ROUNDS_AN_HOUR: Final = int(3600 / ROUND_SECONDS)
CALM: Final = 12.0  # how much faster than life a demo goes by itself: a round every six seconds


@dataclass(frozen=True, slots=True)
class Pace:
    """`speed` is how many times faster than life; 0 waits for nothing but the answers."""

    speed: float = 0.0
    endless: bool = False

    @property
    def betting(self) -> float:
        return self._seconds * BETTING_PART

    @property
    def playing(self) -> float:
        return self._seconds * (1 - BETTING_PART)

    @property
    def _seconds(self) -> float:
        return ROUND_SECONDS / self.speed if self.speed else 0.0
