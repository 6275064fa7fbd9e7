"""Which round of which table: what a hit, an entry and every act at a table name."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RoundRef:
    """A round of a table, as the books name it."""

    table_code: str
    round_number: int

    def __str__(self) -> str:
        return f"{self.table_code}/{self.round_number}"
