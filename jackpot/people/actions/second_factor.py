"""The second thing beside the password: an app's six digits, or a passkey (`passkeys`); reset by two others.

Two people who ask for and sign a one-time code for a password answer for the person as such: using that code ends the
second factor too, and the person sets up a new one.
"""

from __future__ import annotations

import base64
import hmac
import secrets
from datetime import timedelta
from typing import Any, Final

from cryptography.fernet import Fernet
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from jackpot.pacing.actions import begin_anew, count_try
from jackpot.pacing.rules import TryPace
from jackpot.people.models import Operator, Passkey, RecoveryCode, SecondFactor
from jackpot.people.rules.second_factor import (
    SECRET_BYTES,
    fitting_step,
    must_have_one,
    new_recovery_codes,
    plain_code,
    step_of,
)
from jackpot.refusals import NotAllowed, NotAllowedNow
from jackpot.trail.actions.trail import record
from jackpot.trail.rules import objects

FACTOR_TRIES: Final = TryPace("second_factor", free=5, longest=timedelta(minutes=15))
_WRONG: Final = "This code does not fit, or it was used already. Wait for the app's next one and type that."


def has_app(person: Operator) -> bool:
    return SecondFactor.objects.filter(operator=person, confirmed_at__isnull=False).exists()


def has_one(person: Operator) -> bool:
    """An app that is confirmed, or a passkey."""
    return has_app(person) or not without_any(person)


def without_any(person: Operator) -> bool:
    """Nothing beside the password opens anything for this person."""
    return not has_app(person) and not Passkey.objects.filter(operator=person).exists()


def lacks_one(person: Operator) -> bool:
    """The house asks a second factor of one of this person's roles, and there is none yet."""
    asked = settings.SECOND_FACTOR_ROLES
    return bool(asked) and must_have_one(person.roles.values_list("code", flat=True), asked) and not has_one(person)


@transaction.atomic
def begin(person: Operator) -> bytes:
    """A secret for the app to keep; it counts only once a code of it was typed. Begun again it is another one."""
    if has_app(person):
        raise NotAllowedNow("You have an app already. End it before you set up another.", "there_already")
    secret = secrets.token_bytes(SECRET_BYTES)
    SecondFactor.objects.update_or_create(
        operator=person, defaults={"secret": _box().encrypt(secret), "last_step": 0, "confirmed_at": None}
    )
    return secret


def begun(person: Operator) -> bytes | None:
    """The secret that waits for its first code."""
    row = SecondFactor.objects.filter(operator=person, confirmed_at=None).first()
    return None if row is None else _box().decrypt(bytes(row.secret))


def confirm(*, person: Operator, code: str) -> list[str]:
    """The app shows the right digits: from now on they are asked for. The recovery codes are told this once."""
    count_try(FACTOR_TRIES, person.username, "Codes")
    with transaction.atomic():
        row = SecondFactor.objects.select_for_update().filter(operator=person, confirmed_at=None).first()
        if row is None:
            raise NotAllowedNow("Nothing waits to be confirmed. Begin anew.", "not_begun")
        if not _fits(row, code):
            raise NotAllowed(_WRONG, "wrong_code")
        row.confirmed_at = timezone.now()
        row.save(update_fields=["confirmed_at", "last_step"])
        codes = new_codes(person)
        record(actor=person, act="set_second_factor", about=objects.person(person.username))
    begin_anew(FACTOR_TRIES, person.username)
    return codes


def new_codes(person: Operator) -> list[str]:
    """Recovery codes, told this once; older ones open nothing any more."""
    codes = new_recovery_codes()
    RecoveryCode.objects.filter(operator=person).delete()
    RecoveryCode.objects.bulk_create(RecoveryCode(operator=person, code_hash=_hash(each)) for each in codes)
    return codes


def check(*, person: Operator, code: str) -> str:
    """The app's digits, or a recovery code; each fits once. Says which of them it was."""
    count_try(FACTOR_TRIES, person.username, "Codes")
    with transaction.atomic():
        used = _used(person, code)
        told: dict[str, Any] = {"outcome": "done" if used else "wrong", "details": {"by": used} if used else {}}
        record(actor=person, act="second_factor", about=objects.person(person.username), **told)
    if not used:
        raise NotAllowed(_WRONG, "wrong_code")
    begin_anew(FACTOR_TRIES, person.username)
    return used


def _used(person: Operator, code: str) -> str:
    """What fitted, used up from here on; nothing where nothing did, or where the factor was reset meanwhile."""
    # Locked: of two who type the same digits at once the second finds them used.
    row = SecondFactor.objects.select_for_update().filter(operator=person, confirmed_at__isnull=False).first()
    if row is not None and _fits(row, code):
        row.save(update_fields=["last_step"])
        return "app"
    unused = RecoveryCode.objects.filter(operator=person, code_hash=_hash(plain_code(code)), used_at=None)
    return "recovery code" if unused.update(used_at=timezone.now()) else ""


def end(*, person: Operator, code: str) -> None:
    """The app, by its person, with a last code. Where the house asks for a factor, another must be set up at once."""
    if not has_app(person):
        raise NotAllowedNow("You have no app set up.", "none")
    check(person=person, code=code)
    with transaction.atomic():
        SecondFactor.objects.filter(operator=person).delete()
        if without_any(person):
            RecoveryCode.objects.filter(operator=person).delete()
        record(actor=person, act="end_second_factor", about=objects.person(person.username))


@transaction.atomic
def forget(*, person: Operator, by: Any) -> None:
    """The app, every passkey and the recovery codes are gone."""
    gone = [kept.objects.filter(operator=person).delete()[0] for kept in (SecondFactor, Passkey)]
    RecoveryCode.objects.filter(operator=person).delete()
    if any(gone):
        record(actor=by, act="end_second_factor", about=objects.person(person.username))


def codes_left(person: Operator) -> int:
    return RecoveryCode.objects.filter(operator=person, used_at=None).count()


def _fits(row: SecondFactor, code: str) -> bool:
    typed = plain_code(code)
    step = fitting_step(_box().decrypt(bytes(row.secret)), typed, step_of(timezone.now().timestamp()), row.last_step)
    if step is not None:
        row.last_step = step
    return step is not None


def _box() -> Fernet:
    return Fernet(base64.urlsafe_b64encode(hmac.digest(settings.MASTER_KEY, b"second factors", "sha256")))


def _hash(code: str) -> bytes:
    return hmac.digest(hmac.digest(settings.MASTER_KEY, b"recovery codes", "sha256"), code.encode(), "sha256")
