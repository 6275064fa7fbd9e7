"""What a card may do on a gaming day, and what a word that was given with it is still worth then."""

from __future__ import annotations

from datetime import date


def level_on(level: int, rises_to: int | None, rises_on: date | None, day: date) -> int:
    """A raise that two people signed counts from its gaming day on, and not before."""
    return rises_to if rises_to is not None and rises_on is not None and day >= rises_on else level


def word_worth(said: int, stands: int | None, *, blocked: bool) -> int:
    """While another word is awaited: never more than the card may do now. Without a card it is what was said."""
    if blocked:
        return 0
    return said if stands is None else min(said, stands)
