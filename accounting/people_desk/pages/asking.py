"""What gives a person more: asked for on the person's page, signed by another on a page of its own."""

from __future__ import annotations

from datetime import date
from typing import Any, Final

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from accounting.people_desk.actions.asking import ask_card, ask_code, ask_hire, ask_roles, show_code, take_roles
from accounting.people_desk.pages.desk import CHANGES, READS, person_of
from accounting.people_desk.queries import people_requests
from accounting.people_desk.rules.staff_wish import StaffWish
from jackpot.people.models import Role
from jackpot.property.queries import house_of
from jackpot.reading import read_day
from jackpot.refusals import NotUnderstood, Refused
from jackpot.requests.models import Request
from jackpot.web.pages.access import needs
from jackpot.web.pages.posting import posts, word

ASKED: Final = "Another person who gives roles, or an executive’s card, signs it."


@require_http_methods(["GET", "HEAD", "POST"])
def hiring(request: HttpRequest) -> HttpResponse:
    """The form of somebody new; a refusal is read beside what was typed."""
    return _hire(request) if request.method == "POST" else _hiring(request)  # type: ignore[return-value]


hiring.verbs = {"GET": READS, "POST": (CHANGES,)}  # type: ignore[attr-defined]


@needs(*READS)
def _hiring(request: HttpRequest) -> HttpResponse:
    return _hire_form(request, {})


@needs(CHANGES, method="POST")
def _hire(request: HttpRequest) -> HttpResponse:
    typed = {name: word(request, name, 201) for name in ("username", "name", "reason")}
    roles, house = request.POST.getlist("roles"), house_of(request.user)
    try:
        if house is None:
            raise NotUnderstood("There is no house here yet. Begin one at /begin/.", "no_house")
        row = ask_hire(premises=house, roles=roles, by=_looks(request), **typed)
    except Refused as refused:
        return _hire_form(request, {**typed, "chosen": roles}, refused.why, refused.status)
    return redirect("request", number=str(row.pk))


def _hire_form(request: HttpRequest, typed: dict[str, Any], problem: str = "", status: int = 200) -> HttpResponse:
    told = {"roles": Role.objects.all(), "problem": problem, "may": _looks(request).may(CHANGES), **typed}
    return render(request, "accounting/people_desk/hire.html", told, status=status)


@posts(CHANGES, back_to="person")
def person_roles(request: HttpRequest, username: str) -> str:
    """Given by two people; taken at once."""
    who, codes, why = person_of(request, username), request.POST.getlist("roles"), word(request, "reason", 201)
    if word(request, "act", 10) == "take":
        take_roles(person=who, roles=codes, why=why, by=_looks(request))
        return f"The roles {', '.join(codes)} of {who} are gone from this moment on."
    row = ask_roles(person=who, roles=codes, reason=why, by=_looks(request))
    return f"Request {row.pk} is put in. {ASKED}"


@posts(CHANGES, back_to="person")
def person_new_card(request: HttpRequest, username: str) -> str:
    typed = word(request, "expires_on", 10)
    row = ask_card(
        person=person_of(request, username), number=word(request, "card"), level=word(request, "level", 20),
        reason=word(request, "reason", 201), by=_looks(request), expires_on=str(_day(typed)) if typed else "",
    )  # fmt: skip
    return f"Request {row.pk} is put in. {ASKED}"


@posts(CHANGES, back_to="person")
def person_code(request: HttpRequest, username: str) -> str:
    """A one-time code for the password, or for the PIN of one card."""
    wanted = word(request, "code_for", 18)
    card_id = int(wanted) if wanted.isascii() and wanted.isdigit() else None
    who, why = person_of(request, username), word(request, "reason", 201)
    row = ask_code(person=who, card_id=card_id, reason=why, by=_looks(request))
    return f"Request {row.pk} is put in. {ASKED}"


@never_cache
@sensitive_post_parameters()
@needs(CHANGES, method="POST")
def code_once(request: HttpRequest, number: str) -> HttpResponse:
    """The code stands on this one answer and nowhere else."""
    row = _row(request, number)
    told: dict[str, Any] = {"wish": StaffWish.of(row.payload)}
    try:
        return _code_shown(request, {**told, "code": show_code(row=row, by=_looks(request))})
    except Refused as refused:
        return _code_shown(request, {**told, "problem": refused.why}, refused.status)


def _code_shown(request: HttpRequest, told: dict[str, Any], status: int = 200) -> HttpResponse:
    return render(request, "accounting/people_desk/code_once.html", told, status=status)


def _row(request: HttpRequest, number: str) -> Request:
    return get_object_or_404(people_requests(request.user), pk=int(number))


def _day(typed: str) -> date:
    try:
        return read_day(typed)
    except ValueError:
        raise NotUnderstood("Write the last day of the card as year-month-day, such as 2027-12-31.", "day") from None


def _looks(request: HttpRequest) -> Any:
    if not request.user.is_authenticated:
        raise PermissionDenied("Sign in first.")
    return request.user
