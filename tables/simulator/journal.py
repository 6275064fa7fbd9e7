"""The journal of a simulated box: what was acknowledged, so that books which lost it can be made whole.

Hardware keeps it where a power cut leaves it; this one lives as long as its process.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

KEPT: Final = 2_000
IN_ONE_MESSAGE: Final = 25


@dataclass(slots=True)
class BoxJournal:
    """Rounds by their numbers, each as the server acknowledged it."""

    rounds: dict[int, dict[str, Any]] = field(default_factory=dict)
    last_slip: int = 0

    def counted(self, number: int, seats: list[int], further: Mapping[str, list[int]] | None = None) -> None:
        """A repeat is the same round; the time of its first acknowledgement stays."""
        at = datetime.now(UTC).isoformat()
        more = {"further": dict(further)} if further else {}
        self.rounds.setdefault(number, {"round": number, "seats": seats, "at": at, "open": True, **more})
        if len(self.rounds) > KEPT:
            del self.rounds[min(self.rounds)]

    def ended(self, number: int) -> None:
        if number in self.rounds:
            self.rounds[number]["open"] = False

    def voided(self, number: int) -> None:
        """Nothing is to be counted of it."""
        if number in self.rounds:
            self.rounds[number]["seats"] = []
            self.rounds[number].pop("further", None)

    def words_from(self, first: int) -> dict[str, Any]:
        """What the next message after a restore carries; the server says from where it wants the one after."""
        wanted = [self.rounds[number] for number in sorted(self.rounds) if number >= first]
        last = max(self.rounds, default=0)
        return {"last_round": last, "last_slip": self.last_slip, "rounds": wanted[:IN_ONE_MESSAGE]}
