"""What a box keeps of its rounds, so that books that lost some can be made whole again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from tables.rounds.rules.further import FurtherSeats, spelled

BEFORE: Final = 10  # rounds that both should know, compared seat by seat


@dataclass(frozen=True, slots=True)
class KeptRound:
    """One round of a box's journal, as it was acknowledged."""

    number: int
    seats: str
    played_at: datetime | None
    is_open: bool = False
    further: tuple[FurtherSeats, ...] = ()

    @property
    def plain(self) -> list[Any]:
        at = None if self.played_at is None else self.played_at.isoformat()
        return [self.number, self.seats, at, self.is_open, spelled(self.further)]

    @property
    def spoken(self) -> str:
        return spoken_play(self.seats, [(each.code, each.seats) for each in self.further if each.seats])


def spoken_play(seats: str, further: Iterable[tuple[str, str]]) -> str:
    """Who has a chip, wager by wager: two rounds are alike when these words are."""
    more = [f"; {code} {', '.join(theirs)}" for code, theirs in sorted(further)]
    return (", ".join(seats) or "none") + "".join(more)


def first_wanted(last_known: int) -> int:
    """From where a journal is asked for: a few rounds that both should know, then what is missing."""
    return max(1, last_known - BEFORE + 1)
