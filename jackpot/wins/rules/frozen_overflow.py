"""What lies in the overflow since a hit was frozen: what was taken there and no earlier reset has taken back.

A reset of a hit that ranks before returns what came in last first. So what it returned is neither due again nor missed
among what had lain there at the frozen entry; what its own limit cut off has been taken since, and is due.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class OverflowReturn(NamedTuple):
    """What lay in the overflow before a reset, and how much of it the reset took back into the meter."""

    before: int
    returned: int


def still_frozen(frozen: int, resets: Iterable[OverflowReturn]) -> int:
    """What is left of the overflow at a frozen entry once these resets, in their order, have taken their part."""
    for reset in resets:
        since = max(reset.before - frozen, 0)
        frozen -= max(reset.returned - since, 0)
    return frozen
