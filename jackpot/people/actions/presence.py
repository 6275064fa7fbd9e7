"""Cards, and whether the person of one is there: by a reader of the house, the PIN, or the own session and password.

Who proves nothing hears one sentence, who gives a wrong pair another, whatever the card is; only the person of a card
hears what is the matter with it. So nobody learns which numbers exist, are blocked or approve what. A number is known
only by its keyed hash and last four.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from typing import Any, Final

from django.conf import settings
from django.contrib.auth.hashers import check_password, make_password
from django.db import transaction
from django.utils import timezone

from jackpot.database.raw import Columns, Question, Rows, SideBySide, ask_together
from jackpot.pacing.actions import count_try, take_try_back
from jackpot.pacing.rules import TryPace
from jackpot.people.actions.sign_in import sign_in
from jackpot.people.models import Card, Operator
from jackpot.property.models.property import Property
from jackpot.refusals import NotAllowed
from jackpot.trail.actions.trail import beside_no_line, record
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
_STILL: Final = Columns(Card, "c", "id", "level", "next_level", "next_level_from", "blocked_at", "locked_at")
STILL: Final = f"SELECT {_STILL.text} FROM jackpot_card c WHERE c.id = ANY(%s)"
WRONG_PINS: Final = 3
CARD_TRIES: Final = TryPace("card", free=8, longest=timedelta(seconds=30))
TRIED: Final = "card_refused"
WRONG_PIN: Final = "wrong_pin"
NOT_TOGETHER: Final = (
    "Card and PIN do not fit together, or the card does not count here. Three wrong PINs lock a card; an administrator "
    "sees what is the matter with it."
)


@dataclass(frozen=True, slots=True)
class CardSource:
    """How cards came before us: read by the reader of an enrolled box, or typed by somebody who is signed in."""

    box: str = ""  # the code of the device; empty: a number that was typed or sent by a program
    person: Operator | None = None  # who is signed in there
    password: str = ""  # that person's own, given instead of a PIN
    address: str = ""

    @property
    def who(self) -> str:
        """Under which name tries are counted."""
        if self.box:
            return f"box {self.box}"
        return f"person {self.person.username}" if self.person else f"address {self.address}"


TYPED: Final = CardSource()


def typed_here(request: Any, password: str = "") -> CardSource:
    """A card that was typed on a page or sent over the API by whoever is signed in there."""
    person = request.user if isinstance(request.user, Operator) else None
    return CardSource(person=person, password=password, address=str(request.META.get("REMOTE_ADDR", "")))


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


def whose_card_is(swipe: str) -> Question:
    """Asks for the card that was swiped, or whose number was typed, and for its person."""
    return CARD, (number_hash(number_on(swipe)),)


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


def card_with_pin(
    *, swipe: str, pin: str, pin_from_level: int, source: CardSource = TYPED, always: bool = False
) -> Card:
    """A card for money, and its person shown to be there. `always`: not even a reader's word is enough for this.

    Checked before any jackpot is locked (a PIN takes 90 ms by design), and counted in transactions of their own, so
    that a refused act still counts the wrong PIN.
    """
    rows = ask_together([whose_card_is(swipe)])[0]
    return known_card_with_pin(
        rows=rows, swipe=swipe, pin=pin, pin_from_level=pin_from_level, source=source, always=always
    )


def known_card_with_pin(
    *, rows: Rows, swipe: str, pin: str, pin_from_level: int, source: CardSource = TYPED, always: bool = False
) -> Card:
    """The same, with the answer to `whose_card_is`."""
    found = card_in(rows)
    if source.box and not always:
        read = _read_by_a_box(found, pin, pin_from_level)
        if read is not None:
            return read
    if pin:
        return _with_its_pin(found, pin, source)
    if source.person is not None and source.password:
        return _own_card(found, swipe, source.person, source)
    # A good card that only lacks its PIN is no guess, and slows nobody down.
    if source.box and (found is None or _why_not(found)):
        _count_refused(source)
    raise needs_pin(number_on(swipe))


def needs_pin(number: str) -> NotAllowed:
    """What everybody hears who proves nothing, the owner of a good card and a guesser alike."""
    # A password that slipped into the field of the card is not read out on the screen.
    which = f"Card •••• {number[-4:]}" if number.isdecimal() else "What was typed as a card"
    why = f"{which} does not do this alone. Give its PIN, or use a card of the level that is asked for."
    return NotAllowed(why, "pin_needed")


def too_low(card: Card, why: str) -> NotAllowed:
    """The truth about a card is for its person: who gave no PIN hears what an unknown card hears."""
    return NotAllowed(why, "level") if card.pin_given else needs_pin(card.last_four)


def holder_with_pin(*, holder: Operator, number: str, pin: str, source: CardSource) -> Card | None:
    """Who signed a key out, shown to be there where its number was only typed: by the PIN of the own best card, or in
    the own session (then there is no card). A box reads the key itself; there nobody asks."""
    if source.person is not None and source.person.pk == holder.pk:
        return None
    if not pin:
        raise key_needs_pin(holder, number)
    cards = Card.objects.select_related("operator__premises").filter(operator=holder, blocked_at=None)
    # Those that work first: an expired card of a higher level must not refuse its person.
    best = max(cards.exclude(pin_hash=""), key=lambda each: (not _why_not(each), each.level), default=None)
    return _with_its_pin(best, pin, source)


def key_needs_pin(holder: Operator, number: str) -> NotAllowed:
    """What is heard where nobody has shown to be the holder of a key whose number was typed."""
    why = f"Key {number} was typed here, and a number shows nobody to be there."
    return NotAllowed(f"{why} {holder}, who signed it out, gives the PIN of the own card.", "pin_needed")


def badge_of(*, badge: str, source: CardSource) -> Card:
    """The badge of whoever comes to deal: it opens no money, but it must be of this house and count."""
    found = card_numbered(badge)
    if found is None or not found.operator.is_active or _why_not(found):
        _count_refused(source)
        why = "This badge is not accepted here: it is not of this house, or blocked, expired or locked."
        raise NotAllowed(f"{why} An administrator looks it up.", "card_unknown")
    return found.comes_to(timezone.now())


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


def hold_card(card: Card, pin_from_level: int, day: date) -> None:
    """Behind the locks of an act: a card that was read before them is still what it was, until the act commits."""
    Card.objects.select_for_update(no_key=True).get(pk=card.pk)
    check_still([card], ask_together([(STILL, ([card.pk],))])[0], pin_from_level, day)


def _read_by_a_box(found: Card | None, pin: str, pin_from_level: int) -> Card | None:
    """A card that a reader read and that needs no PIN for its level; nothing where more is to be shown."""
    if found is None or not found.operator.is_active or _why_not(found):
        return None
    card = found.comes_to(timezone.now())
    # A PIN that was given is checked though nobody asked for it: a wrong one counts.
    enough = Card.Level.SUPERVISOR <= card.level < pin_from_level and not (pin and card.pin_hash)
    return card if enough else None


def _with_its_pin(found: Card | None, pin: str, source: CardSource) -> Card:
    """Every pair takes the same time: a number that is nobody's is checked against a PIN that is nobody's."""
    tries = count_try(CARD_TRIES, source.who, "Cards")
    fits = pin_fits(found, pin) if found is not None and found.pin_hash else _fits_nobody(pin)
    if found is None or not found.operator.is_active or not fits or found.locked_at is not None:
        _count_wrong_pin(found, source, tries)
        raise NotAllowed(NOT_TOGETHER, "pin_wrong")
    card = _check_again(found)
    take_try_back(CARD_TRIES, source.who)
    card.pin_given = True
    return card


def _own_card(found: Card | None, swipe: str, person: Operator, source: CardSource) -> Card:
    """Who is signed in says the own password again: then the own card counts, the highest where none was named."""
    sign_in(username=person.username, password=source.password, address=source.address)
    now = timezone.now()
    if swipe.strip():
        card = found if found is not None and found.operator_id == person.pk else None
    else:
        working = [each.comes_to(now) for each in person.cards.all() if not _why_not(each)]
        card = max(working, key=lambda each: each.level, default=None)
    if card is None:
        why = f"Your password signs with a card of your own, {person}, and this is none that works."
        raise NotAllowed(f"{why} Use another card with its PIN.", "own_card")
    if card.locked_at is not None:
        raise NotAllowed(_why_not(card), "locked")
    # Read anew: it may have been locked or blocked while the password was judged.
    card = _working(Card.objects.select_related("operator__premises").get(pk=card.pk))
    card.pin_given = True
    return card


def _check_again(card: Card) -> Card:
    """Guesses made side by side: the one that fits is worth nothing once the others have locked the card."""
    now = Card.objects.select_related("operator__premises").get(pk=card.pk)
    if now.locked_at is not None or not now.operator.is_active:
        raise NotAllowed(NOT_TOGETHER, "pin_wrong")
    known = _working(now)
    if now.wrong_pins:
        _begin_anew(known)
    return known


@transaction.atomic
def _begin_anew(card: Card) -> None:
    """The right PIN: earlier wrong ones count no more, and the trail says since when."""
    if Card.objects.filter(id=card.id, locked_at=None).update(wrong_pins=0):
        about = objects.person(card.operator.username)
        with beside_no_line():
            record(actor=card.operator, act="right_pin", about=about, subject=f"card {card.last_four}")


def _working(card: Card) -> Card:
    """Its person is there, so what is the matter with the card is said."""
    why = _why_not(card)
    if why:
        code = "card_blocked" if card.blocked_at else "locked" if card.locked_at else "card_expired"
        raise NotAllowed(why, code)
    return card.comes_to(timezone.now())


def _why_not(card: Card) -> str:
    """What keeps a card from doing anything, or nothing."""
    name = f"Card •••• {card.last_four}"
    if card.blocked_at is not None:
        return f"{name} is blocked. Ask an administrator."
    if card.locked_at is not None:
        why = f"{name} is locked after three wrong PINs. An administrator unlocks it, or another executive with a"
        return f"{why} second person."
    if card.expires_on is not None and card.expired_on(card.day_at(timezone.now())):
        return f"{name} expired on {card.expires_on:%d %b %Y}. Ask an administrator."
    return ""


@cache  # of the hashers in use: nobody's PIN takes as long to check as anybody's
def _nobodys(_hashers: tuple[str, ...]) -> str:
    return make_password("no card has this PIN")


def _fits_nobody(pin: str) -> bool:
    check_password(pin, _nobodys(tuple(settings.PASSWORD_HASHERS)))
    return False


# Durable: inside the act's own transaction the count would be taken back with the refusal.
@transaction.atomic(durable=True)
def _count_wrong_pin(found: Card | None, source: CardSource, tries: int) -> None:
    """On the card, where there is one, and in the trail: whose card it was, or who tried one that is nobody's."""
    # A locked card takes no more tries; who makes them is told all the same.
    if found is None or found.locked_at is not None:
        _tell(source, tries)
        return
    locked = Card.objects.select_for_update().get(id=found.id)
    locked.wrong_pins += 1
    locks = locked.wrong_pins >= WRONG_PINS and locked.locked_at is None
    if locks:
        locked.locked_at = timezone.now()
    locked.save(update_fields=["wrong_pins", "locked_at"])
    about = objects.person(found.operator.username)
    subject, details = f"card {found.last_four}", _tried(source, tries)
    record(
        actor=found.operator, act=WRONG_PIN, about=about, subject=subject, outcome="refused", details=details,
        why="the card is locked now" if locks else "",
    )  # fmt: skip


def _count_refused(source: CardSource) -> None:
    """A card that nothing was shown for and that counts nowhere: guesses made this way are slowed as well."""
    tries = count_try(CARD_TRIES, source.who, "Cards")
    with transaction.atomic(durable=True):
        _tell(source, tries)


def _tell(source: CardSource, tries: int) -> None:
    """The number that was tried is not kept: it may be a PIN in the wrong field."""
    about = objects.device(source.box) if source.box else None
    actor: Any = source.person or source.who
    record(actor=actor, act=TRIED, about=about, subject="card", outcome="refused", details=_tried(source, tries))


def _tried(source: CardSource, tries: int) -> dict[str, Any]:
    return {"tried_by": source.who, "tries": tries}
