"""Cards identify; what else it takes, `presence` says. A number is known only by its keyed hash and last four."""

from __future__ import annotations

import hmac
import re
from collections.abc import Sequence
from datetime import date
from typing import Final

from django.conf import settings
from django.contrib.auth.hashers import check_password

from jackpot.database.raw import Columns, Question, Rows, SideBySide, ask_together
from jackpot.people.models import Card, Operator
from jackpot.property.models.property import Property
from jackpot.refusals import NotAllowed

_TRACK_2: Final = re.compile(r"^;?(\d{6,19})=\d*\??$")
_TRACK_1: Final = re.compile(r"^%?B(\d{6,19})\^.*\??$")
# Of the house only its day: which level of a card counts depends on it.
_CARD: Final = SideBySide(
    Columns(Card, "c"), Columns(Operator, "o"), Columns(Property, "p", "id", "time_zone", "day_roll_minutes")
)
CARD: Final = f"""
SELECT {_CARD.text}
  FROM jackpot_card c JOIN jackpot_operator o ON o.id = c.operator_id
  LEFT JOIN jackpot_property p ON p.id = o.premises_id
 WHERE c.number_hash = %s
"""


def number_on(swipe: str) -> str:
    """The number in what a keyboard-wedge reader types (track 1 or 2) or a person does."""
    text = swipe.strip().replace(" ", "")
    track = _TRACK_2.match(text) or _TRACK_1.match(text)
    return track.group(1) if track else text


def number_hash(number: str) -> bytes:
    """Card numbers are short enough to be guessed, so their hash is keyed with the file key."""
    key = hmac.digest(settings.MASTER_KEY, b"cards", "sha256")
    return hmac.digest(key, number.encode(), "sha256")


def card_numbered(number: str) -> Card | None:
    return card_in(ask_together([whose_card_is(number)])[0])


def whose_card_is(number: str) -> Question:
    """Asks for the card with this number and for its person."""
    return CARD, (number_hash(number),)


def card_in(rows: Rows) -> Card | None:
    """The answer."""
    if not rows:
        return None
    card: Card
    card, operator, premises = _CARD.objects(rows[0])
    card.operator = operator
    if operator.premises_id is not None:
        operator.premises = premises
    return card


def pin_fits(card: Card, pin: str) -> bool:
    """Takes some 90 ms by design: never on the event loop, never in the batch's thread."""
    return bool(card.pin_hash) and check_password(pin, card.pin_hash)


_STILL: Final = Columns(Card, "c", "id", "level", "next_level", "next_level_from", "blocked_at", "locked_at")
STILL: Final = f"SELECT {_STILL.text} FROM jackpot_card c WHERE c.id = ANY(%s)"


def check_still(cards: Sequence[Card], rows: Rows, pin_from_level: int, day: date) -> None:
    """Under the lock: nobody took authority away from these cards since they were swiped, nor asks for a PIN now.

    Whoever lowers or blocks a card locks the jackpots of the house, so what `rows` say holds until the act is done.
    """
    known = {row.pk: row for row in map(_STILL.object, rows)}
    for card in cards:
        stands = known[card.pk]
        if stands.blocked_at is not None or stands.locked_at is not None or stands.level_on(day) < card.level:
            why = f"Card •••• {card.last_four} lost authority a moment ago. Another person's card is needed."
            raise NotAllowed(why, "card_blocked" if stands.blocked_at else "locked" if stands.locked_at else "level")
        if card.level >= pin_from_level and not card.pin_given:
            raise NotAllowed(f"Card •••• {card.last_four} needs its PIN.", "pin_needed")
