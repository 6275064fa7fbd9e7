"""A person leaves the house: from that commit on nothing of theirs is accepted. Every record keeps the name."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from django.contrib.auth.hashers import make_password
from django.db import connection, transaction
from django.utils import timezone

from jackpot.people.actions.people import lock_jackpots_open_to
from jackpot.people.actions.sessions import close_sessions
from jackpot.people.models import Card, KeyRegister, Operator
from jackpot.refusals import NotAllowed, NotAllowedNow, NotFound, NotUnderstood
from jackpot.trail.actions.trail import record
from jackpot.trail.rules import objects

LONGEST_WHY: Final = 200
# Every row is locked before it is judged: a condition here would let a row through that is being changed.
HELD: Final = "SELECT id, is_active FROM jackpot_operator WHERE id = ANY(%s) ORDER BY id FOR SHARE"
HELD_ALONE: Final = HELD.replace("SHARE", "NO KEY UPDATE")


@dataclass(frozen=True, slots=True)
class Dismissal:
    """What ended with the person's work here."""

    person: Operator
    sessions: int
    cards: tuple[str, ...]
    keys: tuple[str, ...]


@transaction.atomic
def dismiss(*, person: Operator, why: str, by: Operator) -> Dismissal:
    """One person dismisses another, at once: it only takes authority away.

    Every jackpot of the house is locked first, so a swipe is either done before this or refused after it.
    """
    reason = check_why(why, f"Say why {person} is dismissed")
    _check_may_dismiss(person, by)
    lock_jackpots_open_to(person)
    gone = Operator.objects.select_for_update(no_key=True).get(pk=person.pk)
    if not gone.is_active:
        raise NotAllowedNow(f"{gone} is dismissed already. Nothing of theirs is accepted.", "dismissed")
    # The hash goes too: whoever is hired anew does not come back with the old password.
    gone.is_active, gone.password = False, make_password(None)
    gone.save(update_fields=["is_active", "password"])
    ended = Dismissal(gone, close_sessions(gone), _end_cards(gone), _drop_keys(gone))
    details = {"sessions": ended.sessions, "cards": list(ended.cards), "keys": list(ended.keys)}
    record(actor=by, act="dismiss", about=objects.person(gone.username), why=reason, details=details)
    return ended


def dismissed_among(people: Collection[int], *, alone: bool = False) -> frozenset[int]:
    """Who of these keys is dismissed. Until the act commits nobody of them can be: a dismissal waits for it.

    `alone`: no other act counts what one of them did, either.
    """
    assert connection.in_atomic_block, "what is held is held until the act commits"
    with connection.cursor() as cursor:
        cursor.execute(HELD_ALONE if alone else HELD, [sorted(set(people))])
        return frozenset(key for key, active in cursor.fetchall() if not active)


def check_works_here(*people: Operator, alone: bool = False) -> None:
    """Somebody who came in before a dismissal does nothing after it."""
    gone = dismissed_among([person.pk for person in people], alone=alone)
    for person in people:
        if person.pk in gone:
            why = f"{person} is dismissed and acts for this house no more. Another person must."
            raise NotAllowed(why, "dismissed")


def check_why(why: str, ask: str) -> str:
    """The reason as it goes into the trail."""
    if not why.strip() or len(why) > LONGEST_WHY:
        raise NotUnderstood(f"{ask}, in 1 to {LONGEST_WHY} characters.", "reason")
    return why.strip()


def check_may_change(person: Operator, by: Operator) -> None:
    """Only people with the verb, and of the same house."""
    if not by.may("people"):
        raise NotAllowed(f"{by} may not change people. An administrator does.", "role")
    if by.premises_id not in (None, person.premises_id):
        raise NotFound("There is no such person in your house.", "no_person")


def _check_may_dismiss(person: Operator, by: Operator) -> None:
    check_may_change(person, by)
    if person.pk == by.pk:
        raise NotAllowed(f"{by} cannot dismiss themselves. Another person who gives roles must.", "same_person")


def _end_cards(person: Operator) -> tuple[str, ...]:
    """Every card is blocked; a PIN that somebody knew is no PIN any more."""
    cards = Card.objects.filter(operator=person).order_by("id")
    blocked = tuple(cards.filter(blocked_at=None).values_list("last_four", flat=True))
    cards.filter(blocked_at=None).update(blocked_at=timezone.now())
    cards.update(pin_hash="", next_level=None, next_level_from=None)
    return blocked


def _drop_keys(person: Operator) -> tuple[str, ...]:
    """Keys that are out with the person speak for nobody; the ring itself is for the pit to find."""
    out = KeyRegister.objects.filter(operator=person, back_at=None)
    numbers = tuple(out.order_by("number").values_list("number", flat=True))
    out.update(back_at=timezone.now())
    return numbers
