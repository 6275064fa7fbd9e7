"""What happens at a table, round after round. The same seed plays the same rounds, whatever the network does."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from tables.simulator.deal import SimulatedDeal, deal, stacked

LIKES_THE_PROGRESSIVE: Final = 0.85
LIKES_ONE_MORE: Final = 0.4
COMES_OR_GOES: Final = 0.04
WONDER: Final = 0.15  # of the rounds of a stacked show


class NoSuchCrowd(ValueError):
    """A number of players that no table can seat."""


@dataclass(frozen=True, slots=True)
class Crowd:
    """How many players sit at a table: at least and at most."""

    fewest: int
    most: int

    @classmethod
    def of(cls, text: str) -> Crowd:
        """ "5" or "2-6"."""
        asked = re.fullmatch(r"([1-9])(?:-([1-9]))?", text)
        if asked is None or int(asked[1]) > int(asked[2] or asked[1]):
            raise NoSuchCrowd(f"“{text}” is no number of players. Write 5, or 2-6 for two to six.")
        return cls(int(asked[1]), int(asked[2] or asked[1]))


@dataclass(frozen=True, slots=True)
class PlannedRound:
    """Who has a chip on the spot, and the cards."""

    chips: tuple[int, ...]
    deal: SimulatedDeal

    def spots(self, seats: int) -> str:
        return spots_of(self.chips, seats)

    def further(self, table_code: str, number: int, wagers: Iterable[str], seats: int) -> dict[str, Any]:
        """The words of a coin-in for further wagers: of those who like the progressive some take each of them too."""
        chips = {}
        for wager in wagers:
            random = Random(f"{table_code}/{number}/{wager}")
            taken = [seat for seat in self.chips if random.random() < LIKES_ONE_MORE]
            if taken:
                chips[wager] = taken
        spots = {wager: spots_of(taken, seats) for wager, taken in chips.items()}
        return {"further": chips, "further_spots": spots} if chips else {}


def spots_of(chips: Collection[int], seats: int) -> str:
    """The sensors of all seats, as a controller sees them."""
    return "".join("1" if seat in chips else "0" for seat in range(1, seats + 1))


def planned_rounds(
    seed: int, table_code: str, seats: int, crowd: Crowd, *, dense: bool = False
) -> Iterator[PlannedRound]:
    """An endless evening at one table; a dense one is a show, its deck is stacked now and then."""
    random = Random(f"{seed}/{table_code}")
    fewest, most = min(crowd.fewest, seats), min(crowd.most, seats)
    seated = set(random.sample(range(1, seats + 1), random.randint(fewest, most)))
    while True:
        _come_and_go(random, seated, seats, fewest, most)
        chips = tuple(seat for seat in sorted(seated) if random.random() < LIKES_THE_PROGRESSIVE)
        if dense and chips and random.random() < WONDER:
            yield PlannedRound(chips, stacked(random, sorted(seated), random.choice(chips)))
        else:
            yield PlannedRound(chips, deal(random, sorted(seated)))


def _come_and_go(random: Random, seated: set[int], seats: int, fewest: int, most: int) -> None:
    free = sorted(set(range(1, seats + 1)) - seated)
    if free and len(seated) < most and random.random() < COMES_OR_GOES:
        seated.add(random.choice(free))
    if len(seated) > fewest and random.random() < COMES_OR_GOES:
        seated.remove(random.choice(sorted(seated)))
