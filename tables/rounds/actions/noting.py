"""A coin-in that was kept back is noted beside its round, in the trip that writes the batch."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple

from jackpot.database.raw import Question
from jackpot.money import stored_text
from tables.rounds.queries.floor_facts import CoinInFacts
from tables.rounds.rules.round import CoinInRequest

KEEP: Final = """
INSERT INTO tables_keptback (table_id, number, why, jackpots, chips, total, played_at, at, state, reason)
VALUES (%s, %s, %s, %s::bigint[], %s, %s, %s, %s, 'waiting', '')
"""


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


def note_of(known: CoinInFacts, act: CoinInRequest, now: datetime, why: str) -> NotedRound:
    chips = len(act.seats)
    total = stored_text(known.wager * chips)
    return NotedRound(known.table_id, act.round, why, list(known.jackpots), chips, total, act.played_at or now, now)


def keeping(noted: Sequence[NotedRound]) -> list[Question]:
    """Statements behind the one that writes the rounds; there are hardly ever any."""
    return [(KEEP, each) for each in noted]
