"""A page of one's own: password and PINs, typed by nobody else; and the page where a one-time code is used."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounting.people_desk.queries import staff_record
from jackpot.people.actions.directory_links import link_of
from jackpot.people.actions.own_secrets import change_password, change_pin, use_code
from jackpot.people.actions.second_factor import codes_left, has_one
from jackpot.people.models import Operator
from jackpot.people.rules.own_secret import LEAST_PASSWORD
from jackpot.property.queries import house_of
from jackpot.refusals import Refused
from jackpot.web.pages.posting import word


@never_cache
@require_safe
def own_page(request: HttpRequest) -> HttpResponse:
    """Whoever is signed in: roles, cards, sign-ins, and the forms of the own secrets."""
    return _page(request) if isinstance(request.user, Operator) else redirect_to_login(request.get_full_path())


@sensitive_post_parameters()
@require_POST
def own_password(request: HttpRequest) -> HttpResponse:
    """The old one, and the new one twice; this browser stays signed in, every other sign-in ends."""

    def act(person: Operator) -> str:
        change_password(person=person, password=_secret(request, "password"), wished=_secret(request, "wished"),
                        again=_secret(request, "again"), address=_address(request))  # fmt: skip
        update_session_auth_hash(request, person)
        return "Your password is changed. Wherever else you were signed in, you are not any more."

    return _own(request, act)


@sensitive_post_parameters()
@require_POST
def own_pin(request: HttpRequest) -> HttpResponse:
    def act(person: Operator) -> str:
        number = word(request, "card_number", 18)
        # No card has the number 0, so what is no number is refused as an unknown card.
        card_id = int(number) if number.isascii() and number.isdigit() else 0
        card = change_pin(person=person, card_id=card_id, password=_secret(request, "password"),
                          pin=_secret(request, "pin"), again=_secret(request, "again"),
                          address=_address(request))  # fmt: skip
        return f"The PIN of card •••• {card.last_four} is set. The old one is void."

    return _own(request, act)


@never_cache
@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def one_time_code(request: HttpRequest) -> HttpResponse:
    """Somebody who cannot sign in, or only carries a card, chooses the new secret with a code."""
    if request.method != "POST":
        return _code_page(request)
    try:
        # By name and code alone: who has no password yet cannot sign in to choose one.
        used = use_code(
            username=word(request, "username", 60), code=word(request, "code", 20), wished=_secret(request, "wished"),
            again=_secret(request, "again"), address=_address(request),
        )  # fmt: skip
    except Refused as refused:
        return _code_page(request, problem=refused.why, status=refused.status)
    if used.card is not None:
        return _code_page(request, done=f"The PIN of card •••• {used.card.last_four} is set.")
    messages.success(request, "Your password is set. Sign in with it.")
    return redirect("sign-in")


own_page.verbs = {"GET": ("anyone",)}  # type: ignore[attr-defined]
own_password.verbs = own_pin.verbs = {"POST": ("anyone",)}  # type: ignore[attr-defined]
one_time_code.verbs = {"GET": ("anyone",), "POST": ("anyone",)}  # type: ignore[attr-defined]


def _own(request: HttpRequest, act: Callable[[Operator], str]) -> HttpResponse:
    """A refusal is read on the page; what was typed is gone, as secrets are."""
    if not isinstance(request.user, Operator):
        return redirect_to_login("/me/")
    try:
        messages.success(request, act(request.user))
    except Refused as refused:
        return _page(request, refused.why, refused.status)
    return redirect("own-page")


def _page(request: HttpRequest, problem: str = "", status: int = 200) -> HttpResponse:
    person: Any = request.user
    told = staff_record(person)
    working = [each for each in told.line.cards if each.state in ("works", "locked")]
    facts = {
        "line": told.line, "person": person, "working": working, "house_here": house_of(person), "problem": problem,
        "least": LEAST_PASSWORD, "factor": has_one(person), "codes_left": codes_left(person),
        "directory": settings.DIRECTORY_ISSUER and settings.DIRECTORY_NAME, "link": link_of(person),
    }  # fmt: skip
    return render(request, "accounting/people_desk/me.html", facts, status=status)


def _code_page(request: HttpRequest, status: int = 200, **facts: str) -> HttpResponse:
    typed = {"username": word(request, "username", 60), "least": LEAST_PASSWORD}
    return render(request, "accounting/people_desk/code.html", {**typed, **facts}, status=status)


def _secret(request: HttpRequest, name: str) -> str:
    """As it was typed: a blank at the end of a password is part of it."""
    return request.POST.get(name, "")[:200]


def _address(request: HttpRequest) -> str:
    return str(request.META.get("REMOTE_ADDR", ""))
