"""Passkeys beside the app's digits: a key of the device or of a stick, bound to the name under which we are opened.

A page that imitates ours has another name, and the browser gives it nothing: that is what digits cannot do. The library
reads and verifies what the browser sends; what a challenge is for, and that it is used once, is kept here.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

import webauthn
from django.db import IntegrityError, transaction
from django.utils import timezone
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url, options_to_json_dict
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import PublicKeyCredentialDescriptor

from jackpot.pacing.actions import begin_anew, count_try
from jackpot.people.actions.second_factor import FACTOR_TRIES, codes_left, has_app, new_codes, without_any
from jackpot.people.models import Operator, Passkey
from jackpot.refusals import NotAllowed, NotAllowedNow, NotFound, NotUnderstood
from jackpot.trail.actions.trail import record
from jackpot.trail.rules import objects

CHALLENGE: Final = "passkey_challenge"
SECONDS_TO_TOUCH: Final = 300
MOST: Final = 8
LONGEST_NAME: Final = 40
# What a stranger's bytes may raise inside the library while it reads them.
UNREADABLE: Final = (WebAuthnException, ValueError, KeyError, TypeError, IndexError, AttributeError, OverflowError)
_NOT_IT: Final = "This passkey is not one of yours here, or it answered something else. Try again, or use a code."


@dataclass(frozen=True, slots=True)
class SignInAddress:
    """Under which name the browser has opened us: keys answer to it and to no other."""

    name: str
    origin: str

    @property
    def is_number(self) -> bool:
        return self.name.replace(".", "").isdigit() or ":" in self.name

    def check_has_a_name(self) -> None:
        if self.is_number:
            why = f"A passkey belongs to a name, and this address is a number ({self.name})."
            raise NotAllowedNow(f"{why} Open the name of this server; on this machine itself, localhost.", "no_name")


def passkeys_of(person: Operator, site: SignInAddress | None = None) -> list[Passkey]:
    """All of a person, or those that answer to this name."""
    rows = Passkey.objects.filter(operator=person)
    return list(rows if site is None else rows.filter(site=site.name))


def ask_for_new(person: Operator, site: SignInAddress, session: Any, house: str) -> dict[str, Any]:
    """What the browser needs to make one; the challenge waits in the session."""
    site.check_has_a_name()
    known = passkeys_of(person)
    if len(known) >= MOST:
        raise NotAllowedNow(f"You have {MOST} passkeys already. End one that you use no more.", "too_many")
    options = webauthn.generate_registration_options(
        rp_id=site.name, rp_name=house, user_id=str(person.pk).encode(), user_name=person.username,
        user_display_name=str(person), exclude_credentials=_named(known),
    # Known ones are named, so that a browser does not make a second key on the same device.
    )  # fmt: skip
    _remember(session, "new", person, options.challenge)
    return options_to_json_dict(options)


def keep_new(person: Operator, site: SignInAddress, session: Any, *, name: str, credential: Any) -> list[str]:
    """The key answered: it counts from here on. Recovery codes come with a person's first factor, told this once."""
    label = name.strip()
    if not label or len(label) > LONGEST_NAME:
        raise NotUnderstood(f"Give the passkey a name of 1 to {LONGEST_NAME} characters, such as “my phone”.", "name")
    challenge = _expected(session, "new", person)
    try:
        made = webauthn.verify_registration_response(
            credential=credential, expected_challenge=challenge, expected_rp_id=site.name, expected_origin=site.origin
        )
    except UNREADABLE:
        raise NotAllowed("The passkey's answer does not fit what was asked. Begin anew.", "wrong_passkey") from None
    return _written_down(person, site, label, made)


@transaction.atomic
def _written_down(person: Operator, site: SignInAddress, name: str, made: Any) -> list[str]:
    # Locked: of two first keys at once only one is the first, and recovery codes are told once.
    first = without_any(Operator.objects.select_for_update(no_key=True).get(pk=person.pk))
    try:
        with transaction.atomic():
            Passkey.objects.create(
                operator=person, site=site.name, name=name, credential=made.credential_id,
                public_key=made.credential_public_key, uses=made.sign_count,
            )  # fmt: skip
    except IntegrityError:
        raise NotAllowedNow("This passkey is known here already.", "exists") from None
    record(actor=person, act="add_passkey", about=objects.person(person.username), details={"name": name})
    return new_codes(person) if first or not codes_left(person) else []


