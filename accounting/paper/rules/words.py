"""An amount in words, as a cheque spells it: “Twenty thousand one dollars and forty cents”."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from babel.numbers import get_currency_name, get_currency_precision

from jackpot.money import DECIMALS, Money

BELOW_TWENTY: Final = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
TENS: Final = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
SCALES: Final = ((10**9, "billion"), (10**6, "million"), (10**3, "thousand"))


@dataclass(frozen=True, slots=True)
class Coin:
    """The names of a currency: one of the large and several, one of the small and several."""

    one: str
    many: str
    small_one: str
    small_many: str


DOLLARS: Final = Coin("dollar", "dollars", "cent", "cents")
COINS: Final[Mapping[str, Coin]] = {
    **dict.fromkeys(("USD", "CAD", "AUD", "NZD", "SGD", "HKD"), DOLLARS),
    "EUR": Coin("euro", "euros", "cent", "cents"),
    "GBP": Coin("pound", "pounds", "penny", "pence"),
    "CHF": Coin("franc", "francs", "centime", "centimes"),
    "MXN": Coin("peso", "pesos", "centavo", "centavos"),
    "PHP": Coin("peso", "pesos", "centavo", "centavos"),
    "ZAR": Coin("rand", "rand", "cent", "cents"),
    "INR": Coin("rupee", "rupees", "paisa", "paise"),
    "CZK": Coin("koruna", "koruny", "haléř", "haléřů"),
    "SEK": Coin("krona", "kronor", "öre", "öre"),
    "NOK": Coin("krone", "kroner", "øre", "øre"),
    "DKK": Coin("krone", "kroner", "øre", "øre"),
    "PLN": Coin("zloty", "zlotys", "grosz", "groszy"),
    "MOP": Coin("pataca", "patacas", "avo", "avos"),
    "KWD": Coin("dinar", "dinars", "fils", "fils"),
    "BHD": Coin("dinar", "dinars", "fils", "fils"),
    "JOD": Coin("dinar", "dinars", "fils", "fils"),
    "TND": Coin("dinar", "dinars", "millime", "millimes"),
    "OMR": Coin("rial", "rials", "baisa", "baisa"),
}


def in_words(amount: Money, currency: str) -> str:
    """Every digit that the currency has, spelt; a currency whose coins we cannot name gets them as a fraction."""
    digits = get_currency_precision(currency)
    assert amount.units >= 0, "a win is never below zero"
    large, rest = divmod(amount.shown(digits).units, 10**DECIMALS)
    # Exact: `shown` has cut the amount to the currency's digits, so nothing is lost here.
    small = rest // 10 ** (DECIMALS - digits)
    text = f"{cardinal(large)} {_large(large, currency)}"
    # A currency without coins, such as the yen, has no “and”.
    if digits:
        text += f" and {_small(small, digits, currency)}"
    return text[0].upper() + text[1:]


def cardinal(number: int) -> str:
    """A whole number below a thousand billions, without “and”: that word is kept for the coins."""
    if number < 1000:
        return _below_thousand(number)
    for scale, name in SCALES:
        if number >= scale:
            rest = number % scale
            return f"{cardinal(number // scale)} {name}{f' {cardinal(rest)}' if rest else ''}"
    raise AssertionError("every number from a thousand up has a scale")


def _below_thousand(number: int) -> str:
    hundreds, rest = divmod(number, 100)
    if hundreds:
        return f"{BELOW_TWENTY[hundreds]} hundred{f' {_below_thousand(rest)}' if rest else ''}"
    if rest < 20:
        return BELOW_TWENTY[rest]
    tens, ones = divmod(rest, 10)
    return TENS[tens] + (f"-{BELOW_TWENTY[ones]}" if ones else "")


def _large(number: int, currency: str) -> str:
    coin = COINS.get(currency)
    if coin is None:
        return str(get_currency_name(currency, count=number, locale="en"))
    return coin.one if number == 1 else coin.many


def _small(number: int, digits: int, currency: str) -> str:
    coin = COINS.get(currency)
    if coin is None:
        return f"{number:0{digits}d}/{10**digits}"
    return f"{cardinal(number)} {coin.small_one if number == 1 else coin.small_many}"
