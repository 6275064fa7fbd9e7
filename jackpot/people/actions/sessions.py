"""Sign-ins that are open: seen per person, ended one by one or all at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.db import transaction
from django.utils import timezone

from jackpot.people.models import Operator
from jackpot.refusals import NotAllowedNow
from jackpot.trail.actions.trail import record
from jackpot.trail.rules import objects


@dataclass(frozen=True, slots=True)
class OpenSession:
    """One browser or program in which somebody is signed in. Its key is a secret; its name here is not."""

    name: str
    key: str
    last_renewed_at: datetime
    ends_at: datetime


def open_sessions() -> Mapping[int, list[OpenSession]]:
    """Of everybody, by the key of the person; newest first. What a session holds is signed, so all are read."""
    found: dict[int, list[OpenSession]] = defaultdict(list)
    for row in Session.objects.filter(expire_date__gt=timezone.now()).order_by("-expire_date"):
        whose = row.get_decoded().get(SESSION_KEY)
        if whose is not None:
            begun = row.expire_date - timedelta(seconds=settings.SESSION_COOKIE_AGE)
            found[int(whose)].append(OpenSession(_name(row.session_key), row.session_key, begun, row.expire_date))
    return found


@transaction.atomic
def end_sessions(*, person: Operator, by: str, why: str, name: str = "") -> int:
    """Signs a person out everywhere, or in the one session of that name; the next request there asks to sign in."""
    ended = close_sessions(person, name)
    if not ended:
        raise NotAllowedNow(f"{person} is not signed in there any more. Nothing was ended.", "no_session")
    details = {"sessions": ended, "which": name or "all"}
    record(actor=by, act="end_sessions", about=objects.person(person.username), why=why, details=details)
    return ended


def close_sessions(person: Operator, name: str = "") -> int:
    """Takes the rows away, inside the act's own transaction; a page that is being answered cannot save them anew."""
    keys = [each.key for each in open_sessions().get(person.pk, ()) if name in ("", each.name)]
    return Session.objects.filter(session_key__in=keys).delete()[0]


def _name(key: str) -> str:
    return sha256(b"session " + key.encode()).hexdigest()[:12]
