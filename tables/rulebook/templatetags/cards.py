"""Cards and rows as pages show them; screen readers hear the name."""

from __future__ import annotations

from typing import Final

from django import template

from tables.games.cards import SUIT_NAMES, PlayingCard, parse_card

register = template.Library()

SIGNS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}


@register.filter
def face(card: PlayingCard | str) -> str:
    """ "A♥", "10♠"."""
    text = str(card)
    return text[:-1].replace("T", "10") + SIGNS[text[-1]]


@register.filter
def suit_name(card: PlayingCard | str) -> str:
    return SUIT_NAMES[str(card)[-1]]


@register.filter
def card_name(card: PlayingCard | str) -> str:
    return parse_card(str(card)).name


@register.filter
def spaced(code: str) -> str:
    """ "royal_first_5" as words."""
    return code.replace("_", " ").capitalize()
