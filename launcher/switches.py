"""What the environment names: within its bounds, or a sentence instead of a start."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

from launcher.sentences import CannotStart

ISSUER: Final = "FAIRMETER_OIDC_ISSUER"
CLIENT: Final = "FAIRMETER_OIDC_CLIENT"
IDLE_MINUTES: Final = "FAIRMETER_IDLE_MINUTES"
LEAST_IDLE: Final = 10
LONGEST_IDLE: Final = 8 * 60  # as long as a sign-in lasts anyway


def whole_number(environ: Mapping[str, str], name: str, otherwise: int, *, least: int = 1, most: int = 100_000) -> int:
    """An empty variable counts as unset."""
    written = environ.get(name) or str(otherwise)
    if not (written.isascii() and written.isdigit() and len(written) <= 6 and least <= int(written) <= most):
        raise CannotStart(f"{name} is a whole number from {least:,} to {most:,}, not “{written[:20]}”.")
    return int(written)


def reachable_directory(address: str) -> bool:
    """Encrypted on its way; on this machine itself it need not be."""
    try:
        parts = urlsplit(address)
    except ValueError:  # “https://[”
        return False
    return (parts.scheme == "https" and bool(parts.hostname)) or (
        parts.scheme == "http" and parts.hostname in ("127.0.0.1", "localhost", "::1")
    )


def directory_issuer(environ: Mapping[str, str]) -> str:
    """The casino's OpenID Connect directory; empty: people sign in with their passwords here."""
    issuer = environ.get(ISSUER, "")
    if issuer and not reachable_directory(issuer):
        raise CannotStart(f"{ISSUER} is an address that begins with https://, not “{issuer[:60]}”.")
    if issuer and not environ.get(CLIENT):
        raise CannotStart(f"{ISSUER} is set, so {CLIENT} must say under which name the directory knows Fairmeter.")
    return issuer


def idle_minutes(environ: Mapping[str, str]) -> int:
    """After how many minutes without a touch a sign-in ends; 0 or nothing: only after its eight hours."""
    if environ.get(IDLE_MINUTES, "") in ("", "0"):
        return 0
    return whole_number(environ, IDLE_MINUTES, 0, least=LEAST_IDLE, most=LONGEST_IDLE)
