"""Chips of further wagers, and coin-ins that were kept back: written beside their rounds, in the trip of the batch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Final, NamedTuple

from jackpot.database.raw import Column, Question, arrays, unnested
from jackpot.money import stored_text
from tables.rounds.actions.wagered import WageredRound
from tables.rounds.queries.floor_facts import CoinInFacts
from tables.rounds.rules.further import FurtherPlayed

KEEP: Final = """
INSERT INTO tables_keptback (table_id, number, why, jackpots, chips, total, played_at, at, state, reason)
VALUES (%s, %s, %s, %s::bigint[], %s, %s, %s, %s, 'waiting', '')
"""

_FURTHER_COLUMNS: Final[Sequence[Column]] = [
    ("table_id", "bigint"), ("number", "bigint"), ("place", "smallint"), ("wager", "text"), ("chip", "numeric"),
    ("seats", "text"), ("spots", "text"), ("jackpots", "text"),
]  # fmt: skip
_FURTHER: Final = ", ".join(name for name, _ in _FURTHER_COLUMNS)
# The jackpots of each row come as one text: arrays in an array would be taken apart.
FURTHER: Final = f"""
INSERT INTO tables_furthercoinin (revision, {_FURTHER})
SELECT 1, s.table_id, s.number, s.place, s.wager, s.chip, s.seats, s.spots, s.jackpots::bigint[]
  FROM {unnested(_FURTHER_COLUMNS)} AS s({_FURTHER})
"""
FurtherRow = tuple[int, int, int, str, str, str, str, str]


class NotedRound(NamedTuple):
    """In the order of its columns."""

    table_id: int
    number: int
    why: str
    jackpots: list[int]
    chips: int
    total: str
    played_at: datetime
    at: datetime


def note_of(known: CoinInFacts, played: WageredRound, now: datetime, why: str) -> NotedRound:
    """Chips and money of every wager that was played; the jackpots that they would have raised."""
    act, further = played.act, played.further
    chips = len(act.seats) + sum(len(each.seats) for each in further)
    total = stored_text(known.wager * len(act.seats) + sum(each.total for each in further))
    jackpots = [each.jackpot_id for each in played.raised]
    return NotedRound(known.table_id, act.round, why, jackpots, chips, total, act.played_at or now, now)


def further_rows(table_id: int, number: int, further: Iterable[FurtherPlayed]) -> Iterator[FurtherRow]:
    """In the order of their columns."""
    for each in further:
        jackpots = "{" + ",".join(map(str, each.jackpots)) + "}"
        yield table_id, number, each.place, each.code, stored_text(each.chip), each.seats, each.spots, jackpots


def beside(further: Sequence[FurtherRow], noted: Sequence[NotedRound]) -> list[Question]:
    """Statements behind the one that writes the rounds; at tables with one wager there are hardly ever any."""
    kept: list[Question] = [(KEEP, each) for each in noted]
    return [(FURTHER, arrays(_FURTHER_COLUMNS, further)), *kept] if further else kept
