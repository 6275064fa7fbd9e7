"""The last entry of every jackpot: what a copy of the books must agree on."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import psycopg

LAST_ENTRIES = """
SELECT jackpot.code, last.seq, last.meter_after, encode(last.seal, 'hex')
FROM jackpot_jackpot AS jackpot
CROSS JOIN LATERAL (
    SELECT seq, meter_after, seal FROM jackpot_entry WHERE jackpot_id = jackpot.id ORDER BY seq DESC LIMIT 1
) AS last
ORDER BY jackpot.code
"""


@dataclass(frozen=True)
class LastEntry:
    """Where one jackpot's books end."""

    jackpot: str
    seq: int
    meter: str
    seal: str

    def __str__(self) -> str:
        return f"{self.jackpot}: entry {self.seq}, meter {self.meter}, seal {self.seal[:12]}…"


def last_entries(connection: psycopg.Connection[Any]) -> list[LastEntry]:
    rows = connection.execute(LAST_ENTRIES)
    return [LastEntry(code, seq, f"{meter:f}", seal) for code, seq, meter, seal in rows]


def heads_beside(dump: Path) -> Path:
    return dump.with_name(f"{dump.name}.heads.json")


def write_heads(path: Path, heads: Iterable[LastEntry]) -> None:
    path.write_text(json.dumps([asdict(head) for head in heads], indent=1))


def read_heads(path: Path) -> list[LastEntry] | None:
    return [LastEntry(**head) for head in json.loads(path.read_text())] if path.exists() else None
