"""Devices come to have a secret of their own, keep it encrypted with us, and lose it in one touch.

Each new secret is one generation more. Whoever changes a device's secrets holds the locks of its table's jackpots: the
batch asks for the generation under these locks, so from the commit on an older secret counts nothing anywhere.
"""

from __future__ import annotations

import base64
import hmac
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Final, NamedTuple, TypeVar

from cryptography.fernet import Fernet
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from jackpot.books import events
from jackpot.pacing.actions import count_try, take_try_back
from jackpot.pacing.rules import TryPace
from jackpot.refusals import NotAllowed, NotAllowedNow, NotUnderstood
from jackpot.trail.actions.trail import record
from jackpot.trail.rules import objects
from tables.floor.actions.state import hold_row_of, lock_jackpots_of
from tables.floor.models.device import Device, DeviceKind, DeviceState
from tables.floor.models.table import Table

Enrolment = TypeVar("Enrolment")
CODE_TRIES: Final = TryPace("enrol", free=20, longest=timedelta(minutes=1))
_ALPHABET: Final = "ABCDEFGHJKMNPQRSTVWXYZ23456789"  # nothing that reads like something else
CONSOLE: Final = "-CONSOLE"
CODE_LIVES: Final = timedelta(hours=24)
LONGEST_GRACE: Final = timedelta(days=7)
_NUMBERS: Final = ("last_sequence", "heard_sequence", "earlier_sequence")
_SECRETS: Final = ("secret", "secret_before", "earlier_until", "generation", *_NUMBERS)


class DeviceSecret(NamedTuple):
    """A secret that is heard: its generation, and for the one before the newest until when."""

    key: bytes
    generation: int
    until: datetime | None = None

    def lasts(self, now: datetime) -> bool:
        return self.until is None or now < self.until


@dataclass(frozen=True, slots=True)
class Enrolled:
    """What a device learns once."""

    device_code: str
    secret_hex: str
    table_code: str | None
    sign_code: str | None
    generation: int


@transaction.atomic
def invite(*, device: Device, by: str, for_its_page: bool = False) -> str:
    """A one-time code, good for a day; a newer one makes the older one useless.

    Of a dealer's console nobody learns a secret: only the page that is just being opened asks `for_its_page`.
    """
    if not for_its_page:
        _refuse_console(device)
    if device.state == DeviceState.BLOCKED:
        raise NotAllowedNow(f"Device {device.code} is blocked. Unblock it before it is enrolled again.", "blocked")
    # Twelve of 30 signs, good for a day: nobody finds one at the pace of `CODE_TRIES`.
    code = "-".join("".join(secrets.choice(_ALPHABET) for _ in range(4)) for _ in range(3))
    device.enrol_hash = _code_hash(code)
    device.enrol_expires_at = timezone.now() + CODE_LIVES
    device.save(update_fields=["enrol_hash", "enrol_expires_at"])
    record(actor=by, act="invite_device", about=objects.device(device.code))
    return code


def at_that_pace(address: str, work: Callable[[], Enrolment]) -> Enrolment:
    """Guessing codes is slowed where it comes from; nobody elsewhere waits. A right code is no guess."""
    count_try(CODE_TRIES, address, "Codes")
    enrolled = work()
    take_try_back(CODE_TRIES, address)
    return enrolled


@transaction.atomic
def enrol(*, code: str) -> Enrolled:
    """The device that holds the code gets a secret; the code is spent, and every secret before it is worthless."""
    # Found first, locked second: which jackpots to lock is known only when the device is.
    known = Device.objects.filter(enrol_hash=_code_hash(code)).first()
    device = None if known is None else _locked(known)
    if device is not None and bytes(device.enrol_hash or b"") != _code_hash(code):
        device = None  # spent while we waited
    if device is None or device.enrol_expires_at is None or device.enrol_expires_at < timezone.now():
        raise NotAllowed("This code is unknown, spent or too old. Ask the technician for a new one.", "code_unknown")
    if device.state == DeviceState.BLOCKED:
        raise NotAllowed(f"Device {device.code} is blocked. Ask the technician.", "blocked")
    secret = _give(device, grace_until=None)
    device.state, device.enrolled_at = DeviceState.ACTIVE, timezone.now()
    device.enrol_hash = device.enrol_expires_at = None
    device.save(update_fields=[*_SECRETS, "state", "enrolled_at", "enrol_hash", "enrol_expires_at"])
    _record_act(device, "enrol_device", device.code, generation=device.generation)
    table, sign = device.table, device.sign
    places = table.code if table else None, sign.code if sign else None
    return Enrolled(device.code, secret.hex(), *places, device.generation)


