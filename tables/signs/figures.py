"""An amount as the property's people write it, piece by piece, so that a sign can turn each figure like a wheel."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from babel import Locale
from babel.numbers import get_currency_symbol, get_decimal_symbol, get_group_symbol


@dataclass(frozen=True, slots=True)
class Piece:
    """One character: a figure, a mark between figures, or the unit."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Writing:
    """How amounts are written here. The page gets it too, and writes the same without a second opinion."""

    prefix: str
    suffix: str
    group: str
    point: str
    groups: tuple[int, int]

    def written(self, amount: str, digits: int) -> str:
        """ "20001.40" as "$20,001.40"; what lies beyond the currency's digits is cut."""
        whole, _, rest = amount.partition(".")
        cents = self.point + rest.ljust(digits, "0")[:digits] if digits else ""
        return f"{self.prefix}{self._grouped(whole)}{cents}{self.suffix}"

    def pieces(self, amount: str, digits: int) -> list[Piece]:
        # `or None`: where nothing stands behind the figure, minus nothing would cut all of it away.
        inner = self.written(amount, digits)[len(self.prefix) : -len(self.suffix) or None]
        figures = [Piece("wheel" if sign.isdigit() else "mark", sign) for sign in inner]
        return [*_unit(self.prefix), *figures, *_unit(self.suffix)]

    def _grouped(self, whole: str) -> str:
        first, further = self.groups
        parts, whole = [whole[-first:]], whole[:-first]
        while whole:
            parts, whole = [whole[-further:], *parts], whole[:-further]
        return self.group.join(parts)


@cache
def writing(currency: str, locale: str) -> Writing:
    """By the Unicode tables for this currency and place."""
    place = Locale.parse(locale)
    pattern = place.currency_formats["standard"]
    symbol = get_currency_symbol(currency, place)
    prefix, suffix = (side[0].replace("¤", symbol) for side in (pattern.prefix, pattern.suffix))
    group = get_group_symbol(place)
    return Writing(prefix, suffix, group, get_decimal_symbol(place), (pattern.grouping[0], pattern.grouping[1]))


def _unit(text: str) -> list[Piece]:
    return [Piece("unit", text)] if text else []
