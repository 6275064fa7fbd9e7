"""Acts before coin-ins: while somebody's act is under way, no new batch begins that would only wait for its lock.

Where acts follow each other batches stay small, so that the next act does not wait for a large one.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

LONGEST: Final = 0.02  # seconds that a batch gives way; an act that takes longer (a PIN) goes on beside it
NEAR: Final = 0.2  # seconds after an act in which another one is expected


class RightOfWay:
    """Counts the acts under way in this process."""

    def __init__(self) -> None:
        self._acts = 0
        self._last = -NEAR
        self._clear = asyncio.Event()
        self._clear.set()

    @contextmanager
    def taken(self) -> Iterator[None]:
        """An act is under way."""
        self._acts += 1
        self._clear.clear()
        try:
            yield
        finally:
            self._acts -= 1
            self._last = time.monotonic()
            if not self._acts:
                self._clear.set()

    def near(self) -> bool:
        """Whether an act is under way or was a moment ago."""
        return self._acts > 0 or time.monotonic() - self._last < NEAR

    async def give(self) -> None:
        """Waits until no act is under way, and never for long."""
        if self._acts:
            with suppress(TimeoutError):  # not wait_for, which loses a cancellation that comes as the act ends
                async with asyncio.timeout(LONGEST):
                    await self._clear.wait()
