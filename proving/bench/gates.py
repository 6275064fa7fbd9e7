"""After the run: do the books hold exactly what was acknowledged? Asked in our own SQL, beside the product's proof."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

import psycopg

from proving.bench.scene import LINKED

ROUNDS: Final = b"""
SELECT count(*), count(*) FILTER (WHERE r.state = 'ended')
  FROM tables_round r JOIN tables_table t ON t.id = r.table_id WHERE starts_with(t.code, %s)
"""
ENTRIES: Final = b"""
SELECT count(*) FILTER (WHERE e.kind = 'coin_in'),
       count(DISTINCT (e.table_code, e.round_number)) FILTER (WHERE e.kind = 'coin_in'),
       count(*), max(e.seq), j.last_seq, sum(e.meter), j.meter
  FROM jackpot_jackpot j JOIN jackpot_entry e ON e.jackpot_id = j.id WHERE j.code = %s GROUP BY j.id
"""


@dataclass(slots=True)
class Acknowledged:
    """What clients were told over all windows, warm-ups and endings included."""

    coin_ins: int = 0
    ends: int = 0
    refused: int = 0
    lost: int = 0
    why: str = ""

    def add(self, report: dict[str, Any]) -> None:
        self.coin_ins += report["all_coin_ins"]
        self.ends += report["all_ends"]
        self.refused += report["refused"]
        self.lost += report["lost"] + report["unfinished"]
        self.why = self.why or report["first_refusal"]


@dataclass(frozen=True, slots=True)
class Gate:
    """One thing that must be so, with no tolerance."""

    name: str
    expected: str
    found: str

    @property
    def holds(self) -> bool:
        return self.expected == self.found


def gate(name: str, expected: object, found: object) -> Gate:
    return Gate(name, str(expected), str(found))


def checked(connection: psycopg.Connection[Any], told: dict[str, Acknowledged]) -> Iterator[Gate]:
    """`told` is by the letter of the tables."""
    for letter, said in told.items():
        yield gate(f"{letter}: refused messages", 0, said.refused if not said.why else f"{said.refused} ({said.why})")
        yield gate(f"{letter}: messages without an answer", 0, said.lost)
        rounds, ended = _row(connection, ROUNDS, f"{letter}-")
        yield gate(f"{letter}: rounds = acknowledged coin-ins", said.coin_ins, rounds)
        yield gate(f"{letter}: ended rounds = acknowledged ends", said.ends, ended)
        for code in LINKED[letter]:
            yield from _books(connection, code, said.coin_ins)


def _books(connection: psycopg.Connection[Any], code: str, coin_ins: int) -> Iterator[Gate]:
    counted, named, lines, highest, head, moved, meter = _row(connection, ENTRIES, code)
    yield gate(f"{code}: entries = acknowledged coin-ins", coin_ins, counted)
    yield gate(f"{code}: every round once", counted, named)
    yield gate(f"{code}: numbers without a gap", (lines, lines), (highest, head))
    yield gate(f"{code}: meter = sum of entries", Decimal(moved), Decimal(meter))


def _row(connection: psycopg.Connection[Any], question: bytes, value: str) -> tuple[Any, ...]:
    row = connection.execute(question, [value]).fetchone()
    assert row is not None, "an aggregate has one row"
    return tuple(row)
