"""Cards identify; whether that is enough, the act decides. A number is known only by its keyed hash and last four."""

from __future__ import annotations

import hmac
import re
from collections.abc import Sequence
from datetime import date
from typing import Final

from django.conf import settings
from django.contrib.auth.hashers import check_password
from django.db import transaction
from django.utils import timezone

from jackpot.database.raw import Columns, Question, Rows, SideBySide, ask_together
from jackpot.people.models import Card, Operator
from jackpot.property.models.property import Property
from jackpot.refusals import NotAllowed
from jackpot.trail.actions.trail import record
from jackpot.trail.rules import objects

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


def whose_card(*, swipe: str, level: Card.Level) -> Card:
    """The card behind a swipe, if it may act at this level; every refusal says who can help."""
    return _fit_to_act(card_numbered(number_on(swipe)), level)


def _fit_to_act(found: Card | None, level: Card.Level) -> Card:
    now = timezone.now()
    # A dismissed person's card says no more than a card that was never issued.
    if found is None or not found.operator.is_active:
        raise NotAllowed("This card is not known here. Use a card of this house.", "card_unknown")
    card = found.comes_to(now)
    if card.blocked_at is not None:
        raise NotAllowed(f"Card •••• {card.last_four} is blocked. Ask an administrator.", "card_blocked")
    if card.expires_on is not None and card.expires_on < now.date():
        raise NotAllowed(
            f"Card •••• {card.last_four} expired on {card.expires_on:%d %b %Y}. Ask an administrator.", "card_expired"
        )
    if card.level < level:
        need = Card.Level(level).label
        raise NotAllowed(f"Card •••• {card.last_four} is a {card.get_level_display()} card; this needs a {need} card.")
    return card


WRONG_PINS: Final = 3


def card_with_pin(*, swipe: str, pin: str, pin_from_level: int) -> Card:
    """A card for money: known, not blocked, and with its PIN where the house asks for one.

    Checked before any jackpot is locked (a PIN takes 90 ms by design), and counted in a transaction of its own, so
    that a refused act still counts the wrong PIN.
    """
    return known_card_with_pin(rows=ask_together([swiped_card(swipe)])[0], pin=pin, pin_from_level=pin_from_level)


def swiped_card(swipe: str) -> Question:
    """Asks for the card behind a swipe, for who asks something else in the same trip."""
    return whose_card_is(number_on(swipe))


def known_card_with_pin(*, rows: Rows, pin: str, pin_from_level: int) -> Card:
    """The same, with the answer to `swiped_card`."""
    card = _fit_to_act(card_in(rows), Card.Level.DEALER)
    _refuse_locked(card)
    if card.level < pin_from_level:
        return card
    if not pin:
        raise NotAllowed(f"Card •••• {card.last_four} needs its PIN.", "pin_needed")
    if pin_fits(card, pin):
        _check_again(card)
        card.pin_given = True
        return card
    raise NotAllowed(_count_wrong_pin(card), "pin_wrong")


def _refuse_locked(card: Card) -> None:
    if card.locked_at is not None:
        raise NotAllowed(
            f"Card •••• {card.last_four} is locked after three wrong PINs. An administrator unlocks it, or "
            "another executive with a second person.",
            "locked",
        )


def _check_again(card: Card) -> None:
    """Guesses made side by side: the one that fits is worth nothing once the others have locked the card."""
    now = _fit_to_act(Card.objects.select_related("operator").get(id=card.id), Card.Level.DEALER)
    _refuse_locked(now)
    if now.wrong_pins:
        Card.objects.filter(id=card.id, locked_at=None).update(wrong_pins=0)


_STILL: Final = Columns(Card, "c", "id", "level", "next_level", "next_level_from", "blocked_at")
STILL: Final = f"SELECT {_STILL.text} FROM jackpot_card c WHERE c.id = ANY(%s)"


def check_still(cards: Sequence[Card], rows: Rows, pin_from_level: int, day: date) -> None:
    """Under the lock: nobody took authority away from these cards since they were swiped, nor asks for a PIN now.

    Whoever lowers or blocks a card locks the jackpots of the house, so what `rows` say holds until the act is done.
    """
    known = {row.pk: row for row in map(_STILL.object, rows)}
    for card in cards:
        stands = known[card.pk]
        if stands.blocked_at is not None or stands.level_on(day) < card.level:
            why = f"Card •••• {card.last_four} lost authority a moment ago. Another person's card is needed."
            raise NotAllowed(why, "card_blocked" if stands.blocked_at else "level")
        if card.level >= pin_from_level and not card.pin_given:
            raise NotAllowed(f"Card •••• {card.last_four} needs its PIN.", "pin_needed")


@transaction.atomic
def _count_wrong_pin(card: Card) -> str:
    locked = Card.objects.select_for_update().get(id=card.id)
    locked.wrong_pins += 1
    left = WRONG_PINS - locked.wrong_pins
    if left <= 0:
        locked.locked_at = timezone.now()
    locked.save(update_fields=["wrong_pins", "locked_at"])
    record(
        actor=card.operator,
        act="wrong_pin",
        about=objects.person(card.operator.username),
        subject=f"card {card.last_four}",
        outcome="refused",
    )
    if left <= 0:
        return f"Wrong PIN. Card •••• {card.last_four} is now locked; an administrator unlocks it."
    return f"Wrong PIN. {left} {'try' if left == 1 else 'tries'} left."
