"""What a table is expected to take in within an hour, and from where on more is beyond reason. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from jackpot.money import ZERO, Money

LEAST_HISTORY: Final = 24  # hours of play before a table's own history counts
MOST_HISTORY: Final = 200
TENS_OF_AN_HOUR: Final = 6


def ceiling(chips: Sequence[Money], most_in_ten: int, seats: int, most_seats: int) -> Money:
    """All that its game can be dealt in an hour, with a chip of every wager on every seat."""
    return sum(chips, ZERO) * (most_in_ten * TENS_OF_AN_HOUR * min(seats, most_seats))


def expectation(hours: int, total: Money, digits: int) -> Money | None:
    """The mean of a table's own hours of play, cut to what the currency pays; nothing while they are too few."""
    return None if hours < LEAST_HISTORY else Money(total.units // hours).shown(digits)


def bound(expected: Money | None, share: int, most: Money) -> Money:
    """A share of what is expected, and never above what can be dealt at all."""
    if expected is None:
        return most
    # Not above what can be dealt: a large share of a busy table would otherwise never ring.
    return min(Money(expected.units * share // 100), most)
