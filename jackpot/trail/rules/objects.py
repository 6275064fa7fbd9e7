"""What a line of the trail is about: a thing of the house by its kind and its key, as people write it in one line."""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

LONGEST_KEY: Final = 80
EXAMPLES: Final = "slip 17, round UTH-04/118, jackpot GRAND, table UTH-04, person anna, request 5, day 2026-11-17"


class ObjectKind(enum.StrEnum):
    """The things whose history people ask for."""

    SLIP = "slip"
    ROUND = "round"
    JACKPOT = "jackpot"
    TERMS = "terms"
    TABLE = "table"
    DEVICE = "device"
    SIGN = "sign"
    PRINTER = "printer"
    PERSON = "person"
    ROLE = "role"
    KEY = "key"
    CUSTODY = "custody"
    BOOK = "book"
    REQUEST = "request"
    DAY = "day"
    PROPERTY = "property"
    REPORT = "report"
    PAY_TABLE = "pay table"
    ERRAND = "errand"
    PARCEL = "parcel"
    PROOF = "proof"
    BUILD = "build"


# Named among each other in one house only; every other key is known in all of them.
OF_A_HOUSE: Final = frozenset({ObjectKind.SLIP, ObjectKind.DAY, ObjectKind.KEY, ObjectKind.CUSTODY, ObjectKind.BOOK})
# Before a line named its object it had one text for all; these kinds put their own word in front of the key.
SPOKEN_WITH_ITS_KIND: Final = frozenset({ObjectKind.SLIP, ObjectKind.KEY, ObjectKind.REQUEST})


class NotAnObject(ValueError):
    """What was typed names no thing; the message says how one is written."""


@dataclass(frozen=True, slots=True)
class ObjectRef:
    """One thing of the house. Slips, days, keys and seals carry their house, since their numbers begin anew in each."""

    kind: ObjectKind
    key: str
    premises_id: int | None = None

    def __post_init__(self) -> None:
        assert self.key, "a thing without a key cannot be found again"

    @property
    def words(self) -> str:
        return f"{self.kind.value} {self.key}"

    @property
    def old_subject(self) -> str:
        """As lines from before named it, in a text that said no kind."""
        return self.words if self.kind in SPOKEN_WITH_ITS_KIND else self.key

    def of_house(self, premises_id: int | None) -> ObjectRef:
        """The same thing as one house means it."""
        return replace(self, premises_id=premises_id) if self.kind in OF_A_HOUSE else self


BACKUP: Final = ObjectRef(ObjectKind.ERRAND, "backup")  # of the whole database, whichever tool made it


def slip(number: int | None, premises_id: int | None) -> ObjectRef:
    return ObjectRef(ObjectKind.SLIP, str(number), premises_id)


def round_played(table_code: str, number: int) -> ObjectRef:
    return ObjectRef(ObjectKind.ROUND, f"{table_code}/{number}")


def jackpot(code: str) -> ObjectRef:
    return ObjectRef(ObjectKind.JACKPOT, code)


def terms(jackpot_code: str, version: int) -> ObjectRef:
    return ObjectRef(ObjectKind.TERMS, f"{jackpot_code}/{version}")


def table(code: str) -> ObjectRef:
    return ObjectRef(ObjectKind.TABLE, code)


def device(code: str) -> ObjectRef:
    return ObjectRef(ObjectKind.DEVICE, code)


def person(username: str) -> ObjectRef:
    return ObjectRef(ObjectKind.PERSON, username[:LONGEST_KEY] or "nobody")


def request(number: int, premises_id: int | None = None) -> ObjectRef:
    return ObjectRef(ObjectKind.REQUEST, str(number), premises_id)


def gaming_day(day: date, premises_id: int | None) -> ObjectRef:
    return ObjectRef(ObjectKind.DAY, day.isoformat(), premises_id)


def house(code: str) -> ObjectRef:
    return ObjectRef(ObjectKind.PROPERTY, code)


_WORDS: Final = re.compile(rf"({'|'.join(kind.value for kind in ObjectKind)})[ :]+(\S.*)", re.IGNORECASE)


def read_object(typed: str) -> ObjectRef:
    """ "slip 17", "table UTH-04", "round uth-04/118": a kind and a key. NotAnObject says what may be written."""
    found = _WORDS.fullmatch(" ".join(typed.split())[:100])
    if found is None:
        raise NotAnObject(f"“{typed[:40]}” is no thing of this house. Write a kind and its name: {EXAMPLES}.")
    kind = ObjectKind(found.group(1).lower())
    # Codes are written in capitals; a user name means what it says.
    coded = kind in (ObjectKind.JACKPOT, ObjectKind.TABLE, ObjectKind.ROUND, ObjectKind.TERMS, ObjectKind.DEVICE)
    key = found.group(2).lstrip("#")
    if not key:
        raise NotAnObject(f"Write which {kind.value} you mean, such as: {EXAMPLES}.")
    return ObjectRef(kind, key.upper() if coded else key)
