"""Pages of the trail that begin behind a line instead of at a count: as quick at line one million as at line one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
LARGEST: Final = 2**63 - 1
_CURSOR: Final = re.compile(r"(\d{1,17})-(\d{1,19})", re.ASCII)


@dataclass(frozen=True, slots=True, order=True)
class TrailPlace:
    """A place between lines: the moment of a line and its number. A moment alone stands behind all of its lines."""

    at: datetime
    number: int = LARGEST

    @property
    def cursor(self) -> str:
        return f"{(self.at - EPOCH) // timedelta(microseconds=1)}-{self.number}"


def read_cursor(typed: str) -> TrailPlace | None:
    """What an address of ours carries; anything else is nothing, and the list begins at its newest line."""
    found = _CURSOR.fullmatch(typed)
    if found is None:
        return None
    try:
        # Nineteen digits may be more than the database's largest number, which would be an error of ours.
        return TrailPlace(EPOCH + timedelta(microseconds=int(found.group(1))), min(int(found.group(2)), LARGEST))
    except OverflowError:
        return None
