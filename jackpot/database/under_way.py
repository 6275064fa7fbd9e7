"""Commits of this process that the database has not answered: whether it confirms nothing at all just now.

With a synchronous standby gone a commit waits for as long as the standby is away, and nobody may cancel it. Whoever
comes then must not begin an act that waits behind it: each would hold a thread until no page is left.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

HANGS_AFTER: Final = 10.0
TOGETHER: Final = 4  # one line that hangs alone says nothing of the others
TRIES_AGAIN_AFTER: Final = 60.0


class CommitsUnderWay:
    """When each began, and when something was confirmed last."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._since: dict[object, float] = {}
        self._confirmed_at = 0.0

    @contextmanager
    def one(self, *, confirms: bool) -> Iterator[None]:
        """`confirms`: its end shows that a commit reaches the standby; that of a transaction which only read does
        not."""
        mark = object()
        with self._lock:
            self._since[mark] = time.monotonic()
        try:
            yield
            if confirms:
                self._confirmed_at = time.monotonic()
        finally:
            with self._lock:
                del self._since[mark]

    def hang_for(self) -> float:
        """Seconds since which several wait and nothing is confirmed; 0 where all is well, and once a minute for one who
        tries whether it still is so."""
        now = time.monotonic()
        with self._lock:
            waited = sorted((now - since for since in self._since.values() if since > self._confirmed_at), reverse=True)
        if len(waited) < TOGETHER or waited[TOGETHER - 1] < HANGS_AFTER or waited[-1] >= TRIES_AGAIN_AFTER:
            return 0.0
        return waited[0]


commits = CommitsUnderWay()
