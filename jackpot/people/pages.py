from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login, logout
from django.db import transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render, resolve_url
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from jackpot.people.actions.passkeys import SignInAddress, ask_for_one, check_passkey, factors_of
from jackpot.people.actions.second_factor import check, has_one, lacks_one
from jackpot.people.actions.sessions import close_sessions
from jackpot.people.actions.sign_in import sign_in as sign_in_act
from jackpot.people.models import Operator
from jackpot.refusals import NotUnderstood, Refused
from jackpot.trail.actions.trail import record
from jackpot.trail.rules import objects
from jackpot.web.pages.errors import SIGNED_OUT

WAITS = "second_factor_waits"
SINCE, TOUCHED = "signed_in_at", "touched"
SHOWN_ELSEWHERE = "factor_shown_to_directory"
LONGEST_SIGN_IN = 8 * 3600  # then touching prolongs it no more, and whoever stays says so
SECONDS_TO_TYPE = 300
LONGEST_CREDENTIAL = 20_000
WITHOUT = ("/me/second-factor/", "/me/passkey/", "/sign-in/", "/sign-out/", "/static/")
SET_ONE_UP = "Your role needs a second factor. Sign in on a page and set it up there."
BACKEND = "django.contrib.auth.backends.ModelBackend"


class SignInForm(forms.Form):
    username = forms.CharField(max_length=60, label="Name")
    password = forms.CharField(max_length=200, label="Password", widget=forms.PasswordInput, strip=False)


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    """The sign-in page; whoever is signed in already goes on to the work, unless another person wants to sign in."""
    if request.user.is_authenticated and not _changes(request):
        return redirect(wanted_address(request))
    form = SignInForm(request.POST or None)
    if request.method != "POST":
        return _page(request, form)
    if not form.is_valid():
        return _page(request, form, "Type your name and your password.", 400)
    try:
        person = sign_in_act(**form.cleaned_data, address=str(request.META.get("REMOTE_ADDR", "")))
    except Refused as refused:
        return _page(request, form, refused.why, refused.status)
    return after_first_step(request, person, wanted_address(request))


def after_first_step(
    request: HttpRequest, person: Operator, wanted: str, *, factor_shown: bool = False
) -> HttpResponse:  # fmt: skip
    """The password was right, or the directory said who it is: in, or on to the second factor."""
    if has_one(person) and not factor_shown:
        # The session knows who waits; that lets nobody in.
        request.session[WAITS] = {"person": person.pk, "since": time.time(), "next": wanted}
        return redirect("second-factor")
    _come_in(request, person)
    request.session[SHOWN_ELSEWHERE] = factor_shown  # of this sign-in, not of one before it in this browser
    return redirect(wanted)


@sensitive_post_parameters("code", "credential")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def second_factor(request: HttpRequest) -> HttpResponse:
    """The password was right; now a passkey, the digits of the app, or a recovery code. Until then nobody is in."""
    person = _who_waits(request)
    if person is None:
        request.session.pop(WAITS, None)
        return redirect("sign-in")
    problem, status = "", 200
    if request.method == "POST":
        try:
            show_factor(request, person)
        except Refused as refused:
            problem, status = refused.why, refused.status
        else:
            waits = request.session.pop(WAITS)
            _come_in(request, person)
            # Judged when it was kept: it leads to no foreign address.
            return redirect(waits["next"])
    facts = {"problem": problem, "name": str(person), **factors_of(person, site_of(request))}
    return render(request, "jackpot/people/second_factor.html", facts, status=status)


@never_cache
@require_POST
def passkey_asked(request: HttpRequest) -> HttpResponse:
    """For whose password was right: what the browser hands to the passkey."""
    person = _who_waits(request)
    if person is None:
        return JsonResponse({"ok": False, "code": "not_begun", "why": "Sign in with your password first."}, status=401)
    return as_options(lambda: ask_for_one(person, site_of(request), request.session))


def _who_waits(request: HttpRequest) -> Operator | None:
    waits: dict[str, Any] = request.session.get(WAITS) or {}
    if time.time() - waits.get("since", 0) > SECONDS_TO_TYPE:
        return None
    return Operator.objects.filter(pk=waits.get("person", 0), is_active=True).first()


def show_factor(request: HttpRequest, person: Operator) -> None:
    """A form carries what the passkey answered, or a typed code."""
    if request.POST.get("credential"):
        check_passkey(person, site_of(request), request.session, credential=credential_in(request))
    else:
        check(person=person, code=request.POST.get("code", "")[:40])


def credential_in(request: HttpRequest) -> Any:
    """What the browser's passkey answered, as the script wrote it into the form."""
    try:
        return json.loads(request.POST.get("credential", "")[:LONGEST_CREDENTIAL])
    except (ValueError, RecursionError):
        raise NotUnderstood("The passkey's answer cannot be read. Press the button again.", "credential") from None


