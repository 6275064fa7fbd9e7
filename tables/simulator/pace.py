"""How fast the evening goes."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

ROUND_SECONDS: Final = 70.0  # a full table with a shuffler, from bet to bet
BETTING_PART: Final = 0.3
CALLING_SECONDS: Final = 10.0  # the dealer sees the hand and calls the floor
VERIFYING_SECONDS: Final = 50.0  # the supervisor comes and looks at the cards
WALKING_SECONDS: Final = 60.0  # from the table to the cage
ROUNDS_AN_HOUR: Final = int(3600 / ROUND_SECONDS)
CALM: Final = 12.0  # how much faster than life a demo goes by itself: a round every six seconds


@dataclass(frozen=True, slots=True)
class Pace:
    """`speed` is how many times faster than life; 0 waits for nothing but the answers."""

    speed: float = 0.0
    endless: bool = False

    @property
    def betting(self) -> float:
        return self._lasts(ROUND_SECONDS * BETTING_PART)

    @property
    def playing(self) -> float:
        return self._lasts(ROUND_SECONDS * (1 - BETTING_PART))

    @property
    def calling(self) -> float:
        return self._lasts(CALLING_SECONDS)

    @property
    def verifying(self) -> float:
        return self._lasts(VERIFYING_SECONDS)

    @property
    def walking(self) -> float:
        return self._lasts(WALKING_SECONDS)

    def _lasts(self, seconds: float) -> float:
        return seconds / self.speed if self.speed else 0.0

    @staticmethod
    async def rest(seconds: float, stop: asyncio.Event) -> None:
        """A pause that a stop cuts short."""
        if seconds > 0:
            with suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), seconds)
