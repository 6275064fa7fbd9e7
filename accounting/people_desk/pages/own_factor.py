"""A second factor of one's own: set up with an app, its recovery codes told once, ended with a last code."""

from __future__ import annotations

from typing import Any

import segno
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from jackpot.people.actions.second_factor import begin, begun, codes_left, confirm, end, has_one, lacks_one
from jackpot.people.actions.sign_in import sign_in
from jackpot.people.models import Operator
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
            sign_in(username=person.username, password=password, address=address)
            begin(person)
        case "confirm":
            return _page(request, person, codes=confirm(person=person, code=code))
        case "end":
            end(person=person, code=code)
            messages.success(request, "Your second factor is off. The password alone opens again.")
        case _:
            raise NotUnderstood("Press one of the buttons of this page.", "do")
    return redirect("own-factor")


def _page(
    request: HttpRequest, person: Operator, problem: str = "", status: int = 200, codes: list[str] | None = None
) -> HttpResponse:
    secret, house = begun(person), house_of(person)
    facts: dict[str, Any] = {
        "person": person, "problem": problem, "on": has_one(person), "left": codes_left(person), "codes": codes,
        "asked": lacks_one(person), "house_here": house,
    }  # fmt: skip
    if secret is not None:
        says = app_address(secret, username=person.username, house=house.name if house else "Fairmeter")
        spoken = spoken_secret(secret)
        facts |= {
            "picture": segno.make(says, error="m").svg_data_uri(scale=5, border=2, light="#fff"),
            "secret": " ".join(spoken[at : at + 4] for at in range(0, len(spoken), 4)),
        }
    return render(request, "accounting/people_desk/factor.html", facts, status=status)
