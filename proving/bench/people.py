"""People of the measurement, and their sessions: a key that their browser would hold after the sign-in page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from proving.bench.scene import BY


def hired(premises: Any, username: str, may: Sequence[str]) -> Any:
    """Somebody who may do these things."""
    from jackpot.people.actions.people import define_role, hire

    define_role(code=username, name=username.title(), may=list(may), by=BY)
    return hire(
        premises=premises, username=username, name=f"{username.title()} of measurement", roles=[username], by=BY
    )


def session_of(person: Any) -> dict[str, str]:
    """Cookies of a session that is open; signing in by password costs 90 ms by design and is measured nowhere."""
    from importlib import import_module

    from django.conf import settings
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.utils.crypto import get_random_string

    store = import_module(settings.SESSION_ENGINE).SessionStore()
    store[SESSION_KEY], store[BACKEND_SESSION_KEY] = str(person.pk), settings.AUTHENTICATION_BACKENDS[0]
    store[HASH_SESSION_KEY] = person.get_session_auth_hash()
    store.save()
    return {settings.SESSION_COOKIE_NAME: store.session_key, settings.CSRF_COOKIE_NAME: get_random_string(32)}
