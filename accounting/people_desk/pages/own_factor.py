"""A second factor of one's own: set up with an app, its recovery codes told once, ended with a last code."""

from __future__ import annotations

from typing import Any

import segno
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from jackpot.people.actions.passkeys import ask_for_new, ask_for_one, end_passkey, keep_new, passkeys_of
from jackpot.people.actions.second_factor import begin, begun, codes_left, confirm, end, has_app, has_one, lacks_one
from jackpot.people.actions.sign_in import sign_in
from jackpot.people.models import Operator
from jackpot.people.pages import as_options, credential_in, show_factor, site_of
from jackpot.people.rules.second_factor import app_address, spoken_secret
from jackpot.property.queries import house_of
from jackpot.refusals import NotUnderstood, Refused


@never_cache
@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def own_factor(request: HttpRequest) -> HttpResponse:
    person = request.user
    if not isinstance(person, Operator):
        return redirect_to_login(request.path)
    if request.method != "POST":
        return _page(request, person)
    try:
        return _done(request, person)
    except Refused as refused:
        return _page(request, person, refused.why, refused.status)


own_factor.verbs = {"GET": ("anyone",), "POST": ("anyone",)}  # type: ignore[attr-defined]


def _done(request: HttpRequest, person: Operator) -> HttpResponse:
    """What the pressed button means. Recovery codes are in this answer and in no other."""
    code = request.POST.get("code", "")[:40]
    match request.POST.get("do", ""):
        case "begin":
            password, address = request.POST.get("password", "")[:200], str(request.META.get("REMOTE_ADDR", ""))
            # The own password, although somebody is signed in: an open screen must not become another's second factor.
            sign_in(username=person.username, password=password, address=address)
            begin(person)
        case "confirm":
            return _page(request, person, codes=confirm(person=person, code=code))
        case "end":
            end(person=person, code=code)
            messages.success(request, f"The app is off. {_left(person)}")
        case "add_passkey":
            return _passkey_added(request, person)
        case "end_passkey":
            number = request.POST.get("number", "")
            # Before it is taken away the factor is shown once more, so a stolen session cannot end it.
            show_factor(request, person)
            name = end_passkey(person=person, number=int(number[:18]) if number.isdecimal() else 0)
            messages.success(request, f"The passkey “{name}” opens nothing any more. {_left(person)}")
        case _:
            raise NotUnderstood("Press one of the buttons of this page.", "do")
    return redirect("own-factor")


def _passkey_added(request: HttpRequest, person: Operator) -> HttpResponse:
    name, answered = request.POST.get("name", "")[:80], credential_in(request)
    codes = keep_new(person, site_of(request), request.session, name=name, credential=answered)
    if codes:
        return _page(request, person, codes=codes)
    messages.success(request, f"The passkey “{name.strip()}” is yours. It opens beside your password.")
    return redirect("own-factor")


def _left(person: Operator) -> str:
    return "Your other second factor goes on." if has_one(person) else "The password alone opens again."


@never_cache
@sensitive_post_parameters()
@require_POST
def own_passkey(request: HttpRequest) -> HttpResponse:
    """What the browser hands to a passkey: to a new one after the own password, or to one that is to answer."""
    person, address = request.user, str(request.META.get("REMOTE_ADDR", ""))
    if not isinstance(person, Operator):
        return JsonResponse(
            {"ok": False, "code": "signed_out", "why": "You are signed out. Sign in again."}, status=401
        )
    site, house = site_of(request), house_of(person)

    def ask() -> dict[str, Any]:
        if request.POST.get("for") == "show":
            return ask_for_one(person, site, request.session)
        site.check_has_a_name()
        password = request.POST.get("password", "")[:200]
        if not password:  # an empty field is no wrong try
            raise NotUnderstood("Type your password first.", "password")
        sign_in(username=person.username, password=password, address=address)
        return ask_for_new(person, site, request.session, house.name if house else "Fairmeter")

    return as_options(ask)


own_passkey.verbs = {"POST": ("anyone",)}  # type: ignore[attr-defined]


def _page(
    request: HttpRequest, person: Operator, problem: str = "", status: int = 200, codes: list[str] | None = None
) -> HttpResponse:
    secret, house = begun(person), house_of(person)
    facts: dict[str, Any] = {
        "person": person, "problem": problem, "on": has_app(person), "left": codes_left(person), "codes": codes,
        "asked": lacks_one(person), "house_here": house, "passkeys": passkeys_of(person), "site": site_of(request),
    }  # fmt: skip
    if secret is not None:
        says = app_address(secret, username=person.username, house=house.name if house else "Fairmeter")
        spoken = spoken_secret(secret)
        facts |= {
            "picture": segno.make(says, error="m").svg_data_uri(scale=5, border=2, light="#fff"),
            "secret": " ".join(spoken[at : at + 4] for at in range(0, len(spoken), 4)),
        }
    return render(request, "accounting/people_desk/factor.html", facts, status=status)
