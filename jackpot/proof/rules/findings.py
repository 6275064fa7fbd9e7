"""What a proof finds: every row that disagrees, with what was expected and what was found."""

from __future__ import annotations

import enum
from collections import Counter
from dataclasses import dataclass, field
from typing import Final

LISTED_PER_KIND: Final = 100


class Promise(enum.StrEnum):
    """The promises of the books, each by the word under which a breach is listed."""

    GAP = "gap"
    SEAL = "seal"
    SUM = "sum"
    BALANCE = "balance"
    JACKPOT = "jackpot row"
    VERSION = "version"
    RULE = "rule"
    CORRECTION = "correction"
    TIME = "time"
    DAY = "day"
    PUBLISHED = "published head"
    ROUND = "round"
    HAND = "banked hand"
    WIN = "win"
    SHOWN = "shown"
    AWARD = "award"
    TRANSFER = "transfer"
    ADJUSTMENT = "adjustment"
    PAYMENT = "payment"
    EVIDENCE = "evidence"
    TRAIL = "trail"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class ProofFinding:
    """One row that disagrees."""

    kind: Promise
    where: str
    what: str
    expected: str
    found: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}: expected {self.expected}, found {self.found}"

    def plain(self) -> dict[str, str]:
        return {
            "kind": self.kind.value, "where": self.where, "what": self.what,
            "expected": self.expected, "found": self.found,
        }  # fmt: skip


@dataclass(slots=True)
class Findings:
    """Counts everything, lists the first of each kind: a thousand rows of one sort say no more than a hundred."""

    limit: int = LISTED_PER_KIND
    counts: Counter[Promise] = field(default_factory=Counter)
    listed: list[ProofFinding] = field(default_factory=list)

    def add(self, kind: Promise, where: str, what: str, expected: object, found: object) -> None:
        self.counts[kind] += 1
        if self.counts[kind] <= self.limit:
            self.listed.append(ProofFinding(kind, where, what, str(expected), str(found)))

    @property
    def total(self) -> int:
        return self.counts.total()

    def __bool__(self) -> bool:
        return self.total > 0

    def unlisted(self) -> dict[str, int]:
        """How many of each kind are counted but not listed."""
        return {kind.value: count - self.limit for kind, count in self.counts.items() if count > self.limit}
