"""How many hits so many coin-ins may bring: the exact binomial, added up from its middle."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import Final

WITHIN: Final = (90, 95, 99)
FEW: Final = 5
NOTHING: Final = 1e-22  # of the highest probability: what is left out never moves a band


@dataclass(frozen=True, slots=True)
class HitBand:
    """What was expected, between what hits lie so many times of a hundred, and how unusual the number seen is."""

    coin_ins: int
    chance: Fraction
    seen: int
    bands: Mapping[int, tuple[int, int]]
    as_few: float
    as_many: float

    @property
    def expected(self) -> Fraction:
        return self.coin_ins * self.chance

    @property
    def few(self) -> bool:
        """Fewer than five expected: a band says little yet."""
        return self.expected < FEW

    @property
    def outside(self) -> int:
        """The widest band that the hits lie outside of; nothing where they lie within all."""
        return max(
            (within for within, (least, most) in self.bands.items() if not least <= self.seen <= most), default=0
        )


def hit_band(coin_ins: int, chance: Fraction, seen: int) -> HitBand:
    """The band of a binomial: each side leaves out at most half of what the band may miss."""
    first, weights = _binomial(coin_ins, chance)
    until = list(accumulate(weights))
    whole = until[-1]
    bands = {within: _between(first, until, whole * (100 - within) / 200) for within in WITHIN}
    place = seen - first
    as_few = 0.0 if place < 0 else until[min(place, len(until) - 1)] / whole
    return HitBand(coin_ins, chance, seen, bands, as_few, sum(weights[max(place, 0) :]) / whole)


def _between(first: int, until: list[float], left_out: float) -> tuple[int, int]:
    least = next(place for place, total in enumerate(until) if total > left_out)
    most = next(place for place, total in enumerate(until) if total >= until[-1] - left_out)
    return first + least, first + most


def _binomial(coin_ins: int, chance: Fraction) -> tuple[int, list[float]]:
    """Weights of every number of hits that matters, from the lowest up, the most likely one weighing 1."""
    if not 0 <= chance <= 1 or coin_ins < 0:
        raise ValueError("A chance lies between 0 and 1, and coin-ins are counted from 0.")
    if chance in (0, 1) or not coin_ins:
        return int(coin_ins * chance), [1.0]
    odds = chance.numerator / (chance.denominator - chance.numerator)
    # From the likeliest number outwards: no hit in millions of coin-ins is too unlikely for a float to begin with.
    middle = min((coin_ins + 1) * chance.numerator // chance.denominator, coin_ins)
    up, weight, hits = [1.0], 1.0, middle
    while hits < coin_ins and weight > NOTHING:
        weight *= (coin_ins - hits) / (hits + 1) * odds
        hits += 1
        up.append(weight)
    down, weight, hits = [], 1.0, middle
    while hits > 0 and weight > NOTHING:
        weight *= hits / (coin_ins - hits + 1) / odds
        hits -= 1
        down.append(weight)
    return hits, [*reversed(down), *up]
