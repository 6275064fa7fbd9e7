"""Cards identify; whether that is enough, the act decides. A number is known only by its keyed hash and last four."""

from __future__ import annotations

import re
from typing import Final

from django.utils import timezone

from jackpot.actions.people import card_numbered
from jackpot.actions.refusals import NotAllowed
from jackpot.models import Card

_TRACK_2: Final = re.compile(r"^;?(\d{6,19})=\d*\??$")
_TRACK_1: Final = re.compile(r"^%?B(\d{6,19})\^.*\??$")


def number_on(swipe: str) -> str:
    """The number in what a keyboard-wedge reader types (track 1 or 2) or a person does."""
    text = swipe.strip().replace(" ", "")
    track = _TRACK_2.match(text) or _TRACK_1.match(text)
    return track.group(1) if track else text


def whose_card(*, swipe: str, level: Card.Level) -> Card:
    """The card behind a swipe, if it may act at this level; every refusal says who can help."""
    card = card_numbered(number_on(swipe))
    if card is None:
        raise NotAllowed("This card is not known here. Use a card of this house.", "card_unknown")
    if card.blocked_at is not None or not card.operator.is_active:
        raise NotAllowed(f"Card •••• {card.last_four} is blocked. Ask an administrator.", "card_blocked")
    if card.expires_on is not None and card.expires_on < timezone.now().date():
        raise NotAllowed(f"Card •••• {card.last_four} expired on {card.expires_on:%d %b %Y}. Ask an administrator.")
    if card.level < level:
        need = Card.Level(level).label
        raise NotAllowed(f"Card •••• {card.last_four} is a {card.get_level_display()} card; this needs a {need} card.")
    return card
