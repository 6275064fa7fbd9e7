"""Files of PostgreSQL's log as `pg_receivewal` leaves them: their order, what is missing, and how they are unpacked."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Final

SEGMENT_BYTES: Final = 16 * 1024 * 1024
_NAME: Final = re.compile(
    r"(?P<timeline>[0-9A-F]{8})(?P<log>[0-9A-F]{8})(?P<part>[0-9A-F]{8})(\.gz)?(?P<open>\.partial)?"
)
_PARTS: Final = 256  # segments of 16 MB in one log of 4 GB
_STEP: Final = 1024 * 1024


def segment_of(path: Path) -> str | None:
    """The name PostgreSQL gave the segment in this file; None for any other file."""
    found = _NAME.fullmatch(path.name)
    return path.name[:24] if found else None


def following(segment: str) -> str:
    """The segment after this one on the same timeline."""
    number = int(segment[8:16], 16) * _PARTS + int(segment[16:], 16) + 1
    return f"{segment[:8]}{number // _PARTS:08X}{number % _PARTS:08X}"


def unbroken(segments: Iterable[str], first: str) -> list[str]:
    """What can be replayed from `first` on: everything up to the first segment that is missing."""
    there, run = set(segments), list[str]()
    while first in there:
        run.append(first)
        first = following(first)
    return run


def missing(segments: Iterable[str], first: str) -> str | None:
    """The first segment that later ones need and that is not there."""
    there = {segment for segment in segments if segment >= first}
    run = unbroken(there, first)
    return None if len(run) == len(there) else following(run[-1]) if run else first


def unpack(path: Path, target: Path) -> None:
    """One segment as PostgreSQL reads it. The newest one ends wherever the receiver was cut off: zeros follow."""
    with path.open("rb") as packed, target.open("wb") as plain:
        reader = zlib.decompressobj(wbits=31) if ".gz" in path.name else None
        while chunk := packed.read(_STEP):
            plain.write(reader.decompress(chunk) if reader else chunk)
        if reader:
            plain.write(reader.flush())
        plain.truncate(SEGMENT_BYTES)
