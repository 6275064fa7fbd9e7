"""Whose word decides: by an executive's card, or by name and password of somebody whose role may."""

from __future__ import annotations

from dataclasses import dataclass

from jackpot.people.actions.cards import card_with_pin
from jackpot.people.actions.sign_in import sign_in
from jackpot.people.models import Card, Operator
from jackpot.property.models.property import Property
from jackpot.refusals import NotAllowed, NotUnderstood

VERB = "sign_adjustments"


@dataclass(frozen=True, slots=True)
class Word:
    """The person who decides, and the card if one was read."""

    operator: Operator
    card: Card | None = None


def spoken(
    *, operator: Operator, premises: Property, card: str = "", pin: str = "", password: str = "", address: str = ""
) -> Word:
    """The card that was read counts, whoever is signed in; without one it is that person's own word."""
    if card.strip():
        return by_card(swipe=card, pin=pin, premises=premises)
    return by_password(operator=operator, password=password, address=address)


def by_card(*, swipe: str, pin: str, premises: Property) -> Word:
    """An executive's card, with its PIN where the house asks for one."""
    card = card_with_pin(swipe=swipe, pin=pin, pin_from_level=premises.thresholds.pin_from_level)
    if card.level < Card.Level.EXECUTIVE:
        who = f"card •••• {card.last_four} is a {card.get_level_display()} card"
        raise NotAllowed(f"The second signature needs an executive's card; {who}.", "level")
    return Word(card.operator, card)


def by_password(*, operator: Operator, password: str, address: str) -> Word:
    """The person who is signed in says it once more; wrong tries count as everywhere."""
    if not operator.may(VERB):
        raise NotAllowed(f"{operator} may not sign adjustments. Use an executive's card.", "level")
    if not password:
        raise NotUnderstood("Read an executive's card, or write your own password.", "signature")
    return Word(sign_in(username=operator.username, password=password, address=address))
