"""Do commits come through? A few bytes of log, written and committed as an act's are, by a thread of their own.

A commit that hangs (no standby, no disk) is waited for by that thread alone: who asks hears after a second that it has
not come yet. One is under way at most, and one that came through a moment ago counts for everybody.
"""

from __future__ import annotations

import threading
import time
from typing import Final

from django.db import connection

COUNTS_FOR: Final = 0.5  # seconds; whoever asks more often than that costs nothing
PATIENCE: Final = 1.0
BEAT: Final = "SELECT pg_logical_emit_message(true, 'heartbeat', '')"


class Heartbeat:
    """One per process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._under_way: threading.Thread | None = None
        self._began = 0.0
        self._came_through: float | None = None
        self._trouble = ""

    def trouble(self, patience: float = PATIENCE) -> str:
        """Why commits do not come through, in a sentence; empty if they do."""
        with self._lock:
            if self._came_through is not None and time.monotonic() - self._came_through < COUNTS_FOR:
                return ""
            if self._under_way is None or not self._under_way.is_alive():
                self._began = time.monotonic()
                self._under_way = threading.Thread(target=self._beat, name="heartbeat", daemon=True)
                self._under_way.start()
            thread, began = self._under_way, self._began
        thread.join(patience)
        if thread.is_alive():
            return f"A commit has been waiting for {time.monotonic() - began:.0f} s. Look at the standby and the disk."
        return self._trouble

    def _beat(self) -> None:
        try:
            with connection.cursor() as cursor:
                cursor.execute(BEAT)
        except Exception as problem:  # noqa: BLE001 - whatever it is, it is why nothing is taken
            self._trouble = f"The database takes no writes: {str(problem).partition(chr(10))[0]}."
        else:
            self._trouble, self._came_through = "", time.monotonic()
        finally:
            connection.close()


heartbeat: Final = Heartbeat()
