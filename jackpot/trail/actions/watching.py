"""What every process that posts does each second for the trail: it tries it, and seals what was committed."""

from __future__ import annotations

from jackpot.trail.actions.sealing import seal_trail
from jackpot.trail.actions.standing import try_the_trail


def watch_trail() -> None:
    if not try_the_trail():
        seal_trail()
