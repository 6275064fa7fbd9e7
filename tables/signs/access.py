"""Who may watch a sign: the enrolled device itself, staff who are signed in, and in a demo casino this machine."""

from __future__ import annotations

import hmac
import ipaddress
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.contrib.auth import get_user
from django.db.models import QuerySet
from django.http import HttpRequest, parse_cookie

from jackpot.trail.actions.trail import record
from jackpot.trail.rules.objects import ObjectKind, ObjectRef
from tables.floor.models.device import Device, DeviceKind, DeviceState
from tables.floor.models.sign import Sign
from tables.setup.actions.enrol import secrets_of
from tables.signs.origin import headers_of, is_ours, is_served

COOKIE: Final = "fairmeter_sign"
NOTED_EVERY: Final = 60.0
KNOCKS_REMEMBERED: Final = 60
COOKIE_LIVES: Final = 400 * 24 * 3600  # the longest a browser keeps one; every visit of the page renews it

_knocked: dict[str, float] = {}


class EnrolledSign(NamedTuple):
    """A sign's device and the generation of the secret that it showed."""

    code: str
    generation: int


@dataclass(frozen=True, slots=True)
class Watcher:
    """Somebody who may watch. People have no `device`."""

    name: str
    device: EnrolledSign | None = None
    session: str = ""


@dataclass(frozen=True, slots=True)
class Asking:
    """What a request or a handshake tells about its sender."""

    cookies: Mapping[str, str]
    address: str
    host: str
    secure: bool
    origin: str | None = None

    @classmethod
    def by_handshake(cls, scope: Mapping[str, Any]) -> Asking:
        headers = headers_of(scope)
        address = (scope.get("client") or ("", 0))[0]
        secure = scope.get("scheme") in {"wss", "https"}
        cookies = parse_cookie(headers.get("cookie", ""))
        return cls(cookies, address, headers.get("host", ""), secure, headers.get("origin"))

    @classmethod
    def by_request(cls, request: HttpRequest) -> Asking:
        address = request.META.get("REMOTE_ADDR", "")
        return cls(request.COOKIES, address, request.get_host(), request.is_secure(), request.headers.get("Origin"))

    @property
    def is_foreign(self) -> bool:
        """A browser on somebody else's page, or a name for this server that is not ours."""
        if self.origin is None:
            return not is_served(self.host)
        return not is_ours(self.origin, self.host, self.secure)


def devices_named(askings: Iterable[Asking]) -> dict[str, Device]:
    """The active devices of signs that these name, by their code: one look, however many ask."""
    tokens = [asking.cookies.get(COOKIE, "") for asking in askings]
    codes = {token.rpartition(".")[0] for token in tokens if token.isascii()} - {""}
    return {device.code: device for device in _active_signs().filter(code__in=codes)} if codes else {}


def watcher_of(sign: Sign, asking: Asking, devices: Mapping[str, Device] | None = None) -> Watcher | None:
    """Who is asking for this sign, if it is somebody who may; `devices` where they were looked up for many."""
    known = devices_named([asking]) if devices is None else devices
    device = _device_of(sign, asking.cookies.get(COOKIE, ""), known)
    if device is not None:
        return Watcher(device.code, device)
    if sign.premises.demo and is_loopback(asking.address):
        return Watcher("demo on this machine")
    return staff_of(asking.cookies.get(settings.SESSION_COOKIE_NAME, ""))


def staff_of(session: str) -> Watcher | None:
    """The person of a live session, if there is one."""
    if not session:
        return None
    # Django finds the person of a session only by a request to hang it on.
    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(session)
    person = get_user(request)
    return Watcher(person.get_username(), session=session) if person.is_authenticated else None


def note_foreign(sign: str, asking: Asking) -> None:
    """A refused page is written down once a minute for its address, whatever it says that it is; of so many addresses
    at most: the trail is not a stranger's to fill."""
    now, knock = time.monotonic(), asking.address or "unknown"
    if now < _knocked.get(knock, float("-inf")) + NOTED_EVERY:
        return
    if len(_knocked) >= KNOCKS_REMEMBERED:
        for old in [each for each, at in list(_knocked.items()) if now >= at + NOTED_EVERY]:
            _knocked.pop(old, None)
        if len(_knocked) >= KNOCKS_REMEMBERED:
            return
    _knocked[knock] = now
    why = f"A page of {asking.origin or 'nowhere'} asked {asking.host or 'us'} for this sign. Only our own pages may."
    record(
        actor=knock,
        act="sign_connect",
        about=ObjectRef(ObjectKind.SIGN, sign),
        outcome="refused",
        why=why,
    )


def token_of(device: Device, secret: bytes) -> str:
    """What the sign's cookie holds: it proves the secret and does not tell it."""
    return f"{device.code}.{hmac.digest(secret, f'sign|{device.code}'.encode(), 'sha256').hex()}"


def proved(device: Device, nonce: str, path: str, version: str, proof: str) -> EnrolledSign | None:
    """Who answered a box sign's challenge, by the same rule as a table controller's."""
    said = f"{nonce}|{path}|{device.code}|{version}".encode()
    return _fitting(device, proof, lambda key: hmac.digest(key, said, "sha256").hex())


def device_at(sign: Sign, code: str) -> Device | None:
    """The active device of that code which hangs as this sign."""
    return _active_signs().filter(code=code, sign=sign).first()


def _active_signs() -> QuerySet[Device]:
    return Device.objects.filter(kind=DeviceKind.SIGN, state=DeviceState.ACTIVE, secret__isnull=False)


def is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address.partition("%")[0]).is_loopback
    except ValueError:
        return False


def _device_of(sign: Sign, token: str, known: Mapping[str, Device]) -> EnrolledSign | None:
    # Digests are compared as ASCII; whatever else a cookie holds is nobody's.
    device = known.get(token.rpartition(".")[0]) if token.isascii() else None
    if device is None or device.sign_id != sign.pk:
        return None
    return _fitting(device, token, lambda key: token_of(device, key))


def _fitting(device: Device, shown: str, ours: Callable[[bytes], str]) -> EnrolledSign | None:
    """With which of its secrets that are heard it showed this."""
    fitting = [secret for secret in secrets_of(device) if hmac.compare_digest(ours(secret.key), shown)]
    return EnrolledSign(device.code, fitting[0].generation) if fitting else None
