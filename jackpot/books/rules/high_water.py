"""Books never go back: a number that was seen with its seal stays in them with that seal.

Books whose first entry is another one are other books (a house founded anew), and were never seen here.
"""

from __future__ import annotations

from typing import Final, NamedTuple

_UNTIL: Final = (
    "Nothing is counted, won or paid on it until two people have accepted the books as they are "
    "(Books went back, on the jackpot's page)."
)


class HighWater(NamedTuple):
    """The highest entry that was seen of a jackpot's books: the seal of its first entry, its number, its seal.

    `at` is when it was seen first, in seconds since 1970: what two people accepted later it does not contradict.
    """

    first_seal: bytes
    seq: int
    seal: bytes
    at: int = 0


class BooksNow(NamedTuple):
    """Where the books stand now, and the seal that the entry of that number has in them, if it is there."""

    first_seal: bytes
    seq: int
    seal: bytes
    seal_there: bytes | None


def why_gone_back(code: str, known: HighWater, now: BooksNow) -> str | None:
    """The sentence that says from which number to which; None where everything that was seen is there."""
    if known.first_seal != now.first_seal or now.seal_there == known.seal:
        return None
    if known.seq > now.seq:
        gone = f"entry {known.seq} is" if known.seq == now.seq + 1 else f"entries {now.seq + 1} to {known.seq} are"
        where = f"they stood at entry {known.seq} and stand at entry {now.seq}"
        return f"The books of {code} went back: {where}; {gone} gone. {_UNTIL}"
    return (
        f"The books of {code} took another course: entry {known.seq} has not the seal that it had, "
        f"and they stand at entry {now.seq}. {_UNTIL}"
    )
