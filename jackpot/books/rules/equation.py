"""The live equation: a jackpot's row says what its last entry says. What it does not, nobody posted."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple

from jackpot.books.rules.movement import ACCOUNTS
from jackpot.money import text_of_units

_STOPPED: Final = (
    "Nothing is counted, won or paid on it until an engineer has found who changed it and sets the row back "
    "(manage.py set_right {code})."
)


class Standing(NamedTuple):
    """Where the books of a jackpot stand: as its row says it, or as its last entry does."""

    seq: int
    seal: bytes
    at: datetime | None
    version_id: int | None
    balances: Sequence[int]


def difference(code: str, row: Standing, entry: Standing) -> str | None:
    """The sentence that names the first thing in which the row and the last entry differ, or None."""
    told = _first_difference(row, entry)
    if told is None:
        return None
    return f"The row of {code} is not what its books say: {told}. {_STOPPED.format(code=code)}"


def _first_difference(row: Standing, entry: Standing) -> str | None:
    # What people can check by eye comes first: a seal tells them nothing.
    if row.seq != entry.seq:
        return f"it stands at entry {row.seq}, the books end with entry {entry.seq}"
    for account, ours, theirs in zip(ACCOUNTS, row.balances, entry.balances, strict=True):
        if ours != theirs:
            return f"its {account} is {text_of_units(ours)}, after entry {entry.seq} it is {text_of_units(theirs)}"
    if row.version_id != entry.version_id:
        return f"it names other terms than entry {entry.seq} was posted by"
    if row.seal != entry.seal:
        return f"its seal is not the seal of entry {entry.seq}"
    if row.at != entry.at:
        return f"its last moment is {_moment(row.at)}, that of entry {entry.seq} is {_moment(entry.at)}"
    return None


def _moment(at: datetime | None) -> str:
    return "none" if at is None else at.isoformat()
