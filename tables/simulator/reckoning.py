"""Does the meter stand where the acknowledged coin-ins put it? Exact decimals, no tolerance."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class Terms:
    """What one chip adds to a jackpot's meter, and how high the meter may stand."""

    per_chip: Decimal
    limit: Decimal | None = None


@dataclass(frozen=True, slots=True)
class Reckoned:
    """One jackpot's reconciliation."""

    jackpot: str
    before: Decimal
    chips: int
    expected: Decimal
    after: Decimal
    awards: Decimal = Decimal(0)

    def with_awards(self, moved: Decimal) -> Reckoned:
        """Awards take from a meter and their reset fills it; `moved` is what both did to it."""
        return replace(self, expected=self.expected + moved, awards=moved)

    @property
    def difference(self) -> Decimal:
        return self.after - self.expected

    @property
    def agrees(self) -> bool:
        return self.difference == 0


def reckon(
    before: Mapping[str, str], after: Mapping[str, str], chips: Mapping[str, int], terms: Mapping[str, Terms]
) -> list[Reckoned]:
    """Per jackpot: chips acknowledged times the part of a chip, against what the meter did."""
    return [
        Reckoned(code, Decimal(before[code]), chips.get(code, 0), expected, Decimal(after[code]))
        for code in sorted(before)
        for expected in [_expected(Decimal(before[code]), chips.get(code, 0), terms[code])]
    ]


def _expected(before: Decimal, chips: int, terms: Terms) -> Decimal:
    raised = before + chips * terms.per_chip
    return raised if terms.limit is None else min(raised, max(before, terms.limit))


def chips_by_jackpot(tables: Iterable[tuple[int, Iterable[str]]]) -> dict[str, int]:
    """A chip feeds every level of its table."""
    counted: dict[str, int] = {}
    for chips, jackpots in tables:
        for code in jackpots:
            counted[code] = counted.get(code, 0) + chips
    return counted
