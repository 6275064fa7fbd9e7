"""Devices come to have a secret of their own, keep it encrypted with us, and lose it in one touch."""

from __future__ import annotations

import base64
import hmac
import secrets
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from typing import Final

from cryptography.fernet import Fernet
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from jackpot.books import events
from jackpot.refusals import NotAllowed, NotAllowedNow, NotUnderstood
from jackpot.trail.actions.trail import record
from jackpot.trail.rules import objects
from tables.floor.actions.state import lock_jackpots_of
from tables.floor.models.device import Device, DeviceState

_ALPHABET: Final = "ABCDEFGHJKMNPQRSTVWXYZ23456789"  # nothing that reads like something else
CODE_LIVES: Final = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class Enrolled:
    """What a device learns once."""

    device_code: str
    secret_hex: str
    table_code: str | None
    sign_code: str | None


@transaction.atomic
def invite(*, device: Device, by: str) -> str:
    """A one-time code, good for a day; a newer one makes the older one useless."""
    if device.state == DeviceState.BLOCKED:
        raise NotAllowedNow(f"Device {device.code} is blocked. Unblock it before it is enrolled again.", "blocked")
    code = "-".join("".join(secrets.choice(_ALPHABET) for _ in range(4)) for _ in range(3))
    device.enrol_hash = _code_hash(code)
    device.enrol_expires_at = timezone.now() + CODE_LIVES
    device.save(update_fields=["enrol_hash", "enrol_expires_at"])
    record(actor=by, act="invite_device", about=objects.device(device.code))
    return code


@transaction.atomic
def enrol(*, code: str) -> Enrolled:
    """The device that holds the code gets a secret; the code is spent."""
    device = Device.objects.select_for_update().filter(enrol_hash=_code_hash(code)).first()
    if device is None or device.enrol_expires_at is None or device.enrol_expires_at < timezone.now():
        raise NotAllowed("This code is unknown, spent or too old. Ask the technician for a new one.", "code_unknown")
    if device.state == DeviceState.BLOCKED:
        raise NotAllowed(f"Device {device.code} is blocked. Ask the technician.", "blocked")
    secret = secrets.token_bytes(32)
    device.secret, device.secret_before = _sealed(secret), None
    device.state, device.enrolled_at = DeviceState.ACTIVE, timezone.now()
    device.enrol_hash = device.enrol_expires_at = None
    device.save()
    _record_act(device, "enrol_device", device.code)
    table, sign = device.table, device.sign
    return Enrolled(device.code, secret.hex(), table.code if table else None, sign.code if sign else None)


@transaction.atomic
def block(*, device: Device, by: str, why: str = "") -> None:
    """From the commit on the device is heard by no process: the batch reads its state under the jackpots' locks."""
    if device.table is not None:
        lock_jackpots_of(device.table)
    device.state, device.enrol_hash = DeviceState.BLOCKED, None
    device.save(update_fields=["state", "enrol_hash"])
    _record_act(device, "block_device", by, why)


@transaction.atomic
def unblock(*, device: Device, by: str, why: str) -> None:
    """A blocked device may be enrolled again; its old secret is gone, and the trail says why it was let in."""
    if not why.strip():
        raise NotUnderstood(f"Say in a few words why {device.code} may be enrolled again.", "reason")
    if device.state != DeviceState.BLOCKED:
        raise NotAllowedNow(f"Device {device.code} is not blocked. Nothing needs to be done.", "not_blocked")
    if device.table is not None:
        lock_jackpots_of(device.table)
    device.state, device.secret, device.secret_before = DeviceState.WAITING, None, None
    device.save(update_fields=["state", "secret", "secret_before"])
    _record_act(device, "unblock_device", by, why)


@transaction.atomic
def rotate(*, device: Device, by: str) -> str:
    """A new secret for a device at work; the old one stays valid until the next rotation."""
    if device.state != DeviceState.ACTIVE or device.secret is None:
        raise NotAllowedNow(f"Device {device.code} is not enrolled. Enrol it first.")
    secret = secrets.token_bytes(32)
    device.secret, device.secret_before = _sealed(secret), device.secret
    device.save(update_fields=["secret", "secret_before"])
    _record_act(device, "rotate_device", by)
    return secret.hex()


def secrets_of(device: Device) -> tuple[bytes, ...]:
    """The secrets that are valid now, newest first."""
    kept = (device.secret, device.secret_before)
    return tuple(_locker().decrypt(bytes(sealed)) for sealed in kept if sealed is not None)


def secret_of(device: Device) -> bytes:
    return secrets_of(device)[0]


def _record_act(device: Device, act: str, by: str, why: str = "") -> None:
    record(actor=by, act=act, about=objects.device(device.code), why=why)
    events.notify(f"device {device.code}")


def _code_hash(code: str) -> bytes:
    key = hmac.digest(settings.MASTER_KEY, b"enrolment", "sha256")
    spoken = code.strip().upper().replace("-", "").replace(" ", "")
    return hmac.digest(key, spoken.encode(), "sha256")


def _sealed(secret: bytes) -> bytes:
    return _locker().encrypt(secret)


@lru_cache(maxsize=1)
def _locker() -> Fernet:
    return Fernet(base64.urlsafe_b64encode(hmac.digest(settings.MASTER_KEY, b"devices", "sha256")))
