"""A par sheet: what each line of a pay table does, counted exactly, and how far a house's hold may wander."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm, sqrt
from typing import Any, Final

from tables.games.edge import percent
from tables.games.packs import seal

DIGITS: Final = 6
# Two-sided normal quantiles to ten digits, as every table of them prints.
WITHIN: Final[Mapping[int, float]] = {90: 1.6448536270, 95: 1.9599639845, 99: 2.5758293035}
FEW: Final = 5  # expected hits below which a band by the normal curve says little
LARGEST_COIN_INS: Final = 10**10


class NotASheet(ValueError):
    """Chances that are no whole numbers of the deals, or figures that do not add up."""


@dataclass(frozen=True, slots=True)
class ParRow:
    """One way a wager ends: in how many deals, and what it nets for one unit of the wager."""

    hand: str
    name: str
    pays: str
    combinations: int
    net: Fraction


@dataclass(frozen=True, slots=True)
class HoldBand:
    """Between what the hold lies in so many of a hundred such stretches, as parts of the coin-in."""

    within: int
    least: float
    most: float


@dataclass(frozen=True)
class ParSheet:
    """One pay table's sheet. Rows and what is left (lost whole) are all deals; nothing else can happen."""

    game: str
    bet: str
    code: str
    title: str
    table_digest: str
    program: str
    unit: str
    deals: int
    rows: tuple[ParRow, ...]
    lost: int
    rules: Mapping[str, str]
    notes: tuple[str, ...] = ()
    paid: tuple[ParRow, ...] = ()  # lines within the rows: how often the Blind is paid

    def __post_init__(self) -> None:
        # Counted to the last deal: a sheet that misses one is a wrong sheet, not a rounded one.
        if sum(row.combinations for row in self.rows) + self.lost != self.deals or self.lost < 0:
            raise NotASheet("The rows and what is lost are not all deals.")

    def chance(self, row: ParRow) -> Fraction:
        return Fraction(row.combinations, self.deals)

    def returned(self, row: ParRow) -> Fraction:
        """What the row adds to the return: its chance times what comes back, the stake included."""
        return self.chance(row) * (row.net + 1)

    @cached_property
    def player_return(self) -> Fraction:
        return sum((self.returned(row) for row in self.rows), Fraction(0))

    @cached_property
    def house_edge(self) -> Fraction:
        return 1 - self.player_return

    @cached_property
    def hit_frequency(self) -> Fraction:
        """How often the player wins something."""
        return Fraction(sum(row.combinations for row in self.rows if row.net > 0), self.deals)

    @cached_property
    def variance(self) -> Fraction:
        squares = sum((row.combinations * row.net**2 for row in self.rows), Fraction(self.lost))
        return squares / self.deals - self.house_edge**2

    @property
    def standard_deviation(self) -> float:
        return sqrt(self.variance)

    @property
    def volatility_index(self) -> float:
        """By the usual definition the half width of the 90 % band for one wager."""
        return WITHIN[90] * self.standard_deviation

    def bands(self, coin_ins: int) -> tuple[HoldBand, ...]:
        """The hold over so many wagers by the normal curve."""
        mean, spread = self.house_edge.numerator / self.house_edge.denominator, self.standard_deviation / sqrt(coin_ins)
        return tuple(HoldBand(within, mean - z * spread, mean + z * spread) for within, z in WITHIN.items())

    def rare(self, coin_ins: int) -> tuple[ParRow, ...]:
        """Rows that are expected fewer than five times in so many wagers: there the hold jumps."""
        return tuple(row for row in self.rows if row.combinations and self.chance(row) * coin_ins < FEW)

    @cached_property
    def plain(self) -> dict[str, Any]:
        """All that is sealed: exact numbers as text, no moment and no person. A sheet made again is the same."""
        return {
            "kind": "par sheet", "game": self.game, "bet": self.bet, "pay_table": self.code, "title": self.title,
            "pay_table_digest": self.table_digest, "program": self.program, "unit": self.unit,
            "rules": dict(self.rules), "combinations": str(self.deals), "lost": str(self.lost),
            "rows": [self._row(row) for row in self.rows], "paid": [self._row(row) for row in self.paid],
            "hit_frequency": str(self.hit_frequency), "player_return": str(self.player_return),
            "house_edge": str(self.house_edge), "house_edge_percent": percent(self.house_edge, DIGITS),
            "variance": str(self.variance), "standard_deviation": f"{self.standard_deviation:.6f}",
            "volatility_index": f"{self.volatility_index:.6f}", "notes": list(self.notes),
        }  # fmt: skip

    @cached_property
    def digest(self) -> str:
        return seal(self.plain)

    def _row(self, row: ParRow) -> dict[str, Any]:
        chance, back = self.chance(row), self.returned(row)
        return {
            "hand": row.hand, "name": row.name, "pays": row.pays, "combinations": str(row.combinations),
            "chance": str(chance), "chance_percent": percent(chance, DIGITS + 2), "one_in": one_in(chance),
            "net": str(row.net), "returns": str(back), "returns_percent": percent(back, DIGITS),
        }  # fmt: skip


def one_in(chance: Fraction) -> str:
    """ "1 in so many", to two decimals, half up; nothing where it never comes."""
    if not chance:
        return ""
    cents = (200 * chance.denominator + chance.numerator) // (2 * chance.numerator)
    return f"{cents // 100:,}.{cents % 100:02d}"


def whole_deals(chances: Sequence[Fraction], deals: int = 0) -> tuple[int, tuple[int, ...]]:
    """Chances as whole numbers of deals; without a known number of deals the least that holds them all."""
    over = deals or lcm(*(chance.denominator for chance in chances))
    counts = [chance * over for chance in chances]
    if any(count.denominator != 1 for count in counts):
        raise NotASheet(f"These chances are no whole numbers of {over:,} deals.")
    return over, tuple(int(count) for count in counts)
