"""Whose page opened this connection. A browser always says so; only our own pages may listen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.http.request import split_domain_port, validate_host

# A browser leaves the port of its scheme out of the Origin, and we may be asked with it.
DEFAULT_PORTS = {"http": 80, "https": 443}


def headers_of(scope: Mapping[str, Any]) -> dict[str, str]:
    return {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}


def is_ours(origin: str, host: str, secure: bool) -> bool:
    """Exactly the scheme, host and port that were asked for, or one that the settings name.

    The host must be one we serve: a foreign name that points at our address agrees with itself, not with us.
    """
    if origin in settings.ALLOWED_ORIGINS:
        return True
    return is_served(host) and _place(origin) is not None and _place(origin) == _place(_asked_for(host, secure))


def is_served(host: str) -> bool:
    domain, _ = split_domain_port(host)
    return bool(domain) and validate_host(domain, settings.ALLOWED_HOSTS)


def _asked_for(host: str, secure: bool) -> str:
    return f"{'https' if secure or settings.OVER_TLS else 'http'}://{host}"


def _place(origin: str) -> tuple[str, str, int] | None:
    try:
        parts = urlsplit(origin)
        port = parts.port or DEFAULT_PORTS.get(parts.scheme)
    except ValueError:
        return None
    if port is None or not parts.hostname:
        return None
    return parts.scheme, parts.hostname.lower(), port
