"""The people desk: who works here, a page per person, and what one person may do at once."""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from accounting.people_desk.actions.access import (
    block_card_of,
    end_sessions_of,
    unlock_card_of,
    unlock_name_of,
    withdraw_left_open,
)
from accounting.people_desk.actions.asking import show_code, take_roles
from accounting.people_desk.actions.leaving import dismiss_everywhere
from accounting.people_desk.pages.shown import request_line, review_due
from accounting.people_desk.queries import codes_to_show, last_review, left_open, people_requests, staff, staff_record
from accounting.people_desk.rules.staff_wish import StaffWish
from jackpot.people.models import Card, Operator, Role
from jackpot.people.queries import people
from jackpot.property.models.property import Property
from jackpot.property.queries import house_of
from jackpot.refusals import NotFound, NotUnderstood, Refused
from jackpot.requests.rules.life import OPEN
from jackpot.trail.actions.trail import note_look
from jackpot.trail.rules import objects
from jackpot.web.pages.access import needs
from jackpot.web.pages.posting import posts, word

READS: Final = ("people", "read_trail")
CHANGES: Final = "people"
STATES: Final = ("signs in", "card only", "no way in yet", "dismissed")


@needs(*READS)
def people_list(request: HttpRequest) -> HttpResponse:
    """Everybody of the house in one dense list."""
    asked = {name: request.GET.get(name, "")[:60] for name in ("q", "role", "state")}
    lines = staff(request.user, text=asked["q"].strip(), role=asked["role"], state=asked["state"])
    waiting, house = people_requests(request.user).filter(state__in=OPEN), house_of(request.user)
    return render(
        request,
        "accounting/people_desk/people.html",
        {
            "lines": lines, "asked": asked, "roles": Role.objects.all(), "states": STATES,
            "house_here": house, "signed_in": sum(len(line.sessions) for line in lines),
            "working": sum(line.person.is_active for line in lines), "may": _looks(request).may(CHANGES),
            "review_due": _review_due(house), "waiting": [request_line(row, _looks(request)) for row in waiting],
        },
    )  # fmt: skip


@needs(*READS)
def person(request: HttpRequest, username: str) -> HttpResponse:
    """One person: what they may do now, what they did lately, and the acts of whoever gives roles."""
    who, looks = person_of(request, username), _looks(request)
    note_look(by=request.user, about=objects.person(who.username))
    told = staff_record(who)
    return render(
        request,
        "accounting/people_desk/person.html",
        {
            "record": told, "line": told.line, "person": who, "house_here": house_of(request.user),
            "may": looks.may(CHANGES), "own": looks.pk == who.pk,
            "requests": [request_line(row, who) for row in told.requests],
            "left_open": [request_line(row, who) for row in told.left_open],
            "codes": [(row, StaffWish.of(row.payload)) for row in codes_to_show(who, looks)],
            "has": who.roles.all(),
        },
    )  # fmt: skip


@posts(CHANGES, back_to="person")
def person_dismiss(request: HttpRequest, username: str) -> str:
    """At once, by one person."""
    gone = person_of(request, username)
    # A dismissal ends cards and sign-ins at once and for good; the name is typed against a slip of the mouse.
    if word(request, "sure", 60) != gone.username:
        raise NotUnderstood(f"Write the user name {gone.username} to say that you mean this person.", "sure")
    ended = dismiss_everywhere(person=gone, why=word(request, "reason", 201), by=_looks(request))
    what = f"{ended.sessions} sign-ins ended, {len(ended.cards)} cards blocked, {len(ended.keys)} keys dropped"
    return f"{gone} is dismissed: {what}. Their name stays on every record."


@posts(CHANGES, back_to="person")
def person_take_roles(request: HttpRequest, username: str) -> str:
    """What takes away counts at once, by one person."""
    who, codes = person_of(request, username), request.POST.getlist("roles")
    take_roles(person=who, roles=codes, why=word(request, "reason", 201), by=_looks(request))
    return f"The roles {', '.join(codes)} of {who} are gone from this moment on."


@never_cache
@sensitive_post_parameters()
@needs(CHANGES, method="POST")
def code_once(request: HttpRequest, number: str) -> HttpResponse:
    """The code stands on this one answer and nowhere else."""
    row = get_object_or_404(people_requests(request.user), pk=int(number))
    told: dict[str, Any] = {"wish": StaffWish.of(row.payload)}
    try:
        # By a press and never by a look at a page, which a browser repeats and keeps.
        told["code"], status = show_code(row=row, by=_looks(request)), 200
    except Refused as refused:
        told["problem"], status = refused.why, refused.status
    return render(request, "accounting/people_desk/code_once.html", told, status=status)


@posts(CHANGES, back_to="person")
def person_sessions(request: HttpRequest, username: str) -> str:
    who = person_of(request, username)
    name, why = word(request, "session", 12), word(request, "reason", 201)
    ended = end_sessions_of(person=who, why=why, by=_looks(request), name=name)
    return f"{ended} sign-in{'' if ended == 1 else 's'} of {who} ended."


@posts(CHANGES, back_to="person")
def person_unlock(request: HttpRequest, username: str) -> str:
    who = person_of(request, username)
    unlock_name_of(person=who, why=word(request, "reason", 201), by=_looks(request))
    return f"{who} may try the password again. It is the old one."


@posts(CHANGES, back_to="person")
def person_card(request: HttpRequest, username: str) -> str:
    """Blocks a card or unlocks it."""
    card = _card(request, person_of(request, username))
    acts = {"block": block_card_of, "unlock": unlock_card_of}
    act = word(request, "act", 10)
    if act not in acts:
        raise NotUnderstood("Choose whether the card is blocked or unlocked.", "act")
    acts[act](card=card, why=word(request, "reason", 201), by=_looks(request))
    return f"Card •••• {card.last_four} of {card.operator} is {act}ed."


@posts(CHANGES, back_to="person")
def person_withdraw(request: HttpRequest, username: str) -> str:
    """What a dismissed person left undecided is taken back."""
    number = word(request, "request", 18)
    rows = left_open(person_of(request, username))
    row = rows.filter(pk=int(number)).first() if number.isascii() and number.isdigit() else None
    if row is None:
        raise NotFound("This request is decided already. Load the page anew.", "no_request")
    withdraw_left_open(row=row, by=_looks(request))
    return f"Request {row.pk} is withdrawn under your name."


def person_of(request: HttpRequest, username: str) -> Operator:
    return get_object_or_404(people(request.user), username=username)


def _review_due(house: Property | None) -> str:
    return "" if house is None else review_due(last_review(house), house, timezone.now())


def _card(request: HttpRequest, owner: Operator) -> Card:
    number = word(request, "card_number", 18)
    found = owner.cards.filter(pk=int(number)).first() if number.isascii() and number.isdigit() else None
    if found is None:
        raise NotFound(f"{owner} has no such card. Load the page anew.", "no_card")
    return found


def _looks(request: HttpRequest) -> Any:
    return request.user
