"""Money, exact to eight decimals. The only module that rounds."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Final

DECIMALS: Final = 8
UNIT: Final = 10**DECIMALS
MILLION: Final = 10**6
LARGEST: Final = 10 ** (20 - DECIMALS) * UNIT  # what numeric(20, 8) can hold


class NotAnAmount(ValueError):
    """A text that is no exact amount; the message says what was read and what is wanted."""


class Rounding(enum.Enum):
    """How an award that falls between two cents is settled."""

    HALF_UP = "half_up"
    DOWN = "down"


@dataclass(frozen=True, slots=True, order=True)
class Money:
    """An exact amount, held as whole units of 0.00000001."""

    units: int

    @classmethod
    def of(cls, amount: str | int | Decimal) -> Money:
        """Reads "20001.40", 20001 or a Decimal; anything it cannot hold exactly is refused."""
        try:
            scaled = Decimal(amount).scaleb(DECIMALS)
        except (ArithmeticError, TypeError, ValueError):
            raise NotAnAmount(f"“{amount}” is not an amount. Write it like 20001.40.") from None
        if not scaled.is_finite() or abs(scaled) >= LARGEST:
            raise NotAnAmount(f"“{amount}” is too large or not a number. Amounts go up to 999,999,999,999.99.")
        if Decimal(int(scaled)).scaleb(-DECIMALS) != Decimal(amount):  # scaleb itself rounds to 28 digits
            raise NotAnAmount(f"“{amount}” has more than eight decimals. Write it like 20001.40.")
        return cls(int(scaled))

    def __add__(self, other: Money) -> Money:
        return Money(self.units + other.units)

    def __sub__(self, other: Money) -> Money:
        return Money(self.units - other.units)

    def __neg__(self) -> Money:
        return Money(-self.units)

    def __mul__(self, times: int) -> Money:
        return Money(self.units * times)

    __rmul__ = __mul__

    def __bool__(self) -> bool:
        return self.units != 0

    def __str__(self) -> str:
        return text_of_units(self.units)

    def decimal(self) -> Decimal:
        return Decimal(self.units).scaleb(-DECIMALS)

    def at_rate(self, millionths: int) -> Money:
        """A contribution. Whole cents at a rate in millionths are exact, so a coin-in never rounds."""
        product = self.units * millionths
        assert product % MILLION == 0, "a wager of whole cents at a rate in millionths is exact"
        return Money(product // MILLION)

    def share(self, part: Fraction, rounding: Rounding, digits: int = 2) -> Money:
        """An award: part of the basis, rounded once to what can be paid, by the jackpot's declared rule."""
        step = 10 ** (DECIMALS - digits)
        steps = Fraction(self.units) * part / step
        whole = steps.numerator // steps.denominator
        if rounding is Rounding.HALF_UP and steps - whole >= Fraction(1, 2):
            whole += 1
        return Money(whole * step)

    def shown(self, digits: int = 2) -> Money:
        """What a sign may promise: cut to the cent, the rest stays in the meter."""
        step = 10 ** (DECIMALS - digits)
        cut = abs(self.units) // step * step
        return Money(cut if self.units >= 0 else -cut)

    def is_whole(self, digits: int = 2) -> bool:
        step: int = 10 ** (DECIMALS - digits)
        return self.units % step == 0


ZERO: Final = Money(0)


def text_of_units(units: int) -> str:
    """ "20001.40", "10000.5199": two decimals at least, never a trailing zero beyond them."""
    whole, rest = divmod(abs(units), UNIT)
    decimals = f"{rest:08d}".rstrip("0").ljust(2, "0")
    return f"{'-' if units < 0 else ''}{whole}.{decimals}"


def stored_text(units: int) -> str:
    """The eight-decimal text that seals and the database use: always the same for the same amount."""
    whole, rest = divmod(abs(units), UNIT)
    return f"{'-' if units < 0 else ''}{whole}.{rest:08d}"


def units_of(stored: Decimal) -> int:
    """Units of an amount that the database returned; its columns hold eight decimals."""
    return int(stored.scaleb(DECIMALS))


def millionths_of(percent: str | int | Decimal) -> int:
    """A rate as people write it ("17.33" percent) in millionths (173,300)."""
    try:
        scaled = Decimal(percent).scaleb(4)
    except (ArithmeticError, TypeError, ValueError):
        raise NotAnAmount(f"“{percent}” is not a percentage. Write it like 17.33.") from None
    if not scaled.is_finite() or abs(scaled) > LARGEST or Decimal(int(scaled)).scaleb(-4) != Decimal(percent):
        raise NotAnAmount(f"“{percent}” has more than four decimals of a percent. Write it like 17.33.")
    return int(scaled)
