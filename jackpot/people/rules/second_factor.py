"""Six digits of a moment, from a secret that an authenticator app keeps (RFC 6238), and codes for when it is lost."""

from __future__ import annotations

import base64
import hmac
import secrets
from collections.abc import Collection
from typing import Final
from urllib.parse import quote, urlencode

SECONDS: Final = 30
DIGITS: Final = 6
SECRET_BYTES: Final = 20
CLOCKS_DIFFER: Final = 1  # steps: a telephone may be half a minute early or late
RECOVERY_CODES: Final = 10
_LETTERS: Final = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # none that is read as another


def digits_at(secret: bytes, step: int) -> str:
    """The code of one step of thirty seconds."""
    digest = hmac.digest(secret, step.to_bytes(8, "big"), "sha1")
    # RFC 4226: the last half byte says where in the digest the number stands; its sign bit is left out.
    at = digest[-1] & 15
    number = int.from_bytes(digest[at : at + 4], "big") & 0x7FFFFFFF
    return str(number % 10**DIGITS).zfill(DIGITS)


def step_of(seconds: float) -> int:
    return int(seconds) // SECONDS


def fitting_step(secret: bytes, typed: str, now: int, used: int) -> int | None:
    """Of which step the typed code is; one that was used, or is older than a used one, fits no more."""
    found = None
    # To the end, found or not: the time it takes tells nobody which step fitted.
    for step in range(now - CLOCKS_DIFFER, now + CLOCKS_DIFFER + 1):
        if hmac.compare_digest(digits_at(secret, step), typed) and step > used:
            found = step
    return found


def app_address(secret: bytes, *, username: str, house: str) -> str:
    """What the picture says to the app."""
    words = {"secret": spoken_secret(secret), "issuer": house, "digits": DIGITS, "period": SECONDS}
    return f"otpauth://totp/{quote(house)}:{quote(username)}?{urlencode(words, quote_via=quote)}"


def spoken_secret(secret: bytes) -> str:
    """As one types it into an app that sees no picture."""
    return base64.b32encode(secret).decode().rstrip("=")


def new_recovery_codes() -> list[str]:
    return ["".join(secrets.choice(_LETTERS) for _ in range(10)) for _ in range(RECOVERY_CODES)]


def plain_code(typed: str) -> str:
    """Without the blanks and dashes that people put in."""
    return "".join(each for each in typed.upper() if each.isalnum())[:20]


def must_have_one(roles: Collection[str], asked_of: Collection[str]) -> bool:
    """Whether somebody with these roles needs a second factor here."""
    return bool(set(roles) & set(asked_of))
