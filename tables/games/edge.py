"""What a pay table costs and gives, exact: edge, hit frequency, spread, each line's part, and the printed figures."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import assert_never

from jackpot.money import UNIT, Money
from jackpot.terms.rules.paytable import ForOne, PartOfMeter
from tables.games.packs import BetTable, PrintedLine, ToOne


class MeterNeeded(ValueError):
    """A table that pays parts of a meter has an edge only at a meter."""


@dataclass(frozen=True, slots=True)
class LinePart:
    """One line's share: how often, what it nets for one unit, and what it adds to the return."""

    hand: str
    name: str
    pays: str
    chance: Fraction
    net: Fraction
    returns: Fraction


@dataclass(frozen=True, slots=True)
class Published:
    """A printed figure beside ours, in percent, with the reason where they differ."""

    what: str
    printed: str
    exact: Fraction
    reproduces: bool
    explanation: str


@dataclass(frozen=True, slots=True)
class Analysis:
    """One table for one unit of its wager."""

    bet: str
    code: str
    digest: str
    lines: tuple[LinePart, ...]
    published: tuple[Published, ...]

    @property
    def hit_frequency(self) -> Fraction:
        return sum((line.chance for line in self.lines), Fraction(0))

    @property
    def house_edge(self) -> Fraction:
        """The expected loss for one unit wagered."""
        return (1 - self.hit_frequency) - sum((line.chance * line.net for line in self.lines), Fraction(0))

    @property
    def edge_percent(self) -> str:
        return percent(self.house_edge, 6)

    @property
    def variance(self) -> Fraction:
        # Not hitting nets minus one, whose square is one.
        squares = sum((line.chance * line.net**2 for line in self.lines), 1 - self.hit_frequency)
        return squares - self.house_edge**2

    @property
    def standard_deviation(self) -> float:
        return sqrt(self.variance)


def analyse(
    table: BetTable, chances: Sequence[Fraction], meter: Money | None = None, wager: Money | None = None
) -> Analysis:
    """The exact analysis from the chance of each line; a table with parts is analysed at a meter and a wager."""
    lines = tuple(_line_part(line, chance, meter, wager) for line, chance in zip(table.lines, chances, strict=True))
    bare = Analysis(table.bet, table.code, table.digest, lines, ())
    return Analysis(table.bet, table.code, table.digest, lines, _beside_published(table, bare))


def percent(exact: Fraction, digits: int) -> str:
    """A fraction as a percentage, rounded half up at the last digit shown."""
    scaled = abs(exact) * 100 * 10**digits
    # In whole numbers: a binary float would turn some halves the other way, and printed figures are compared as text.
    rounded = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
    whole, rest = divmod(rounded, 10**digits)
    sign = "-" if exact < 0 and rounded else ""
    return f"{sign}{whole}.{rest:0{digits}}" if digits else f"{sign}{whole}"


def _line_part(line: PrintedLine, chance: Fraction, meter: Money | None, wager: Money | None) -> LinePart:
    net = net_of(line, meter, wager)
    return LinePart(line.hand, line.name, str(line.pays), chance, net, chance * (net + 1))


def net_of(line: PrintedLine, meter: Money | None, wager: Money | None) -> Fraction:
    """What a line nets for one unit of the wager."""
    match line.pays:
        case ToOne(times):
            return times
        case ForOne(times):
            # “For one” keeps the wager, so one of the number is the player's own.
            return Fraction(times - 1)
        case PartOfMeter(part):
            if meter is None or wager is None:
                raise MeterNeeded(f"{line.name} pays {line.pays} of the meter; say at which meter and for which wager.")
            return Fraction(meter.units, UNIT) * part / Fraction(wager.units, UNIT) - 1
        case _:
            assert_never(line.pays)


def _beside_published(table: BetTable, exact: Analysis) -> tuple[Published, ...]:
    figures = {"house_edge_percent": exact.house_edge, "hit_frequency_percent": exact.hit_frequency}
    return tuple(
        beside(what, table.published[what], figure, table.published.get("explanation", ""))
        for what, figure in figures.items()
        if what in table.published
    )


def beside(what: str, printed: str, exact: Fraction, explanation: str) -> Published:
    """A printed percentage reproduces when ours, rounded to its digits, is the same text."""
    digits = len(printed.partition(".")[2])
    reproduces = percent(exact, digits) == printed
    return Published(what, printed, exact, reproduces, "" if reproduces else explanation)
