"""Proof of presence: an executive's card with its PIN, or the own password of somebody whose role may sign."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from jackpot.people.actions.presence import CardSource, card_with_pin
from jackpot.people.actions.sign_in import sign_in
from jackpot.people.models import Card, Operator
from jackpot.property.models.property import Property
from jackpot.refusals import NotAllowed, NotUnderstood


@dataclass(frozen=True, slots=True)
class SecondPerson:
    """The person who decides, and the card if one was read."""

    operator: Operator
    card: Card | None = None


@dataclass(frozen=True, slots=True)
class Proof:
    """What somebody gave at a page or over the API to prove that they are there."""

    card: str = ""
    pin: str = ""
    password: str = ""
    address: str = ""


def authenticate_approver(
    *, operator: Operator, premises: Property, proof: Proof, verbs: Collection[str]
) -> SecondPerson:
    """The card that was read counts, whoever is signed in; without one it is that person's own word."""
    if proof.card.strip():
        source = CardSource(person=operator, address=proof.address)  # under whose name wrong tries are counted
        return approver_by_card(swipe=proof.card, pin=proof.pin, premises=premises, source=source)
    return approver_by_password(operator=operator, proof=proof, verbs=verbs)


def approver_by_card(*, swipe: str, pin: str, premises: Property, source: CardSource) -> SecondPerson:
    """An executive's card with its PIN: a second person always shows to be there."""
    least = premises.thresholds.pin_from_level
    card = card_with_pin(swipe=swipe, pin=pin, pin_from_level=least, source=source, always=True)
    if card.level < Card.Level.EXECUTIVE:
        who = f"card •••• {card.last_four} is a {card.get_level_display()} card"
        raise NotAllowed(f"The second signature needs an executive's card; {who}.", "level")
    return SecondPerson(card.operator, card)


def approver_by_password(*, operator: Operator, proof: Proof, verbs: Collection[str]) -> SecondPerson:
    """The person who is signed in says it once more; wrong tries count as everywhere."""
    if not operator.verbs().intersection(verbs):
        raise NotAllowed(f"{operator} may not sign this. Use an executive's card.", "level")
    if not proof.password:
        raise NotUnderstood("Read an executive's card, or write your own password.", "signature")
    return SecondPerson(sign_in(username=operator.username, password=proof.password, address=proof.address))
