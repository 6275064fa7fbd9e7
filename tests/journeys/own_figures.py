"""Figures by a seed for asks that are played again, and what they come to: plain whole numbers, nothing of the product.

`FAIRMETER_ASKS_SEED=7` plays the same asks with seven's figures.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import Final

SEED: Final = os.environ.get("FAIRMETER_ASKS_SEED", "1")
UNIT, CENT = 10**8, 10**6


@dataclass
class Meter:
    """One progressive over chips of 1.00, with rates whose chips leave parts of a cent."""

    meter: int
    reserve: int
    seed: int
    rate: Fraction
    reserve_rate: Fraction
    chance: Random = field(repr=False, default_factory=Random)

    @classmethod
    def of(cls, ask: str) -> Meter:
        chance = Random(f"{SEED}/{ask}")
        seed = chance.randint(5_000, 12_000) * UNIT
        return cls(
            seed + chance.randint(1, 900_000) * CENT, chance.randint(0, 90_000) * CENT, seed,
            Fraction(chance.randint(100_001, 799_999), 10_000), Fraction(chance.randint(10_001, 69_999), 10_000),
            chance,
        )  # fmt: skip

    def terms(self) -> dict[str, str]:
        """As people write them."""
        return {
            "meter": spoken(self.meter), "reserve": spoken(self.reserve), "seed": spoken(self.seed),
            "rate": f"{float(self.rate):.4f}", "reserve_rate": f"{float(self.reserve_rate):.4f}",
        }  # fmt: skip

    def seats(self, *, least: int = 1, but: tuple[int, ...] = ()) -> list[int]:
        free = [seat for seat in range(1, 8) if seat not in but]
        return sorted(self.chance.sample(free, self.chance.randint(least, len(free))))

    def counts(self, seats: list[int]) -> None:
        raised, kept = (len(seats) * UNIT * rate / 100 for rate in (self.rate, self.reserve_rate))
        assert raised.denominator == kept.denominator == 1, "no chip leaves less than a unit"
        self.meter, self.reserve = self.meter + raised.numerator, self.reserve + kept.numerator

    def is_won(self) -> str:
        """All that the sign shows; the next meter is the seed, the reserve and what was less than a cent."""
        won = self.meter // CENT * CENT
        self.meter, self.reserve = self.meter - won + self.seed + self.reserve, 0
        return spoken(won)

    @property
    def shown(self) -> str:
        return spoken(self.meter // CENT * CENT)

    @property
    def exact(self) -> str:
        """With every part of a cent, two decimals at least."""
        whole, rest = divmod(self.meter, UNIT)
        return f"{whole}.{f'{rest:08d}'.rstrip('0').ljust(2, '0')}"

    @property
    def stands(self) -> tuple[int, int]:
        return self.meter, self.reserve


def spoken(amount: int) -> str:
    return f"{amount // UNIT}.{amount % UNIT // CENT:02d}"
