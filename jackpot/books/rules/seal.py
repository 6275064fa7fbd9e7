"""The seal of an entry: sha-256 over one ASCII line that holds everything the entry says and the seal before it.

No key is involved, so anyone who holds an export can add and seal it again. docs/books.md has the vectors.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import Final

from jackpot.money import stored_text

NO_SEAL_BEFORE: Final = bytes(32)
NOTHING: Final = "0.00000000"
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def microseconds(moment: datetime) -> int:
    """Whole microseconds since 1970 in UTC; exact, where a float would lose the last digits."""
    span = moment - _EPOCH
    return (span.days * 86_400 + span.seconds) * 1_000_000 + span.microseconds


def stamp_of(occurred_at: datetime, gaming_day: date) -> str:
    """The two time fields of the line; an act with many entries makes them once."""
    return f"{microseconds(occurred_at)}|{gaming_day.isoformat()}"


def amount_texts(units: Sequence[int]) -> tuple[str, ...]:
    """Amounts as the line spells them, eight decimals each; most of a movement is zero."""
    return tuple(stored_text(each) if each else NOTHING for each in units)


def sealed_line(
    before: bytes,
    jackpot_code: str,
    seq: int,
    kind: str,
    key: str,
    occurred_at: datetime,
    gaming_day: date,
    table_code: str,
    round_number: int | None,
    win_id: int | None,
    corrects: int | None,
    version_digest: str,
    movement: Sequence[int],
    after: Sequence[int],
    request: bytes,
) -> str:
    """The line that is hashed; every field between bars, amounts with eight decimals, absent fields empty."""
    return line_of_texts(
        before, jackpot_code, seq, kind, key, stamp_of(occurred_at, gaming_day), table_code, round_number, win_id,
        corrects, version_digest, amount_texts(movement), amount_texts(after), request,
    )  # fmt: skip


def line_of_texts(
    before: bytes,
    jackpot_code: str,
    seq: int,
    kind: str,
    key: str,
    stamp: str,
    table_code: str,
    round_number: int | None,
    win_id: int | None,
    corrects: int | None,
    version_digest: str,
    movement: Sequence[str],
    after: Sequence[str],
    request: bytes,
) -> str:
    """The same line from texts that an act with many entries has made once."""
    return "|".join(
        (
            "v1",
            before.hex(),
            jackpot_code,
            str(seq),
            kind,
            key,
            stamp,
            table_code,
            _number(round_number),
            _number(win_id),
            _number(corrects),
            version_digest,
            ",".join(movement),
            ",".join(after),
            request.hex(),
        )
    )


def seal(line: str) -> bytes:
    return hashlib.sha256(line.encode("ascii")).digest()


def _number(number: int | None) -> str:
    return "" if number is None else str(number)
