"""Who plays in the tour: people of the demo file, with what a guest types in their place."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

from accounting.house_file.demo import DemoLogin, demo_logins
from tables.floor.models.table import Profile, Table

KEY: Final = "7"
SIGN: Final = "TOUR"
NAMES: Final = ("dealer", "supervisor", "cage")


@dataclass(frozen=True, slots=True)
class Person:
    """`card` is the number of the badge or card, where this person has one, and `pin` its PIN."""

    username: str
    password: str
    name: str
    card: str
    pin: str


@dataclass(frozen=True, slots=True)
class Cast:
    dealer: Person
    supervisor: Person
    cage: Person


def tour_table(profile: str) -> Table | None:
    """The demo's table for guests of this profile. A real casino has no tour."""
    if profile not in Profile.values:
        return None
    rows = Table.objects.filter(premises__demo=True, for_people=True, profile=profile).select_related("premises")
    return rows.order_by("code").first()


def cast() -> Cast | None:
    """Nobody, where the demo's people do not work (any more)."""
    found = {login.username: _person(login) for login in _logins()}
    # The whole cast or no tour: a step that needs somebody who is gone would lead nowhere.
    if not all(name in found for name in NAMES):
        return None
    return Cast(*(found[name] for name in NAMES))


@cache
def _logins() -> tuple[DemoLogin, ...]:
    return tuple(login for login in demo_logins() if login.username in NAMES)


def _person(login: DemoLogin) -> Person:
    card, pin = (login.cards[0].number, login.cards[0].pin) if login.cards else ("", "")
    return Person(login.username, login.password, login.name, card, pin)
