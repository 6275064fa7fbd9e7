"""A person's own password and PINs: typed by nobody else, changed by the old password or by a one-time code."""

from __future__ import annotations

import hmac
import secrets
from datetime import timedelta
from typing import Final

from django.conf import settings
from django.contrib.auth.password_validation import CommonPasswordValidator
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from jackpot.people.actions.directory_links import end_link
from jackpot.people.actions.dismissing import check_works_here
from jackpot.people.actions.people import set_pin
from jackpot.people.actions.second_factor import forget
from jackpot.people.actions.sessions import close_sessions
from jackpot.people.actions.sign_in import (
    ACT,
    WRONG,
    check_not_locked,
    paced_by_address,
    sign_in,
    take_turn,
    told_name,
)
from jackpot.people.models import Card, OneTimeCode, Operator
from jackpot.people.rules.own_secret import password_refusal, pin_refusal
from jackpot.refusals import NotAllowed, NotAllowedNow, NotFound, NotUnderstood
from jackpot.requests.models import Request
from jackpot.trail.actions.trail import record
from jackpot.trail.rules import objects

CODE_LIVES: Final = timedelta(hours=24)
LETTERS: Final = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # none that is read as another
CODE_LENGTH: Final = 12  # of 31 letters each: 59 bits
_WRONG: Final = "This name and code do not fit together, or the code was used or has ended. Ask for a new one."


def change_password(*, person: Operator, password: str, wished: str, again: str, address: str) -> None:
    """By its owner, who proves it with the old one; every other sign-in ends."""
    _check_written(password, "Write the password that you have now.")
    # Proven as at the sign-in, so a wrong password counts, waits and is told as one.
    sign_in(username=person.username, password=password, address=address)
    check_password(person, wished, again)
    if wished == password:
        raise NotUnderstood("This is the old password. Choose another.", "password")
    _keep_password(person, wished, by=person)


def change_pin(*, person: Operator, card_id: int, password: str, pin: str, again: str, address: str) -> Card:
    """Of one's own card, proven by the own password."""
    _check_written(password, "Write your password.")
    card = person.cards.filter(pk=card_id, blocked_at=None).first()
    if card is None:
        raise NotFound("You have no such card that works. Load the page anew.", "no_card")
    sign_in(username=person.username, password=password, address=address)
    _check_pin(card, pin, again)
    with transaction.atomic():
        check_works_here(person)
        set_pin(card=card, pin=pin, by=person.username)
    return card


@transaction.atomic
def make_code(*, request: Request, person: Operator, card: Card | None, by: Operator) -> str:
    """Shown to one of the two who signed, once; whoever lost it asks for another."""
    if OneTimeCode.objects.filter(request=request).exists():
        raise NotAllowedNow("The code of this request was shown already, once. Ask for a new one.", "shown")
    code = "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))
    OneTimeCode.objects.create(
        request=request, operator=person, card=card, code_hash=_hash(code), shown_to=by,
        ends_at=timezone.now() + CODE_LIVES,
    )  # fmt: skip
    what = {"for": f"card {card.last_four}" if card else "password", "request": request.pk}
    record(actor=by, act="show_code", about=objects.person(person.username), details=what)
    return "-".join(code[at : at + 4] for at in range(0, CODE_LENGTH, 4))


def use_code(*, username: str, code: str, wished: str, again: str, address: str) -> OneTimeCode:
    """The holder chooses the new password or PIN. A wrong code counts as a wrong password, and locks as one."""
    _check_written(username and code, "Write your user name and the code.")
    with paced_by_address(username, address):
        found = _judged(username, code, address)
        if found is None:
            raise NotAllowed(_WRONG, "wrong_code")
    if found.card is None:
        check_password(found.operator, wished, again)
    else:
        _check_pin(found.card, wished, again)
    with transaction.atomic():
        check_works_here(found.operator)
        # Of two who type it at once the second finds it used.
        if not OneTimeCode.objects.filter(pk=found.pk, used_at=None).update(used_at=timezone.now()):
            raise NotAllowed(_WRONG, "wrong_code")
        if found.card is None:
            _keep_password(found.operator, wished, by="two people, by a one-time code")
            forget(person=found.operator, by="two people, by a one-time code")
        else:
            set_pin(card=found.card, pin=wished, by=found.operator.username)
    return found


@transaction.atomic
def _judged(username: str, code: str, address: str) -> OneTimeCode | None:
    take_turn(username, address)
    check_not_locked(username, address)
    plain = code.upper().replace("-", "").replace(" ", "")
    rows = OneTimeCode.objects.select_related("operator", "card").filter(
        code_hash=_hash(plain), operator__username=username, operator__is_active=True, used_at=None,
        ends_at__gt=timezone.now(),
    )  # fmt: skip
    found = rows.first()
    if found is None:
        told = told_name(username)
        record(
            actor=told,
            act=ACT,
            about=objects.person(told),
            outcome=WRONG,
            details={"address": address, "by": "code"},
        )
    return found


@transaction.atomic
def _keep_password(person: Operator, wished: str, by: Operator | str) -> None:
    """Whoever had seen the old one may have linked somebody with it: the link ends with it, as the sign-ins do."""
    check_works_here(person)
    person.set_password(wished)
    person.save(update_fields=["password"])
    ended = close_sessions(person)
    end_link(person=person, by=by)
    record(actor=person, act="set_password", about=objects.person(person.username), details={"sessions": ended})


def _check_written(word: str, why: str) -> None:
    """An empty field is no wrong try, and counts as none."""
    if not word:
        raise NotUnderstood(why, "empty")


def check_password(person: Operator, wished: str, again: str) -> None:
    """Long, not the person's name, not among the first that are tried, and typed twice the same."""
    why = password_refusal(wished, username=person.username, name=person.name)
    if not why and wished != again:
        why = "The two new passwords differ. Type the same one twice."
    if not why and _is_common(wished):
        why = "This password is among those that are tried first. Choose another."
    if why:
        raise NotUnderstood(why, "password")


def _is_common(wished: str) -> bool:
    try:
        CommonPasswordValidator().validate(wished)
    except ValidationError:
        return True
    return False


def _check_pin(card: Card, pin: str, again: str) -> None:
    why = pin_refusal(pin, last_four=card.last_four)
    if not why and pin != again:
        why = "The two PINs differ. Type the same one twice."
    if why:
        raise NotUnderstood(why, "pin")


def _hash(code: str) -> bytes:
    key = hmac.digest(settings.MASTER_KEY, b"one-time codes", "sha256")
    return hmac.digest(key, code.encode(), "sha256")
