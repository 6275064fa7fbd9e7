"""Writes rounds: all of a batch's in one statement, arrays as text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from jackpot.books.actions.post import Posting
from jackpot.books.actions.writing import array_texts, bytes_text, number_text, quoted, unnested
from jackpot.database.raw import raw_cursor
from jackpot.money import stored_text
from tables.rounds.models.round import Round, RoundEntry


@dataclass(frozen=True, slots=True)
class NewRound:
    table_id: int
    number: int
    seats: str
    wager: int
    spots: str
    device_id: int
    sequence: int
    dealer_id: int | None
    deck_colour: str
    entries: Sequence[Posting]
    opened_at: datetime
    gaming_day: date
    request: bytes
    answer: str


_COLUMNS: Final = [
    ("table_id", "bigint"), ("number", "bigint"), ("seats", "text"), ("wager", "numeric"), ("spots", "text"),
    ("device_id", "bigint"), ("sequence", "bigint"), ("dealer_id", "bigint"), ("deck_colour", "text"),
    ("opened_at", "timestamptz"), ("gaming_day", "date"), ("request", "bytea"),
    ("answer", "text"),
]  # fmt: skip
_names = ", ".join(name for name, _ in _COLUMNS)
_LISTED: Final = [
    ("table_id", "bigint"), ("number", "bigint"), ("level", "smallint"), ("jackpot_id", "bigint"), ("seq", "bigint"),
]  # fmt: skip
INSERT: Final = f"""
WITH listed AS (
  INSERT INTO tables_roundentry (revision, table_id, number, level, jackpot_id, seq)
  SELECT 1, * FROM {unnested(_LISTED)}
)
INSERT INTO tables_round ({_names}, revision, state, open_hits) SELECT *, 1, 'open', 0 FROM {unnested(_COLUMNS)}
"""
# The LATERAL with its row lock cannot be flattened, so every plan goes from what was said to the round's own key; the
# row is locked when its place is read, so the place stays true.
END: Final = """
WITH found AS MATERIALIZED (
  SELECT said.code, said.device_id, said.sequence, here.place
    FROM unnest(%s::text[], %s::bigint[], %s::bigint[], %s::bigint[]) AS said(code, number, device_id, sequence)
    JOIN tables_table t ON t.code = said.code AND t.key_at_jph = ''
    JOIN tables_device d ON d.id = said.device_id AND d.table_id = t.id AND d.state = 'active'
   CROSS JOIN LATERAL (
     SELECT r.ctid AS place FROM tables_round r
      WHERE r.table_id = t.id AND r.number = said.number AND r.state = 'open' AND r.open_hits = 0 FOR NO KEY UPDATE
   ) here
)
UPDATE tables_round r
   SET state = 'ended', ended_at = clock_timestamp(), device_id = found.device_id, sequence = found.sequence
  FROM found WHERE r.ctid = found.place RETURNING found.code
"""


def write_rounds(rounds: Sequence[NewRound]) -> None:
    with raw_cursor() as cursor:
        cursor.execute(INSERT, [*_listed(rounds), *array_texts(map(_row, rounds))])


def list_entries(round_: Round, posted: Sequence[Posting]) -> None:
    """What a round is counted on from its present revision on; what it was counted on before stays listed."""
    RoundEntry.objects.bulk_create(
        RoundEntry(
            table_id=round_.table_id, number=round_.number, revision=round_.revision, level=level,
            jackpot_id=posting.jackpot_id, seq=posting.seq,
        )
        for level, posting in enumerate(posted, 1)
    )  # fmt: skip


def end_rounds(ends: Sequence[tuple[str, int, int, int]]) -> set[str]:
    """Ends every round of (table, number, device, sequence) that is open and has no open hit; says which tables'."""
    columns = [list(column) for column in zip(*sorted(ends), strict=True)]
    with raw_cursor() as cursor:
        cursor.execute(END, columns)
        return {code for (code,) in cursor.fetchall()}


def _row(new: NewRound) -> list[str]:
    return [
        str(new.table_id), str(new.number), quoted(new.seats), stored_text(new.wager), quoted(new.spots),
        str(new.device_id), str(new.sequence), number_text(new.dealer_id), quoted(new.deck_colour),
        f'"{new.opened_at.isoformat()}"', new.gaming_day.isoformat(), bytes_text(new.request),
        quoted(new.answer),
    ]  # fmt: skip


def _listed(rounds: Sequence[NewRound]) -> list[str]:
    """A round without a chip is counted on no entry."""
    rows = [
        (str(new.table_id), str(new.number), str(level), str(posting.jackpot_id), str(posting.seq))
        for new in rounds
        for level, posting in enumerate(new.entries, 1)
    ]
    return array_texts(rows) or ["{}"] * len(_LISTED)
