"""The seal of an entry: sha-256 over one ASCII line that holds everything the entry says and the seal before it.

No key is involved, so anyone who holds an export can add and seal it again. docs/books.md has the vectors.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import Final, NamedTuple

from jackpot.money import stored_texts

NO_SEAL_BEFORE: Final = bytes(32)  # of entry 1
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def microseconds(moment: datetime) -> int:
    """Whole microseconds since 1970 in UTC; exact, where a float would lose the last digits."""
    span = moment - _EPOCH
    return (span.days * 86_400 + span.seconds) * 1_000_000 + span.microseconds


def stamp_of(occurred_at: datetime, gaming_day: date) -> str:
    """The two time fields of the line; an act with many entries makes them once."""
    return f"{microseconds(occurred_at)}|{gaming_day.isoformat()}"


class SealedFields(NamedTuple):
    """What the line says, in its order: amounts as their eight-decimal texts, absent numbers as None."""

    before: bytes
    jackpot_code: str
    seq: int
    kind: str
    key: str
    stamp: str
    table_code: str
    round_number: int | None
    win_id: int | None
    corrects: int | None
    version_digest: str
    movement: Sequence[str]
    after: Sequence[str]
    request: bytes


def sealed_line(
    *,
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
    return _line(
        SealedFields(
            before=before, jackpot_code=jackpot_code, seq=seq, kind=kind, key=key,
            stamp=stamp_of(occurred_at, gaming_day), table_code=table_code, round_number=round_number, win_id=win_id,
            corrects=corrects, version_digest=version_digest, movement=stored_texts(movement),
            after=stored_texts(after), request=request,
        )
    )  # fmt: skip


def seal_of(fields: SealedFields) -> bytes:
    """The seal of an entry whose amounts are texts already."""
    return seal(_line(fields))


def _line(fields: SealedFields) -> str:
    (before, jackpot_code, seq, kind, key, stamp, table_code, round_number, win_id, corrects, version_digest,
     movement, after, request) = fields  # fmt: skip
    # v1 is the form of the line: another one gets another number, and old entries keep theirs
    return (
        f"v1|{before.hex()}|{jackpot_code}|{seq}|{kind}|{key}|{stamp}|{table_code}|"
        f"{_number(round_number)}|{_number(win_id)}|{_number(corrects)}|{version_digest}|"
        f"{','.join(movement)}|{','.join(after)}|{request.hex()}"
    )


def seal(line: str) -> bytes:
    return hashlib.sha256(line.encode("ascii")).digest()


def _number(number: int | None) -> str:
    return "" if number is None else str(number)
