"""Which changes of a house one administrator makes alone, and which wait for a second person."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Protocol

from accounting.house_file.change_kind import ChangeKind

# What decides which meter a chip raises, and by how much.
FEEDS: Final = ("jackpots", "wager", "further", "game", "seats", "bank")
# What keeps back play that no table can have dealt, and how much of it one person accepts.
PACE: Final = ("most_a_minute", "most_in_ten", "most_seats")
ALWAYS: Final = frozenset({ChangeKind.ROLE, ChangeKind.PERSON, ChangeKind.CARD})
HOUSE: Final = frozenset(
    {
        ChangeKind.PROPERTY,
        ChangeKind.TAX,
        ChangeKind.UNCLAIMED,
        ChangeKind.NOTICE,
        ChangeKind.COLLECTION,
        ChangeKind.SCHEDULE,
        ChangeKind.LIMITS,
        ChangeKind.COMPONENT,
    }
)


class HouseChange(Protocol):
    """One line of what a change would do."""

    @property
    def new(self) -> bool: ...

    @property
    def kind(self) -> ChangeKind: ...

    def alters(self, *facts: str) -> bool: ...


@dataclass(frozen=True, slots=True)
class HouseAge:
    """How far a house has come: whether a jackpot has its books, and whether a round was counted."""

    has_jackpot: bool
    has_round: bool


def takes_two(change: HouseChange, age: HouseAge) -> bool:
    """Openings and authority always; the house's day, tax and software once there is a jackpot; the floor once it
    plays.
    """
    if change.kind in ALWAYS:
        return True
    if change.kind is ChangeKind.JACKPOT:
        # Of one that stands only its name can differ here: a file cannot change its terms.
        return change.new
    if change.kind in HOUSE:
        return age.has_jackpot
    # Pages of winners go there, to whoever reads at that place.
    if change.kind is ChangeKind.PRINTER:
        return age.has_round
    return change.kind is ChangeKind.TABLE and age.has_round and change.alters(*FEEDS, *PACE)


def touches_people(changes: Iterable[HouseChange]) -> bool:
    return any(change.kind in ALWAYS for change in changes)