def refuse_second_controller(*, table_code: str, code: str) -> None:
    """A technician alone gives no table a second voice: the first is blocked before, or it is set up by two people.

    Under the table's locks, which the caller's transaction keeps: of two technicians the second sees the first's box.
    """
    table = Table.objects.filter(code=table_code).first()
    if table is not None:
        lock_jackpots_of(table)
        hold_row_of(table_code)
    first = first_controller(table_code=table_code, but=code)
    if first is not None:
        why = (
            f"{table_code} has the controller {first.code}. Block that one first, with the reason, or let an "
            "administrator ask for the second one under Setting up; another person signs it."
        )
        raise NotAllowed(why, "second_controller")


def _refuse_second_voice(device: Device) -> None:
    """Block the first, register another, unblock the first: back alone it comes only where no other box speaks."""
    if device.table is None:
        return
    lock_jackpots_of(device.table)
    hold_row_of(device.table.code)
    first = speaks_beside(device)
    if first is not None:
        why = (
            f"{device.table.code} has the controller {first.code} by now. Block that one first, with the reason, or "
            f"let an administrator ask for {device.code} to come back beside it, under Setting up, Devices; another "
            "person signs it."
        )
        raise NotAllowed(why, "second_controller")


def speaks_beside(device: Device) -> Device | None:
    """The box that speaks for the table of this one, where this one would be a second voice."""
    if device.kind != DeviceKind.CONTROLLER or device.table is None or device.code.endswith(CONSOLE):
        return None
    return first_controller(table_code=device.table.code, but=device.code)


def first_controller(*, table_code: str, but: str) -> Device | None:
    """The box that speaks for the table besides this one. The dealer's console is a page of its own and no box."""
    # One that waits to be enrolled counts too: it has a code, and with it a voice whenever it likes.
    others = Device.objects.filter(kind=DeviceKind.CONTROLLER, table__code=table_code).exclude(code=but)
    return others.exclude(state=DeviceState.BLOCKED).exclude(code__endswith=CONSOLE).order_by("code").first()


def _refuse_console(device: Device) -> None:
    """A secret of it would be a second voice at a table, without the second person whom that takes."""
    if device.kind == DeviceKind.CONTROLLER and device.code.endswith(CONSOLE):
        why = f"{device.code} is the dealer's console: a page, which speaks by its dealer's sign-in and badge."
        raise NotAllowed(f"{why} It has no secret to be told. A box needs a device of its own.", "console")


@transaction.atomic
def block(*, device: Device, by: str, why: str = "") -> None:
    """From the commit on the device is heard by no process: the batch reads its state under the jackpots' locks."""
    if device.table is not None:
        lock_jackpots_of(device.table)
    # With its open invitation: a blocked device must not come back by a code that was given before.
    device.state, device.enrol_hash = DeviceState.BLOCKED, None
    device.save(update_fields=["state", "enrol_hash"])
    _record_act(device, "block_device", by, why)


@transaction.atomic
def unblock(*, device: Device, by: str, why: str, agreed: bool = False) -> None:
    """A blocked device may be enrolled again; its old secret is gone, and the trail says why it was let in.

    `agreed`: asked for under Setting up, where a second controller takes two people.
    """
    if not why.strip():
        raise NotUnderstood(f"Say in a few words why {device.code} may be enrolled again.", "reason")
    if not agreed:
        _refuse_second_voice(device)
    held = _locked(device)
    if held.state != DeviceState.BLOCKED:
        raise NotAllowedNow(f"Device {held.code} is not blocked. Nothing needs to be done.", "not_blocked")
    _silence(held)
    _tell_caller(device, held)
    _record_act(held, "unblock_device", by, why)


@transaction.atomic
def rotate(*, device: Device, by: str, grace: timedelta = timedelta(0), why: str = "") -> str:
    """A new secret for a device at work. The one before it ends at once, or is heard until a date that is kept.

    Only the one before: a rotation within the grace ends what the first rotation had spared.
    """
    _refuse_console(device)
    if not timedelta(0) <= grace <= LONGEST_GRACE:
        raise NotUnderstood(f"An earlier secret may be heard for at most {LONGEST_GRACE.days} days.", "grace")
    held = _locked(device)
    if held.state != DeviceState.ACTIVE or held.secret is None:
        raise NotAllowedNow(f"Device {held.code} is not enrolled. Enrol it first.", "not_enrolled")
    secret = _give(held, grace_until=timezone.now() + grace if grace else None)
    held.save(update_fields=_SECRETS)
    _tell_caller(device, held)
    until = held.earlier_until
    told = {"generation": held.generation, "earlier_until": until.isoformat() if until else None}
    _record_act(held, "rotate_device", by, why, **told)
    return secret.hex()


