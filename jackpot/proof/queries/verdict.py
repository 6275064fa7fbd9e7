"""What a proof says at its end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from jackpot.books.rules.movement import Balances
from jackpot.money import Money
from jackpot.proof.rules.findings import Findings

Progress = Callable[[str, int, int], None]
"""Told now and then: what is being read, how much of it is done, and how much there is."""


@dataclass(frozen=True, slots=True)
class Proven:
    """One jackpot's books, read to their end."""

    code: str
    entries: int
    last_seq: int
    seal: str
    balances: Balances
    findings: int

    def __str__(self) -> str:
        if self.findings:
            rows = "1 finding" if self.findings == 1 else f"{self.findings:,} findings"
            return f"{self.code}: {self.entries:,} entries, {rows}. These books do not prove."
        meter = Money(self.balances.meter)
        count = "1 entry" if self.entries == 1 else f"{self.entries:,} entries"
        return f"{self.code}: {count}, proven from the first cent. Meter {spoken(meter)} = sum of entries."

    def plain(self) -> dict[str, Any]:
        return {
            "jackpot": self.code, "entries": self.entries, "last_seq": self.last_seq, "seal": self.seal,
            "meter": str(Money(self.balances.meter)), "findings": self.findings,
        }  # fmt: skip


@dataclass(slots=True)
class ProofReport:
    """Everything a proof read and everything it found."""

    findings: Findings = field(default_factory=Findings)
    jackpots: list[Proven] = field(default_factory=list)
    rounds: int = 0
    lines: int = 0  # of the trail

    @property
    def holds(self) -> bool:
        return not self.findings

    def plain(self) -> dict[str, Any]:
        return {
            "holds": self.holds,
            "jackpots": [proven.plain() for proven in self.jackpots],
            "rounds": self.rounds,
            "findings": [finding.plain() for finding in self.findings.listed],
            "unlisted": self.findings.unlisted(),
        }


def spoken(amount: Money) -> str:
    """20,001.40: an amount for people, with every decimal it has."""
    whole, _, decimals = str(amount).partition(".")
    return f"{int(whole):,}.{decimals}"
