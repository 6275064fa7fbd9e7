"""How figures, moments and signs of movement look on a page. Money is cut, never rounded up."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any, Final

from babel import Locale
from babel.dates import format_date, format_datetime, get_timezone_name
from babel.numbers import format_currency, format_decimal, get_currency_precision
from django import template

from jackpot.money import Money, units_of
from jackpot.property.models.property import Property

register = template.Library()

EXACT: Final = "#,##0.00######"
MINUS: Final = "−"
Amount = Money | Decimal | int | str  # a text is one that a record kept


@register.filter
def money(amount: Amount, house: Property | None) -> str:
    """In the property's currency and digits, cut: a page never promises a cent that is not there."""
    currency, locale = _money_of(house)
    cut = _money(amount).shown(get_currency_precision(currency)).decimal()
    return str(format_currency(cut, currency, locale=locale)).replace("-", MINUS)


@register.filter
def figure(amount: Amount, house: Property | None) -> str:
    """As money, without the sign of the currency."""
    currency, locale = _money_of(house)
    digits = get_currency_precision(currency)
    cut = _money(amount).shown(digits).decimal()
    pattern = f"#,##0.{'0' * digits}" if digits else "#,##0"
    return str(format_decimal(cut, pattern, locale=locale)).replace("-", MINUS)


@register.filter
def exact(amount: Amount, house: Property | None) -> str:
    """With every decimal that the books hold."""
    return str(format_decimal(_money(amount).decimal(), EXACT, locale=_money_of(house)[1])).replace("-", MINUS)


@register.filter
def moved(amount: Amount, house: Property | None) -> str:
    """With its sign; nothing moved is a dot, so that the eye finds what did."""
    value = _money(amount)
    if not value:
        return "·"
    return exact(value, house) if value.units < 0 else f"+{exact(value, house)}"


@register.filter
def whole(number: int | None, house: Property | None) -> str:
    return "" if number is None else str(format_decimal(number, "#,##0", locale=_money_of(house)[1]))


@register.filter
def moment(at: datetime | None, house: Property | None) -> str:
    """Local time of the property: 18 Nov 2026, 03:54:22."""
    return "" if at is None else str(format_datetime(_there(at, house), "d MMM y, HH:mm:ss", locale="en"))


@register.filter
def stamp(at: datetime | None, house: Property | None) -> str:
    return "" if at is None else str(format_datetime(_there(at, house), "d MMM HH:mm:ss", locale="en"))


@register.filter
def clock(at: datetime | None, house: Property | None) -> str:
    return "" if at is None else str(format_datetime(_there(at, house), "HH:mm:ss", locale="en"))


@register.filter
def zone(at: datetime, house: Property | None) -> str:
    """The short name of the property's zone at that moment, such as PST."""
    return str(get_timezone_name(_there(at, house), width="short", locale="en_US"))


@register.filter
def day(on: date | None) -> str:
    return "" if on is None else str(format_date(on, "EEE d MMM y", locale="en"))


@register.filter
def bar(part: Any, of: Any) -> int:
    """How many of a hundred: whole steps for a bar; the figure beside it says it exactly."""
    top = _money(of).units
    return 0 if top <= 0 else max(0, min(100, _money(part).units * 100 // top))


def _money(amount: Amount) -> Money:
    match amount:
        case Money():
            return amount
        case Decimal():
            return Money(units_of(amount))
        case str():
            return Money.of(amount)
    return Money(amount)


def _there(at: datetime, house: Property | None) -> datetime:
    return at.astimezone(house.zone) if house else at


def _money_of(house: Property | None) -> tuple[str, Locale]:
    return (house.currency, _locale(house.locale)) if house else ("USD", _locale("en_US"))


@lru_cache(maxsize=16)
def _locale(name: str) -> Locale:
    return Locale.parse(name)
