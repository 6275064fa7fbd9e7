"""The chain of the trail: each line of a house is numbered and sealed with the line before it, as the books are."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from jackpot.canonical import canonical

FORM: Final = "t1"
NO_SEAL_BEFORE: Final = bytes(32)
OF_THE_SERVER: Final = 0  # the chain of lines that belong to no house


class ChainedLine(NamedTuple):
    """What a line of the trail says, as its seal keeps it."""

    line: int
    at: int  # µs since 1970
    written_by: str
    actor: str
    person: int | None
    act: str
    object_kind: str
    object_key: str
    subject: str
    outcome: str
    why: str
    details: Mapping[str, Any]


def sealed_text(before: bytes, house: str, number: int, said: ChainedLine) -> str:
    """ASCII between bars: the seal before, the house (none: the server), the number, the line as JSON."""
    return f"{FORM}|{before.hex()}|{house}|{number}|{canonical(said._asdict())}"


def seal_of_line(before: bytes, house: str, number: int, said: ChainedLine) -> bytes:
    return hashlib.sha256(sealed_text(before, house, number, said).encode("ascii")).digest()
