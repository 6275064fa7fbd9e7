"""How decided entries come into the database, and the row of their jackpot with them: never one without the other."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, Final, NamedTuple

from jackpot.books.rules.entry_kind import EntryKind
from jackpot.books.rules.movement import ACCOUNTS, RAISED, Balances, Movement
from jackpot.database.raw import Column, Question, arrays, unnested
from jackpot.money import STORED_ZERO, stored_text

_COLUMNS: Final[Sequence[Column]] = [
    ("jackpot_id", "bigint"), ("seq", "bigint"), ("kind", "text"), ("key", "text"), ("occurred_at", "timestamptz"),
    ("gaming_day", "date"), ("table_code", "text"), ("round_number", "bigint"), ("win_id", "bigint"),
    ("corrects", "bigint"), ("version_id", "bigint"), ("request", "bytea"), ("seal", "bytea"),
    *((account, "numeric") for account in ACCOUNTS), *((f"{account}_after", "numeric") for account in ACCOUNTS),
]  # fmt: skip
_ROW: Final[Sequence[Column]] = [
    ("id", "bigint"), ("last_seq", "bigint"), ("seal", "bytea"), ("last_at", "timestamptz"),
    *((account, "numeric") for account in ACCOUNTS), ("advance", "numeric"),
]  # fmt: skip
_NAMES: Final = ", ".join(name for name, _ in _COLUMNS)
_MOVED: Final = ", ".join(f"{name} = new.{name}" for name, _ in _ROW[1:])
_NEW: Final = ", ".join(name for name, _ in _ROW)
WRITE: Final = f"""
WITH written AS (INSERT INTO jackpot_entry ({_NAMES}) SELECT * FROM {unnested(_COLUMNS)})
UPDATE jackpot_jackpot j SET {_MOVED} FROM {unnested(_ROW)} AS new({_NEW}) WHERE j.id = new.id
"""

# Coin-ins of one jackpot and moment, which raise what a coin-in raises: all else is the same in each of them, and a
# value that is said once costs PostgreSQL a third less than one that is said in every row.
_SENT: Final[Sequence[Column]] = [
    ("key", "text"), ("table_code", "text"), ("round_number", "bigint"),
    *((account, "numeric") for account in RAISED), *((f"{account}_after", "numeric") for account in RAISED),
]  # fmt: skip
_STILL: Final = ACCOUNTS[len(RAISED) :]
_STILL_ZERO: Final = (STORED_ZERO,) * len(_STILL)
# Requests and seals go as one value each, 32 bytes an entry, and are cut apart by the place of the row.
_SAID_ONCE: Final[dict[str, str]] = {
    "jackpot_id": "%s::bigint", "seq": "%s::bigint + sent.place", "kind": f"'{EntryKind.COIN_IN.value}'",
    "occurred_at": "%s::timestamptz", "gaming_day": "%s::date", "win_id": "NULL", "corrects": "NULL",
    "version_id": "%s::bigint", "request": "substring(%b::bytea FROM (sent.place::int - 1) * 32 + 1 FOR 32)",
    "seal": "substring(%b::bytea FROM (sent.place::int - 1) * 32 + 1 FOR 32)",
    **dict.fromkeys(_STILL, "0"), **{f"{account}_after": "%s::numeric" for account in _STILL},
}  # fmt: skip
WRITE_COIN_INS: Final = f"""
WITH written AS (
  INSERT INTO jackpot_entry ({_NAMES})
  SELECT {", ".join(_SAID_ONCE.get(name, f"sent.{name}") for name, _ in _COLUMNS)}
    FROM {unnested(_SENT)} WITH ORDINALITY AS sent({", ".join(name for name, _ in _SENT)}, place)
)
UPDATE jackpot_jackpot j SET {", ".join(f"{name} = %s" for name, _ in _ROW[1:])} WHERE j.id = %s
"""


class Posting(NamedTuple):
    """One sealed entry, decided but not yet written."""

    jackpot_id: int
    seq: int
    kind: EntryKind
    key: str
    occurred_at: datetime
    gaming_day: date
    table_code: str
    round_number: int | None
    win_id: int | None
    corrects: int | None
    version_id: int
    movement: Movement
    after: Balances
    request: bytes
    seal: bytes
    movement_texts: tuple[str, ...]
    after_texts: tuple[str, ...]


class PostedOn(NamedTuple):
    """What an act or a batch posted on one jackpot, and what of house advances is still owed there."""

    entries: Sequence[Posting]
    advance: int


def write_questions(moved: Sequence[PostedOn]) -> list[Question]:
    """The statements that write all of it; a batch's coin-ins the short way, what differs more in one of its own."""
    judged = [(each, _are_coin_ins(each.entries)) for each in moved]
    others = [each for each, plain in judged if not plain]
    return [*(_coin_ins(each) for each, plain in judged if plain), *([_all_kinds(others)] if others else [])]


def _are_coin_ins(entries: Sequence[Posting]) -> bool:
    # Only an entry of another kind brings other terms into force, so what both ends share holds for all between.
    first, last = entries[0], entries[-1]
    if (first.occurred_at, first.version_id) != (last.occurred_at, last.version_id):
        return False
    return all(each.kind is EntryKind.COIN_IN and each.movement_texts[len(RAISED) :] == _STILL_ZERO for each in entries)


def _coin_ins(posted: PostedOn) -> Question:
    first = posted.entries[0]
    many = len(RAISED)
    sent = [
        (each.key, each.table_code, each.round_number, *each.movement_texts[:many], *each.after_texts[:many])
        for each in posted.entries
    ]
    values = [
        first.jackpot_id, first.seq - 1, first.occurred_at, first.gaming_day, first.version_id,
        b"".join([each.request for each in posted.entries]), b"".join([each.seal for each in posted.entries]),
        *first.after_texts[many:], *arrays(_SENT, sent), *_row(posted)[1:], first.jackpot_id,
    ]  # fmt: skip
    return WRITE_COIN_INS, values


def _all_kinds(moved: Sequence[PostedOn]) -> Question:
    entries = [_entry(posting) for each in moved for posting in each.entries]
    return WRITE, [*arrays(_COLUMNS, entries), *arrays(_ROW, [_row(each) for each in moved])]


def _entry(posting: Posting) -> tuple[Any, ...]:
    return (
        posting.jackpot_id, posting.seq, posting.kind, posting.key, posting.occurred_at, posting.gaming_day,
        posting.table_code, posting.round_number, posting.win_id, posting.corrects, posting.version_id,
        posting.request, posting.seal, *posting.movement_texts, *posting.after_texts,
    )  # fmt: skip


def _row(posted: PostedOn) -> tuple[Any, ...]:
    """The row follows the last entry, so the two can never say different sums."""
    last = posted.entries[-1]
    advance = stored_text(posted.advance) if posted.advance else STORED_ZERO
    return last.jackpot_id, last.seq, last.seal, last.occurred_at, *last.after_texts, advance
