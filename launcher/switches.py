"""Whole numbers that the environment names: within their bounds, or a sentence instead of a start."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from launcher.sentences import CannotStart

IDLE_MINUTES: Final = "FAIRMETER_IDLE_MINUTES"
LEAST_IDLE: Final = 10
LONGEST_IDLE: Final = 8 * 60  # as long as a sign-in lasts anyway


def whole_number(environ: Mapping[str, str], name: str, otherwise: int, *, least: int = 1, most: int = 100_000) -> int:
    """An empty variable counts as unset."""
    written = environ.get(name) or str(otherwise)
    if not (written.isascii() and written.isdigit() and len(written) <= 6 and least <= int(written) <= most):
        raise CannotStart(f"{name} is a whole number from {least:,} to {most:,}, not “{written[:20]}”.")
    return int(written)


def idle_minutes(environ: Mapping[str, str]) -> int:
    """After how many minutes without a touch a sign-in ends; 0 or nothing: only after its eight hours."""
    if environ.get(IDLE_MINUTES, "") in ("", "0"):
        return 0
    return whole_number(environ, IDLE_MINUTES, 0, least=LEAST_IDLE, most=LONGEST_IDLE)
