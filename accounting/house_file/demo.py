"""The demo casino: whether this is one, and who may sign in to it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from accounting.house_file.reader import read_casino
from jackpot.people.models import Operator
from jackpot.property.models.property import Property

EMERALD: Final = Path(__file__).resolve().parent / "casinos" / "emerald.toml"


@dataclass(frozen=True, slots=True)
class DemoCard:
    number: str
    level: str
    pin: str


@dataclass(frozen=True, slots=True)
class DemoLogin:
    """What a visitor of the demo types."""

    username: str
    password: str
    name: str
    roles: tuple[str, ...]
    cards: tuple[DemoCard, ...]


def is_demo() -> bool:
    """Whether this database was made by a demo file. Such a casino is served on loopback only."""
    return Property.objects.filter(demo=True).exists()


def demo_logins(path: Path = EMERALD) -> list[DemoLogin]:
    """The people of a demo file with their first passwords; nobody where that demo does not stand."""
    casino = read_casino(path)
    if not Property.objects.filter(demo=True, code=casino.premises.code).exists():
        return []
    # Only who was loaded: the file may know people that an older demo does not have.
    here = set(Operator.objects.values_list("username", flat=True))
    return [
        DemoLogin(
            person.code, person.password, person.name, person.roles,
            tuple(DemoCard(card.code, card.level, card.pin) for card in person.cards),
        )
        for person in casino.people
        if person.password and person.code in here
    ]  # fmt: skip
