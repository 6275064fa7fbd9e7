"""What the top of every page says: which house, day, shift and hour, who is looking, and which wins wait."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final

from django import template
from django.contrib.sessions.models import Session
from django.utils import timezone

from jackpot.notices.queries import NoticesOverdue, overdue_notices
from jackpot.people.models import Operator
from jackpot.people.queries import card_level
from jackpot.property.models.property import Property
from jackpot.property.queries import house_of, shift_of
from jackpot.requests.queries import RequestsWaiting, requests_waiting
from jackpot.signing.actions.kinds import known_kinds
from jackpot.wins.queries.pending import PIT_VERBS, Pending, pending_wins

register = template.Library()
SEES_NOTICES: Final = frozenset({"close_day", "adjust", "sign_adjustments", "configure", "people", "pay"})


@dataclass(frozen=True, slots=True)
class PageSurroundings:
    """A page's surroundings, read once per page. `pending` is None for who has no business in the pit, `requests` for
    who signs none."""

    premises: Property | None
    now: datetime
    gaming_day: date | None
    shift: str
    person: Operator | None
    roles: str
    card: str
    verbs: frozenset[str]
    pending: Pending | None
    requests: RequestsWaiting | None
    notices: NoticesOverdue | None
    session_ends: datetime | None


@register.simple_tag(takes_context=True)
def surroundings(context: Any) -> PageSurroundings:
    """Without a request (a fault of ours) it asks the database nothing. Several parts of a page share one look."""
    request = context.get("request")
    if request is None:
        return _house(None)
    # Pages have several parts that ask; the first one's look is kept with the request.
    if not hasattr(request, "surroundings"):
        request.surroundings = _house(request)
    house: PageSurroundings = request.surroundings
    return house


@register.filter
def any_of(verbs: frozenset[str], wanted: str) -> bool:
    """Whether somebody of these verbs may at least one of the wanted."""
    return not verbs.isdisjoint(wanted.split())


def _house(request: Any) -> PageSurroundings:
    user = getattr(request, "user", None)
    person = user if isinstance(user, Operator) else None
    premises = house_of(person) if request is not None else None
    now = timezone.now()
    roles = list(person.roles.all()) if person else []
    # Out of the roles that are shown anyway: asked for by themselves they would cost every page a question more.
    verbs = frozenset(verb for role in roles for verb in role.may)
    return PageSurroundings(
        premises=premises,
        now=now,
        gaming_day=premises.gaming_day(now) if premises else None,
        shift=shift_of(premises, now) if premises else "",
        person=person,
        roles=", ".join(role.name for role in roles),
        card=card_level(person, now) if person else "",
        verbs=verbs,
        pending=pending_wins(person) if not verbs.isdisjoint(PIT_VERBS) else None,
        requests=_requests(person, verbs) if person else None,
        notices=overdue_notices(person, verbs, now) if person and not verbs.isdisjoint(SEES_NOTICES) else None,
        session_ends=_session_ends(request) if person else None,
    )


def _requests(person: Operator, verbs: frozenset[str]) -> RequestsWaiting | None:
    """What waits for a second person, for whoever may be that one."""
    kinds = [kind.code for kind in known_kinds() if not verbs.isdisjoint(kind.may_sign)]
    return requests_waiting(person, kinds) if kinds else None


def _session_ends(request: Any) -> datetime | None:
    """As it is kept: a console on duty may have moved it."""
    key = getattr(getattr(request, "session", None), "session_key", None)
    return Session.objects.filter(pk=key).values_list("expire_date", flat=True).first() if key else None
