"""A box against restored books: what each knows, and what follows for the table."""

from __future__ import annotations

from typing import Literal, NamedTuple

Verdict = Literal["missing", "differs", "agrees"]


class WhatTheyKnow(NamedTuple):
    """Last rounds and slips of both sides; `clash` names the first round that they tell differently."""

    books_round: int
    books_slip: int
    told_round: int
    told_slip: int
    clash: str = ""


def compared(known: WhatTheyKnow) -> tuple[Verdict, str]:
    """The books may know one round more than the box: one whose answer was lost on its way."""
    if known.clash:
        return "differs", f"{known.clash} Two people look at it and accept it."
    if known.told_round > known.books_round:
        missing = known.told_round - known.books_round
        rounds = "1 round is" if missing == 1 else f"{missing:,} rounds are"
        return "missing", (
            f"The box knows rounds up to {known.told_round}, the books up to {known.books_round}: {rounds} missing. "
            "The journal of the box posts them; what it cannot post two people accept."
        )
    if known.told_round < known.books_round - 1:
        return "differs", (
            f"The books hold rounds up to {known.books_round}, the box knows {known.told_round}: it is another box, or "
            "it lost its memory. Two people accept it."
        )
    if known.told_slip > known.books_slip:
        return "differs", (
            f"The box saw slip {known.told_slip}; the books end at slip {known.books_slip}. What was won and paid "
            "since is adjusted; then two people accept it."
        )
    return "agrees", f"Books and box agree up to round {known.books_round}. A supervisor opens the table."


def no_word() -> str:
    """A table whose box is silent stays held; so does one without a box."""
    return (
        "Its box has not said yet what it knows. Let it connect; a box that keeps no journal, and a table without one, "
        "two people accept (Requests: Table after a restore)."
    )
