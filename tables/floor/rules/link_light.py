"""The link light of a table: is its controller heard?"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from enum import Enum
from typing import Final

# As a box counts: after 5 s without the server it refuses the next COIN IN.
LATE_AFTER: Final = timedelta(seconds=5)
DOWN_AFTER: Final = timedelta(seconds=30)


class LinkLight(Enum):
    UP = "up"
    LATE = "late"
    DOWN = "down"
    NONE = "none"


def link_light(heard: Iterable[datetime | None], now: datetime) -> LinkLight:
    """The best word of a table's active controllers; none at all is a state of its own."""
    moments = list(heard)
    if not moments:
        return LinkLight.NONE
    newest = max((moment for moment in moments if moment is not None), default=None)
    if newest is None or now - newest > DOWN_AFTER:
        return LinkLight.DOWN
    return LinkLight.LATE if now - newest > LATE_AFTER else LinkLight.UP
