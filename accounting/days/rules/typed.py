"""Figures as people type them at the close; what is no figure is refused in a sentence."""

from __future__ import annotations

from jackpot.money import Money, NotAnAmount
from jackpot.reading import read_amount, read_whole
from jackpot.refusals import NotUnderstood


def typed_amount(text: str, what: str, digits: int = 2) -> Money:
    """An amount with at most the currency's decimals."""
    try:
        return read_amount(text, what, digits=digits)
    except NotAnAmount as why:
        raise NotUnderstood(str(why), "amount") from None


def typed_number(text: str, what: str, least: int, most: int) -> int:
    """A whole number between two bounds."""
    try:
        return read_whole(text, what, least, most)
    except NotAnAmount as why:
        raise NotUnderstood(str(why), "number") from None
