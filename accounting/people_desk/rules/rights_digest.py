"""The rights of a house as one digest: two people sign exactly what both saw."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Final

from jackpot.canonical import digest_of_value

# The longest quarter of a year: nobody is late who looks once in each.
QUARTER_DAYS: Final = 92


@dataclass(frozen=True, slots=True)
class HeldRights:
    """What one person may do. When it was last used is shown beside it and not signed: that moves by itself."""

    username: str
    name: str
    state: str
    roles: tuple[str, ...]
    verbs: tuple[str, ...]
    cards: tuple[str, ...]

    @property
    def may(self) -> str:
        """What its page shows of the verbs."""
        return ", ".join(each.replace("_", " ") for each in self.verbs)


def rights_digest(people: Iterable[HeldRights]) -> str:
    """Over everybody by user name, so that the order of a page does not count."""
    lines = [asdict(each) for each in sorted(people, key=lambda each: each.username)]
    return digest_of_value(lines)
