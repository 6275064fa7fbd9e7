"""Rounds that hit several jackpots can wait for each other: first on one, second on another. Nobody moves by itself."""

from __future__ import annotations

from dataclasses import dataclass

from jackpot.refusals import NotAllowedNow
from jackpot.wins.models import Win
from jackpot.wins.queries.of_round import place_of, wins_of
from jackpot.wins.queries.queue import stands_before, why_it_waits
from jackpot.wins.rules.round_ref import RoundRef
from jackpot.wins.rules.win_life import OPEN


@dataclass(frozen=True, slots=True)
class Circle:
    """The hit that a round waits for, and the hit of that same round that is waited for in turn."""

    first: Win
    own: Win

    def __str__(self) -> str:
        return (
            f"{self.first.line_name} at {self.first.table_code} is first on {self.first.jackpot.code}, "
            f"{self.own.line_name} at {self.own.table_code} on {self.own.jackpot.code}: they wait for each other."
        )


CURE = "An executive and a second person let one of them pass."


def circle_of(place: RoundRef) -> Circle | None:
    """Follows who waits for whom, jackpot by jackpot, until it comes back to where it began."""
    edges = [(first, first) for first in _in_the_way(place)]
    seen: set[RoundRef] = set()
    while edges:
        # Each round once: others may wait for each other in a circle that never comes back to this one.
        first, at = edges.pop(0)
        if place_of(at) in seen:
            continue
        seen.add(place_of(at))
        for nearer in _in_the_way(place_of(at)):
            if place_of(nearer) == place:
                return Circle(first, nearer)
            edges.append((first, nearer))
    return None


def came_first(first: Win, place: RoundRef) -> NotAllowedNow:
    """Why a card must wait, and what to do: settle the earlier hit, or let one pass where none can be settled."""
    circle = circle_of(place)
    if circle is not None:
        return NotAllowedNow(f"{circle} {CURE}", "queue")
    return NotAllowedNow(why_it_waits(first), "queue")


def _in_the_way(place: RoundRef) -> list[Win]:
    """On each jackpot of the round the hit that must be settled before its own."""
    jackpots = set(wins_of(place).filter(state__in=OPEN).values_list("jackpot_id", flat=True))
    found = (stands_before(jackpot_id, place) for jackpot_id in sorted(jackpots))
    return [win for win in found if win is not None]
