"""What the drill's controllers and signs remember: kept in their own memory, and compared with the books at the end."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from decimal import Decimal
from typing import Any


@dataclass(frozen=True, slots=True)
class AcknowledgedCoinIn:
    """One coin-in that the server acknowledged. The times are the machine's monotonic clock."""

    round: int
    seats: str
    sent_at: float
    answered_at: float
    repeat: bool


@dataclass(slots=True)
class TableJournal:
    """Everything one controller said and heard."""

    told: list[AcknowledgedCoinIn] = field(default_factory=list)
    ended: list[int] = field(default_factory=list)
    in_the_air: list[tuple[int, str]] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    forgotten: list[str] = field(default_factory=list)
    unequal: list[str] = field(default_factory=list)
    connections: int = 0

    def plain(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def of(cls, plain: dict[str, Any]) -> TableJournal:
        told = [AcknowledgedCoinIn(**each) for each in plain.pop("told")]
        in_the_air = [(number, seats) for number, seats in plain.pop("in_the_air")]
        return cls(told=told, in_the_air=in_the_air, **plain)


@dataclass(slots=True)
class SignJournal:
    """Everything one sign showed, by meter: the newest figure, and each that it should not have been told."""

    shown: dict[str, tuple[int, str]] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    figures: int = 0
    resumed: int = 0

    def show(self, code: str, version: int, amount: str, reason: str | None) -> None:
        """Notes a figure; a lower one needs a reason and a higher version, an older version is never heard."""
        before = self.shown.get(code)
        if before is not None:
            if version < before[0]:
                self.wrong.append(f"{code}: version {version} after {before[0]}")
            if Decimal(amount) < Decimal(before[1]) and (not reason or version <= before[0]):
                self.wrong.append(f"{code}: {amount} after {before[1]} without a reason")
        self.shown[code] = version, amount
        self.figures += 1

    def plain(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def of(cls, plain: dict[str, Any]) -> SignJournal:
        shown = {code: (version, amount) for code, (version, amount) in plain.pop("shown").items()}
        return cls(shown=shown, **plain)


@dataclass(slots=True)
class Journals:
    """All of a drill's, as the load process leaves them."""

    tables: dict[str, TableJournal] = field(default_factory=dict)
    signs: dict[str, SignJournal] = field(default_factory=dict)
    figures: dict[str, dict[str, str]] = field(default_factory=dict)

    def plain(self) -> dict[str, Any]:
        return {
            "tables": {code: journal.plain() for code, journal in self.tables.items()},
            "signs": {code: journal.plain() for code, journal in self.signs.items()},
            "figures": self.figures,
        }

    @classmethod
    def of(cls, plain: dict[str, Any]) -> Journals:
        return cls(
            {code: TableJournal.of(journal) for code, journal in plain["tables"].items()},
            {code: SignJournal.of(journal) for code, journal in plain["signs"].items()},
            plain["figures"],
        )
