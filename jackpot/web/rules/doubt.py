"""What a caller hears when the database gave no answer: three cases, and each says what to do now."""

from __future__ import annotations

from typing import Final, NamedTuple

READING: Final = frozenset({"GET", "HEAD", "OPTIONS"})
# A lock was waited for too long, the statement took too long, or it has to be begun anew.
GIVEN_UP: Final = frozenset({"55P03", "57014", "40001"})

AWAY: Final = "The books cannot be reached just now; nothing was changed. Try again in a moment."
HELD: Final = (
    "Other work holds what this needs, so it was given up. Nothing was changed; try again in a moment, "
    "and call the technician if it stays."
)
UNSURE: Final = (
    "It is not sure whether this was kept: the database did not confirm it. Load this page again: "
    "the same form is sent once more and counts once. Or look whether it is there."
)
UNSURE_PROGRAM: Final = (
    "It is not sure whether this was kept: the database did not confirm it. "
    "Say it again with the same Idempotency-Key, or look whether it is there."
)


class Doubt(NamedTuple):
    """Code and sentence of a 503."""

    code: str
    why: str


def doubt_of(method: str, sqlstate: str | None, *, program: bool) -> Doubt:
    """Of what was only read nothing can be unsure; of what was given up the database itself says so."""
    if sqlstate in GIVEN_UP:
        return Doubt("busy", HELD)
    if method in READING:
        return Doubt("unavailable", AWAY)
    return Doubt("unknown", UNSURE_PROGRAM if program else UNSURE)


def sqlstate_of(problem: BaseException) -> str | None:
    """What the database called it, if it said anything at all."""
    return getattr(problem.__cause__, "sqlstate", None)
