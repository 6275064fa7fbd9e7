"""What is noted beside a few rounds, in the trip that writes them: a time of play, and that a coin-in was kept back."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple

from jackpot.database.raw import Question
from jackpot.money import stored_text
from tables.rounds.queries.floor_facts import CoinInFacts
from tables.rounds.rules.round import CoinInRequest

NOTE: Final = """
UPDATE tables_round r SET played_at = %s, kept_back = %s WHERE r.table_id = %s AND r.number = %s
"""
KEEP: Final = """
INSERT INTO tables_keptback (table_id, number, why, jackpots, chips, total, played_at, at, state, reason)
VALUES (%s, %s, %s, %s::bigint[], %s, %s, %s, %s, 'waiting', '')
"""


class NotedRound(NamedTuple):
    """`why` is empty where only its time of play is noted."""

    table_id: int
    number: int
    played_at: datetime
    why: str
    jackpots: Sequence[int]
    chips: int
    total: str
    at: datetime


def note_of(known: CoinInFacts, act: CoinInRequest, now: datetime, why: str | None) -> NotedRound:
    chips = len(act.seats)
    total = stored_text(known.wager * chips)
    return NotedRound(known.table_id, act.round, act.played_at or now, why or "", known.jackpots, chips, total, now)


def keeping(noted: Sequence[NotedRound]) -> list[Question]:
    """Statements behind the one that writes the rounds."""
    asked: list[Question] = []
    for each in noted:
        state = "waiting" if each.why else ""
        asked.append((NOTE, (each.played_at, state, each.table_id, each.number)))
        if each.why:
            of_it = (each.why, list(each.jackpots), each.chips, each.total, each.played_at, each.at)
            asked.append((KEEP, (each.table_id, each.number, *of_it)))
    return asked
