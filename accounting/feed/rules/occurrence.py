"""What the feed tells of: acts in the books, requests of two people, the life of gaming days."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

from jackpot.books.rules.entry_kind import EntryKind

# Every chip of every round would drown what programs wait for; entries/ tells them, meters too.
UNTOLD: Final = (EntryKind.COIN_IN.value, EntryKind.REPAY.value)


class EventTopic(StrEnum):
    BOOKS = "books"
    REQUESTS = "requests"
    DAYS = "days"


@dataclass(frozen=True, slots=True)
class Occurrence:
    """Something that happened, before it has its number. Its key is the same however often it is found."""

    key: str
    about: EventTopic
    act: str
    subject: str
    at: datetime
    facts: Mapping[str, Any]


def in_order(found: Iterable[Occurrence]) -> list[Occurrence]:
    """By time within what is numbered together; a jackpot's entries never overtake each other.

    Their time never goes back and a sort keeps the order of what is equal, so entries stay in the order of the books.
    """
    return sorted(found, key=lambda each: each.at)
