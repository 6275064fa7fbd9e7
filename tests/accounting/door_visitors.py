"""Who tries a door: of those whom it lets in some or, in the profile deep, each; of the others all, together."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from zlib import crc32

from django.test import Client

from jackpot.people.models import Operator
from tables.floor.models.sign import Sign
from tests.accounting.door_kinds import NEEDS_TWO_VERBS
from tests.accounting.door_roles import ANYONE, OPEN
from tests.accounting.doors import DOORS
from tests.builders import a_person
from tests.deep import often


class Visitors:
    """A browser for each set of roles that a door is tried with, made when it is first needed."""

    def __init__(self, house: dict[str, Client]) -> None:
        self.roles = frozenset(house) - {ANYONE}
        self._premises = Sign.objects.all()[0].premises
        self._browsers = {frozenset({role} - {ANYONE}): browser for role, browser in house.items()}
        alone = Operator.objects.filter(username__startswith="only-")
        self._verbs = {ANYONE: 0} | {each.username.removeprefix("only-"): len(each.verbs()) for each in alone}

    def with_roles(self, *roles: str) -> Client:
        held = frozenset(roles)
        if held not in self._browsers:
            self._browsers[held] = Client(raise_request_exception=False)
            name = f"several-{len(self._browsers)}"
            self._browsers[held].force_login(a_person(name, roles=sorted(held), premises=self._premises))
        return self._browsers[held]

    def _some_of(self, named: Collection[str], door: str) -> list[str]:
        """Of those who come in: whoever may do least besides, and one more, at every door another one."""
        least, *others = sorted(named, key=lambda role: (self._verbs[role], role))
        return [least, *others[crc32(door.encode()) % max(len(others), 1) :][:1]]

    def tries(self, name: str, method: str) -> Iterator[tuple[bool, frozenset[str]]]:
        """Whether they come in, and who: alone, whoever does (two of them); together, whoever does not."""
        named = DOORS[name].get(method)
        if named is None or (named == OPEN and name != "home"):
            yield from ((named is not None, frozenset()), (named is not None, self.roles))
            return
        yield from (
            (True, frozenset({role} - {ANYONE})) for role in often(self._some_of(named, name), deep=sorted(named))
        )
        if ANYONE not in named:
            yield False, frozenset()
            refused = sorted(self.roles - named)
            together = [[role] for role in refused] if name in NEEDS_TWO_VERBS else [refused] if refused else []
            yield from ((False, frozenset(roles)) for roles in together)
