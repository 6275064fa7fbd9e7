"""What happened in a house, in the order of its numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Self


@dataclass(frozen=True)
class HouseEvent:
    """One thing that happened. Keep its number: everything behind it is asked for, or sent, with that number."""

    number: int
    about: str
    act: str
    subject: str
    at: datetime
    facts: Mapping[str, Any]

    @classmethod
    def read(cls, told: Mapping[str, Any]) -> Self:
        at = datetime.fromisoformat(told["at"])
        return cls(told["number"], told["about"], told["act"], told["subject"], at, told["facts"])


@dataclass(frozen=True)
class FeedPage:
    """One page of the feed: `last` is the newest number of the house, `after` what to ask with next."""

    last: int
    after: int
    events: Sequence[HouseEvent]