def ask_for_one(person: Operator, site: SignInAddress, session: Any) -> dict[str, Any]:
    """What the browser needs to let one answer: only this person's own, and only those of this name."""
    site.check_has_a_name()
    known = passkeys_of(person, site)
    if not known:
        elsewhere = sorted({key.site for key in passkeys_of(person)})
        where = f" Yours were set up at {', '.join(elsewhere)}: open that name." if elsewhere else ""
        raise NotFound(f"You have no passkey at {site.name}.{where}", "no_passkey")
    options = webauthn.generate_authentication_options(rp_id=site.name, allow_credentials=_named(known))
    _remember(session, "show", person, options.challenge)
    return options_to_json_dict(options)


def check_passkey(person: Operator, site: SignInAddress, session: Any, *, credential: Any) -> Passkey:
    """One of the person's keys answered this challenge; each answer counts once, and each try is counted."""
    count_try(FACTOR_TRIES, person.username, "Codes")
    challenge = _expected(session, "show", person)
    with transaction.atomic():
        key = _answered(person, site, challenge, credential)
        told: dict[str, Any] = {"outcome": "done" if key else "wrong"}
        told["details"] = {"by": "passkey", "name": key.name} if key else {"by": "passkey"}
        # This transaction ends before the refusal is raised, so a wrong try stays in the trail.
        record(actor=person, act="second_factor", about=objects.person(person.username), **told)
    if key is None:
        raise NotAllowed(_NOT_IT, "wrong_passkey")
    begin_anew(FACTOR_TRIES, person.username)
    return key


def _answered(person: Operator, site: SignInAddress, challenge: bytes, credential: Any) -> Passkey | None:
    """A counter that did not rise is a copy of the key: it opens nothing."""
    try:
        shown = base64url_to_bytes(str(credential["id"]))[:1024]
        key = Passkey.objects.select_for_update().filter(operator=person, site=site.name, credential=shown).first()
        if key is None:
            return None
        told = webauthn.verify_authentication_response(
            credential=credential, expected_challenge=challenge, expected_rp_id=site.name,
            expected_origin=site.origin, credential_public_key=bytes(key.public_key),
            credential_current_sign_count=key.uses,
        )  # fmt: skip
    except UNREADABLE:
        return None
    key.uses, key.used_at = told.new_sign_count, timezone.now()
    key.save(update_fields=["uses", "used_at"])
    return key


@transaction.atomic
def end_passkey(*, person: Operator, number: int) -> str:
    """One of the own keys opens nothing any more. Who calls this has had a second factor shown."""
    key = Passkey.objects.select_for_update().filter(operator=person, pk=number).first()
    if key is None:
        raise NotFound("You have no such passkey any more.", "no_passkey")
    key.delete()
    # Recovery codes stand in for a factor: with none left they stand for nothing.
    if without_any(person):
        person.recovery_codes.all().delete()
    record(actor=person, act="end_passkey", about=objects.person(person.username), details={"name": key.name})
    return key.name


def factors_of(person: Operator, site: SignInAddress) -> dict[str, bool]:
    """What the page of the second step offers."""
    return {"app": has_app(person), "passkey": not site.is_number and bool(passkeys_of(person, site))}


def _named(known: Iterable[Passkey]) -> list[PublicKeyCredentialDescriptor]:
    return [PublicKeyCredentialDescriptor(id=bytes(key.credential)) for key in known]


def _remember(session: Any, use: str, person: Operator, challenge: bytes) -> None:
    waits = {"use": use, "person": person.pk, "challenge": bytes_to_base64url(challenge), "since": time.time()}
    session[CHALLENGE] = waits


def _expected(session: Any, use: str, person: Operator) -> bytes:
    """Taken out of the session, whatever comes of it: no answer is judged twice."""
    waits: dict[str, Any] = session.pop(CHALLENGE, None) or {}
    fits = (waits.get("use"), waits.get("person")) == (use, person.pk)
    if not fits or time.time() - waits["since"] > SECONDS_TO_TOUCH:
        raise NotAllowedNow("Nothing waits for a passkey here. Press the button again.", "not_begun")
    return base64url_to_bytes(waits["challenge"])
