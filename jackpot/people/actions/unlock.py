"""A card locked by wrong PINs is unlocked by an administrator, or by another executive and a second person."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from jackpot.people.actions.presence import TYPED, CardSource, card_with_pin
from jackpot.people.models import Card, Operator
from jackpot.refusals import NotAllowed, NotAllowedNow, NotUnderstood
from jackpot.trail.actions.trail import record, second_person
from jackpot.trail.rules import objects


def unlock_card(
    *, card: Card, why: str, by: Operator, cards: Sequence[tuple[str, str]] = (), source: CardSource = TYPED
) -> None:
    """The count of wrong PINs starts anew; the PIN stays what it was. Nobody unlocks a card of their own."""
    if not why.strip():
        raise NotUnderstood(f"Say why card •••• {card.last_four} is unlocked.", "reason")
    people = [by] if by.may("people") and not cards else _two_people(cards, source)
    if card.operator in people:
        raise NotAllowed(f"{card.operator} cannot unlock a card of their own. Another person must.", "same_person")
    _unlock(card, why, people)


@transaction.atomic
def _unlock(card: Card, why: str, people: Sequence[Operator]) -> None:
    # In one statement: of two who unlock at once the second hears that it is open.
    if not Card.objects.filter(id=card.id, locked_at__isnull=False).update(locked_at=None, wrong_pins=0):
        raise NotAllowedNow(f"Card •••• {card.last_four} is not locked. Its owner may use it.", "not_locked")
    first, *second = people
    details = {"card": card.last_four, **second_person(second[0] if second else None)}
    about = objects.person(card.operator.username)
    record(actor=first, act="unlock_card", about=about, why=why[:200], details=details)


def _two_people(cards: Sequence[tuple[str, str]], source: CardSource) -> list[Operator]:
    """An executive and a second, different person, each with a card; each shows to be there."""
    known = [
        card_with_pin(swipe=swiped, pin=pin, pin_from_level=Card.Level.DEALER, source=source, always=True)
        for swiped, pin in cards
    ]
    # Two cards of one person are one person.
    people = list(dict.fromkeys(each.operator for each in known))
    if len(people) != 2 or all(each.level < Card.Level.EXECUTIVE for each in known):
        why = "A locked card is unlocked by an administrator, or by another executive and a second, different person."
        raise NotAllowed(why, "two_people")
    if any(each.level < Card.Level.SUPERVISOR for each in known):
        raise NotAllowed("The second person needs a supervisor card.", "level")
    return people
