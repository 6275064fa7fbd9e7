"""One question on its way, and whose turn it is when many wait."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, Final, Literal

Lane = Literal["short", "long"]
FORGOTTEN_AFTER: Final = 60.0  # seconds that nobody asked about a question that still waits
TOO_EARLY_TO_TELL: Final = 0.02


class HowFar(int):
    """So many percent, and how many other questions are before one that has not begun: 0 alone looks stuck."""

    ahead: int = 0

    @classmethod
    def of(cls, percent: int, ahead: int) -> HowFar:
        told = cls(percent)
        told.ahead = ahead
        return told


@dataclass(slots=True)
class Job:
    """One question: who asked it, whether it is under way, how far it is, what came of it."""

    name: str
    lane: Lane = "short"
    progress: float = 0.0
    answer: dict[str, Any] | None = None
    refused: str = ""
    people: set[str] = field(default_factory=set)
    worker: subprocess.Popen[str] | None = None
    began_at: float | None = None
    asked_at: float = field(default_factory=monotonic)
    ahead: int = 0
    done: threading.Event = field(default_factory=threading.Event)

    @property
    def percent(self) -> HowFar:
        # Not a hundred before the answer is there: programs take a hundred for done.
        return HowFar.of(min(99, int(self.progress * 100)), self.ahead if self.waits else 0)

    @property
    def waits(self) -> bool:
        return self.worker is None and not self.done.is_set()

    @property
    def seconds_left(self) -> int | None:
        """By how long it took to come so far; nothing as long as that says little."""
        if self.began_at is None or self.progress < TOO_EARLY_TO_TELL:
            return None
        taken = monotonic() - self.began_at
        return max(1, round(taken * (1 - self.progress) / self.progress))

    def heard(self, told: Mapping[str, Any]) -> None:
        """Progress never goes back: another process may have told us of the same calculation."""
        self.progress = max(self.progress, told.get("progress", 0.0))
        self.answer, self.refused = told.get("answer"), told.get("refused", "")
        if self.answer is not None or self.refused:
            self.done.set()


def next_of(waiting: Iterable[Job], running: Iterable[Job], served: Mapping[str, int]) -> Job | None:
    """Whose turn it is: of the people with the fewest questions under way the one served longest ago, and of theirs
    the oldest question. A question of several people goes by the one who is first."""
    busy: dict[str, int] = {}
    for job in running:
        for person in job.people:
            busy[person] = busy.get(person, 0) + 1
    return min(
        waiting,
        key=lambda job: min(((busy.get(person, 0), served.get(person, 0)) for person in job.people), default=(0, 0)),
        default=None,
    )