def site_of(request: HttpRequest) -> SignInAddress:
    """The name that stands in the browser's address, which Django has compared with ours."""
    host = request.get_host()
    # Behind a front that ends TLS we hear plain HTTP, and a passkey answers for what the browser sees.
    scheme = "https" if settings.OVER_TLS or request.is_secure() else "http"
    return SignInAddress(urlsplit(f"//{host}").hostname or host, f"{scheme}://{host}")


def as_options(ask: Callable[[], dict[str, Any]]) -> JsonResponse:
    """For a script of ours: what to hand on, or the sentence to show."""
    try:
        return JsonResponse({"ok": True, "options": ask()})
    except Refused as refused:
        return JsonResponse({"ok": False, "code": refused.code, "why": refused.why}, status=refused.status)


class SecondFactorAsked:
    """Django's middleware: whoever needs a second factor by role and has none sets one up before anything else."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        asked = bool(settings.SECOND_FACTOR_ROLES) and not request.path.startswith(WITHOUT)
        asked = asked and not request.session.get(SHOWN_ELSEWHERE)
        if asked and isinstance(request.user, Operator) and lacks_one(request.user):
            if request.path.startswith("/api/"):
                return JsonResponse({"ok": False, "code": "second_factor", "why": SET_ONE_UP}, status=403)
            return redirect("/me/second-factor/")
        return self.get_response(request)


class TouchProlongs:
    """Django's middleware: a sign-in lasts as long as somebody touches it; what a page fetches by itself is no touch.

    So a browser that stands open and unattended is signed out, though its lists renew themselves every second. Without
    an idle limit nothing is prolonged but by the button.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        since = request.session.get(SINCE)
        if settings.IDLE_MINUTES and since is not None and _touched(request):
            now = int(time.time())
            rests = now - request.session.get(TOUCHED, since) < settings.SESSION_COOKIE_AGE // 20  # no write a request
            if not rests and now - since < LONGEST_SIGN_IN:
                request.session[TOUCHED] = now
        return self.get_response(request)


def _touched(request: HttpRequest) -> bool:
    """Whatever changes something, and a page that a person opened. A browser says so itself; a program opens all."""
    if request.method not in ("GET", "HEAD"):
        return True
    if request.headers.get("Sec-Fetch-Mode"):
        return request.headers.get("Sec-Fetch-User") == "?1"
    return not request.headers.get("HX-Request")


def _come_in(request: HttpRequest, person: Operator) -> None:
    """The one way in. Where the house wants one sign-in a person, those before end."""
    with transaction.atomic():
        if settings.ONE_SESSION:
            _end_those_before(request, person)
        login(request, person, backend=BACKEND)
        request.session[SINCE] = int(time.time())
        request.session.save()  # with the lock: whoever signs in beside finds this one


def _end_those_before(request: HttpRequest, person: Operator) -> None:
    Operator.objects.select_for_update(no_key=True, of=("self",)).get(pk=person.pk)
    before = close_sessions(person)
    if before:
        why = "signed in at another place; this house allows one sign-in a person"
        record(actor=person, act="end_sessions", about=objects.person(person.username), why=why,
               details={"sessions": before, "which": "all"})  # fmt: skip
        messages.warning(request, "You were signed in somewhere else. That sign-in has ended.")


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    if isinstance(request.user, Operator):
        record(actor=request.user, act="sign_out", about=objects.person(request.user.username))
    logout(request)
    answer = redirect("sign-in")
    answer.delete_cookie(settings.SESSION_COOKIE_NAME, path=settings.SESSION_COOKIE_PATH, samesite="Strict")
    return answer


def _page(request: HttpRequest, form: SignInForm, problem: str = "", status: int = 200) -> HttpResponse:
    problem = problem or (SIGNED_OUT if "ended" in request.GET else "")
    return render(
        request,
        "jackpot/people/sign_in.html",
        {
            "form": form, "problem": problem, "next": request.POST.get("next") or request.GET.get("next", ""),
            "changes": _changes(request), "directory": settings.DIRECTORY_ISSUER and settings.DIRECTORY_NAME,
            "name": form["username"].value() or request.GET.get("name", "")[:60],
        },
        status=status,
    )  # fmt: skip


def _changes(request: HttpRequest) -> bool:
    """Another person takes over this browser; until the new sign-in fits, the one before stays signed in."""
    return "change" in request.GET or "change" in request.POST


def wanted_address(request: HttpRequest) -> str:
    """Where the person wanted to go, if that is here; a foreign address is forgotten."""
    wanted = request.POST.get("next") or request.GET.get("next", "")
    return wanted if is_here(request, wanted) else resolve_url("home")


def is_here(request: HttpRequest, wanted: str) -> bool:
    """An address of this server, from its root on; a bare word would be taken for the name of a page."""
    host, secure = {request.get_host()}, request.is_secure()
    rooted = wanted.startswith(("/", "http://", "https://"))
    return rooted and url_has_allowed_host_and_scheme(wanted, host, require_https=secure)
