"""The cards of the house at the pit: a lost one is blocked in one touch, a locked one unlocked by two people."""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from jackpot.people import queries
from jackpot.people.actions.people import block_card
from jackpot.people.actions.unlock import unlock_card
from jackpot.people.models import Card
from jackpot.property.queries import house_of
from jackpot.refusals import NotFound
from jackpot.web.pages.access import needs
from jackpot.web.pages.posting import posts, word
from tables.pit.pages.pit import READERS

REASONS: Final = ("Lost", "Stolen", "The person has left")


@needs(*READERS, "people")
def cards(request: HttpRequest) -> HttpResponse:
    """Every card of the house: locked ones first, blocked ones last."""
    person: Any = request.user
    now = timezone.now()
    rows = [card.comes_to(now) for card in queries.cards(person).order_by("operator__name", "-level")]
    rows.sort(key=lambda card: (card.blocked_at is not None, card.locked_at is None))
    shown = {
        "cards": rows,
        "locked": [card for card in rows if card.locked_at and not card.blocked_at],
        "alone": person.may("people"),
        "may_act": bool(person.verbs() & {"people", "approve"}),
        "house": house_of(person),
        "reasons": REASONS,
        "tab": "cards",
    }
    return render(request, "tables/pit/pit_cards.html", shown)


@posts("people", "approve", back_to="pit-cards")
def card_block(request: HttpRequest) -> str:
    """One touch: from now on nobody acts with this card."""
    card = _card(request)
    # A lost card does not go on working for want of a word.
    block_card(card=card, why=word(request, "reason") or "blocked at the pit", by=str(request.user))
    return f"Card •••• {card.last_four} of {card.operator} is blocked."


@posts("people", "approve", back_to="pit-cards")
def card_unlock(request: HttpRequest) -> str:
    """An administrator alone, or an executive's card and a second person's."""
    card = _card(request)
    person: Any = request.user
    swiped = [(word(request, f"{who}-card"), word(request, f"{who}-pin", 20)) for who in ("first", "second")]
    # No card at all is an administrator's own word; one alone is for the act to refuse.
    given = swiped if any(number for number, _ in swiped) else []
    unlock_card(card=card, why=word(request, "reason"), by=person, cards=given)
    return f"Card •••• {card.last_four} of {card.operator} is unlocked. Its PIN is the old one."


def _card(request: HttpRequest) -> Card:
    number = word(request, "number", 18)
    found = (
        queries.cards(request.user).filter(id=int(number)).first() if number.isascii() and number.isdigit() else None
    )
    if found is None:
        raise NotFound("There is no such card in this house.", "no_card")
    return found
