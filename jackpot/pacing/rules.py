"""How fast the same may be tried again: some tries at once, then a wait that doubles with each, and never for ever."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

MOST_DOUBLING: Final = 30  # times: far beyond any longest wait, and still a number that a timedelta holds


@dataclass(frozen=True, slots=True)
class TryPace:
    """So many tries are free; after them each doubles the wait, up to the longest. A quiet spell forgets them."""

    kind: str
    free: int
    longest: timedelta
    quiet: timedelta = timedelta(minutes=15)

    def wait_after(self, tries: int) -> timedelta:
        """How long nothing is looked at after so many tries."""
        if tries < self.free:
            return timedelta()
        return min(self.longest, timedelta(seconds=2 ** min(tries - self.free, MOST_DOUBLING)))

    def wait_left(self, tries: int, until: datetime, now: datetime) -> timedelta:
        """Never more than the wait itself: a clock that was put back locks nobody out for as long as it was ahead."""
        return max(timedelta(), min(until - now, self.wait_after(tries)))

    def next_try(self, tries: int, last_at: datetime, now: datetime) -> tuple[int, timedelta]:
        """The number of the try that comes now, and how long nothing is looked at after it."""
        number = 1 if now - last_at >= self.quiet else tries + 1
        return number, self.wait_after(number)


def spoken_wait(wait: timedelta) -> str:
    """“8 seconds”, “2 minutes”: rounded up, for whoever waits exactly that long should not come too early."""
    seconds = max(1, -(-wait // timedelta(seconds=1)))
    if seconds < 120:
        return f"{seconds} second{'' if seconds == 1 else 's'}"
    return f"{-(-seconds // 60)} minutes"
