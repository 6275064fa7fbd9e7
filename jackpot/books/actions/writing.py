"""Writes decided postings: entries and jackpot rows in one statement, arrays as text.

Arrays travel as PostgreSQL array literals because building one text costs a fraction of adapting each value.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from jackpot.books.rules.movement import ACCOUNTS
from jackpot.database.raw import Question
from jackpot.money import stored_text

if TYPE_CHECKING:
    from jackpot.books.actions.post import LockedJackpot, Posting

_AMOUNTS: Final = [*ACCOUNTS, *(f"{account}_after" for account in ACCOUNTS)]
_ENTRY_COLUMNS: Final = [
    ("jackpot_id", "bigint"), ("seq", "bigint"), ("kind", "text"), ("key", "text"), ("occurred_at", "timestamptz"),
    ("gaming_day", "date"), ("table_code", "text"), ("round_number", "bigint"), ("win_id", "bigint"),
    ("corrects", "bigint"), ("version_id", "bigint"), ("request", "bytea"), ("seal", "bytea"),
    *((amount, "numeric") for amount in _AMOUNTS),
]  # fmt: skip
_JACKPOT_COLUMNS: Final = [
    ("id", "bigint"), ("last_seq", "bigint"), ("seal", "bytea"), ("last_at", "timestamptz"),
    *((account, "numeric") for account in ACCOUNTS), ("advance", "numeric"),
]  # fmt: skip


def unnested(columns: Sequence[tuple[str, str]]) -> str:
    return "unnest(" + ", ".join(f"%s::{kind}[]" for _, kind in columns) + ")"


_names = ", ".join(name for name, _ in _ENTRY_COLUMNS)
_changes = ", ".join(f"{name} = new.{name}" for name, _ in _JACKPOT_COLUMNS[1:])
_new = ", ".join(name for name, _ in _JACKPOT_COLUMNS)
WRITE: Final = f"""
WITH written AS (INSERT INTO jackpot_entry ({_names}) SELECT * FROM {unnested(_ENTRY_COLUMNS)})
UPDATE jackpot_jackpot j SET {_changes} FROM {unnested(_JACKPOT_COLUMNS)} AS new({_new}) WHERE j.id = new.id
"""


def books_written(heads: Iterable[LockedJackpot]) -> Question:
    """One statement for all entries and heads of an act or a batch."""
    moved = list(heads)
    entries = [posting for head in moved for posting in head.entries]
    return WRITE, [*array_texts(map(_entry, entries)), *array_texts(map(_jackpot, moved))]


def array_texts(rows: Iterable[Sequence[str]]) -> list[str]:
    return ["{" + ",".join(column) + "}" for column in zip(*rows, strict=True)]


def _entry(posting: Posting) -> list[str]:
    return [
        str(posting.jackpot_id), str(posting.seq), posting.kind, quoted(posting.key),
        f'"{posting.occurred_at.isoformat()}"', posting.gaming_day.isoformat(), quoted(posting.table_code),
        number_text(posting.round_number), number_text(posting.win_id), number_text(posting.corrects),
        str(posting.version_id), bytes_text(posting.request), bytes_text(posting.seal),
        *posting.amounts,
    ]  # fmt: skip


def _jackpot(head: LockedJackpot) -> list[str]:
    return [
        str(head.id), str(head.last_seq), bytes_text(head.seal), f'"{head.now.isoformat()}"',
        *head.texts, stored_text(head.advance),
    ]  # fmt: skip


def number_text(number: int | None) -> str:
    return "NULL" if number is None else str(number)


def bytes_text(content: bytes) -> str:
    return f'"\\\\x{content.hex()}"'


def quoted(text: str) -> str:
    """A text as an element of an array literal; hardly any holds a character that must be escaped."""
    if '"' not in text and "\\" not in text:
        return f'"{text}"'
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