@transaction.atomic
def end_earlier_secret(*, device: Device, by: str, why: str) -> None:
    """The secret before the newest is heard no more, whatever was granted; the newest goes on."""
    _check_reason(device, why)
    held = _locked(device)
    if held.secret_before is None:
        raise NotAllowedNow(f"Device {held.code} has one secret only; no earlier one is heard.", "no_earlier")
    held.secret_before = held.earlier_until = None
    held.save(update_fields=_SECRETS)
    _tell_caller(device, held)
    _record_act(held, "end_earlier_secret", by, why, generation=held.generation - 1)


@transaction.atomic
def end_secrets(*, device: Device, by: str, why: str) -> None:
    """No secret that the device ever had opens anything; it waits to be enrolled with a one-time code."""
    _check_reason(device, why)
    held = _locked(device)
    if held.state != DeviceState.ACTIVE:
        raise NotAllowedNow(f"Device {held.code} has no secret that is heard. Nothing needs to be ended.", "no_secret")
    ended = held.generation
    _silence(held)
    _tell_caller(device, held)
    _record_act(held, "end_secrets", by, why, generation=ended)


def secrets_of(device: Device) -> tuple[DeviceSecret, ...]:
    """The secrets that are heard now, newest first."""
    if device.secret is None:
        return ()
    newest = DeviceSecret(_opened(device.secret), device.generation)
    if device.secret_before is None or device.earlier_until is None or device.earlier_until <= timezone.now():
        return (newest,)
    return newest, DeviceSecret(_opened(device.secret_before), device.generation - 1, device.earlier_until)


def secret_of(device: Device) -> bytes:
    return secrets_of(device)[0].key


def _give(device: Device, grace_until: datetime | None) -> bytes:
    """One generation more, with numbers of its own: what the one before has spent stays spent. The caller saves it."""
    secret = secrets.token_bytes(32)
    # The secret before goes on with its own numbers: began it at 0 again, what it once sent could be sent again.
    device.earlier_sequence = max(device.last_sequence, device.heard_sequence)
    device.last_sequence = device.heard_sequence = 0
    device.secret_before, device.earlier_until = (device.secret, grace_until) if grace_until else (None, None)
    device.secret = _sealed(secret)
    device.generation += 1
    return secret


def _silence(device: Device) -> None:
    """Without a secret or a code that gets one, and waiting to be enrolled."""
    device.state, device.enrol_hash = DeviceState.WAITING, None
    device.secret = device.secret_before = device.earlier_until = None
    device.save(update_fields=[*_SECRETS, "state", "enrol_hash"])


def _locked(device: Device) -> Device:
    """The device as it stands, under the locks that its acts ask under: jackpots first, as everybody locks."""
    if device.table is not None:
        lock_jackpots_of(device.table)
    # The device alone: its table's row stays free for others.
    return Device.objects.select_for_update(of=["self"]).select_related("table", "sign").get(pk=device.pk)


def _tell_caller(device: Device, held: Device) -> None:
    # The caller's object was read before the lock, and goes on to be shown or told.
    for name in (*_SECRETS, "state"):
        setattr(device, name, getattr(held, name))


def _check_reason(device: Device, why: str) -> None:
    if not why.strip():
        raise NotUnderstood(f"Say in a few words why secrets of {device.code} are ended.", "reason")


def _record_act(device: Device, act: str, by: str, why: str = "", **details: int | str | None) -> None:
    record(actor=by, act=act, about=objects.device(device.code), why=why, details=details)
    # Each process keeps secrets and lines of its own; with the commit this wakes the watch of all of them.
    events.notify(f"device {device.code}")


def _code_hash(code: str) -> bytes:
    # A key for this purpose alone: who reads the database finds no code by trying all of them.
    key = hmac.digest(settings.MASTER_KEY, b"enrolment", "sha256")
    # As people read it out: with or without its hyphens, in any case.
    spoken = code.strip().upper().replace("-", "").replace(" ", "")
    return hmac.digest(key, spoken.encode(), "sha256")


def _sealed(secret: bytes) -> bytes:
    return _locker().encrypt(secret)


def _opened(sealed: bytes | memoryview) -> bytes:
    return _locker().decrypt(bytes(sealed))


# The file key does not change while a process runs, so its key for devices is drawn once.
@lru_cache(maxsize=1)
def _locker() -> Fernet:
    return Fernet(base64.urlsafe_b64encode(hmac.digest(settings.MASTER_KEY, b"devices", "sha256")))
