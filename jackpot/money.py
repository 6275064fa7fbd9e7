"""Money, exact to eight decimals. The only module that rounds."""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Final

DECIMALS: Final = 8
UNIT: Final = 10**DECIMALS
MILLION: Final = 10**6
LARGEST: Final = 10 ** (20 - DECIMALS) * UNIT  # what numeric(20, 8) can hold


# As everybody writes a number. Decimal itself also reads "1e400", "1_0" and the digits of forty scripts.
_PLAIN: Final = re.compile(r"-?[0-9]{1,40}(?:\.[0-9]{1,40})?", re.ASCII)
_FAULTS: Final = (
    (re.compile(r"[0-9.][eE][-+]?[0-9]", re.ASCII), "write every digit instead of an exponent"),
    (re.compile(r"(?![0-9])\d|[½-¾⅐-⅞²³¹]"), "use the digits 0 to 9"),
    (re.compile(r"[0-9][_'’][0-9]", re.ASCII), "put nothing between the digits"),
    (re.compile(r"[0-9]\s*/\s*[0-9]", re.ASCII), "write decimals instead of a fraction"),
    (re.compile(r"[0-9],[0-9]", re.ASCII), "put a point before the decimals"),
)


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
        read = _number(amount, "an amount", "20001.40")
        scaled = read.scaleb(DECIMALS)
        if not scaled.is_finite() or abs(scaled) >= LARGEST:
            raise NotAnAmount(f"{quoted(amount)} is too large or not a number. Amounts go up to 999,999,999,999.99.")
        if Decimal(int(scaled)).scaleb(-DECIMALS) != read:  # scaleb itself rounds to 28 digits
            raise NotAnAmount(f"{quoted(amount)} has more than eight decimals. Write it like 20001.40.")
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
        # Toward zero on both sides: `//` alone would show a cent more than is lacking.
        cut = abs(self.units) // step * step
        return Money(cut if self.units >= 0 else -cut)

    def is_whole(self, digits: int = 2) -> bool:
        step: int = 10 ** (DECIMALS - digits)
        return self.units % step == 0


ZERO: Final = Money(0)


STORED_ZERO: Final = "0.00000000"


def text_of_units(units: int) -> str:
    """ "20001.40", "10000.5199": two decimals at least, never a trailing zero beyond them."""
    return text_of_stored_text(stored_text(units))


def text_of_stored_text(stored: str) -> str:
    """The same for an amount that is spelled with eight decimals already."""
    whole = stored[:-6]
    return whole + stored[-6:].rstrip("0")


def texts_of(*amounts: Money) -> tuple[str, ...]:
    """Several amounts at once, each as `str` writes it."""
    return tuple(text_of_units(amount.units) for amount in amounts)


def texts_of_stored(*stored: Decimal) -> tuple[str, ...]:
    """The same for amounts that the database returned."""
    return tuple(text_of_units(units_of(amount)) for amount in stored)


def decimals_of(*amounts: Money) -> tuple[Decimal, ...]:
    """Several amounts at once, each as the database keeps it."""
    return tuple(amount.decimal() for amount in amounts)


def stored_text(units: int) -> str:
    """The eight-decimal text that seals and the database use: always the same for the same amount."""
    digits = "%09d" % units if units >= 0 else "%010d" % units  # a third of what dividing costs  # noqa: UP031
    return f"{digits[:-8]}.{digits[-8:]}"


def stored_texts(units: Iterable[int]) -> tuple[str, ...]:
    """The same for many amounts; most of a movement is zero."""
    return tuple([stored_text(each) if each else STORED_ZERO for each in units])


def texts_moved(before: Iterable[str], by: Iterable[int], after: Iterable[int]) -> tuple[str, ...]:
    """Texts of amounts that moved: what did not move is spelled as it was before."""
    return tuple([stored_text(now) if moved else text for text, moved, now in zip(before, by, after, strict=True)])


def units_of(stored: Decimal) -> int:
    """Units of an amount that the database returned; its columns hold eight decimals."""
    return int(stored.scaleb(DECIMALS))


def units_of_each(stored: Iterable[Decimal]) -> list[int]:
    """The same for many amounts of one row."""
    return [units_of(amount) for amount in stored]


def millionths_of(percent: str | int | Decimal) -> int:
    """A rate as people write it ("17.33" percent) in millionths (173,300)."""
    read = _number(percent, "a percentage", "17.33")
    scaled = read.scaleb(4)
    if not scaled.is_finite() or abs(scaled) > LARGEST or Decimal(int(scaled)).scaleb(-4) != read:
        raise NotAnAmount(f"{quoted(percent)} has more than four decimals of a percent. Write it like 17.33.")
    return int(scaled)


def _number(written: str | int | Decimal, kind: str, example: str) -> Decimal:
    """What was written, exactly; a text in plain digits only. A binary fraction is never what was meant."""
    if isinstance(written, bool | float):
        raise NotAnAmount(f"{quoted(written)} is not {kind} in plain digits. Write it as text, like “{example}”.")
    if isinstance(written, str) and not _PLAIN.fullmatch(written):
        cure = next((cure for fault, cure in _FAULTS if fault.search(written)), "")
        raise NotAnAmount(f"{quoted(written)} is not {kind}{cure and ': '}{cure}. Write it like {example}.")
    try:
        return Decimal(written)
    except (ArithmeticError, TypeError, ValueError):
        raise NotAnAmount(f"{quoted(written)} is not {kind}. Write it like {example}.") from None


def quoted(written: object) -> str:
    """What was read, short enough to say again; a number of thousands of digits is not even turned into text."""
    if isinstance(written, int) and written.bit_length() > 200:
        return "a number of more than sixty digits"
    text = written if isinstance(written, str) else "nothing" if written is None else str(written)[:200]
    return f"“{text[:40]}{'…' if len(text) > 40 else ''}”"
