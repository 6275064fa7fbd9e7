"""Signing in through the casino's directory, and the own link with it.

The directory sends the browser back from another site, and our cookies are for our own pages only: so its answer first
meets a page of ours that goes on to itself, and there the session is known again.
"""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST, require_safe

from jackpot.people.actions.directory import WAITS, DirectoryAnswer, begin, finish
from jackpot.people.actions.directory_links import end_link, keep_link, linked
from jackpot.people.actions.sign_in import sign_in
from jackpot.people.models import Operator
from jackpot.people.pages import after_first_step, site_of, wanted_address
from jackpot.refusals import NotAllowedNow, NotUnderstood, Refused

HERE = "here"
LONGEST = 4096


@never_cache
@require_safe
def to_directory(request: HttpRequest) -> HttpResponse:
    """From the sign-in page to the directory's."""
    if request.headers.get("Sec-Fetch-Site") == "cross-site":  # a strange page begins nothing, nor ends a sign-in
        return redirect("sign-in")
    try:
        asked = begin(
            request.session, purpose="sign_in", back=_back(request), wanted=wanted_address(request),
            address=_place(request),
        )  # fmt: skip
    except Refused as refused:
        return _not_in(request, refused)
    return redirect(asked)


@never_cache
@require_safe
def from_directory(request: HttpRequest) -> HttpResponse:
    """What the directory says; first without our cookies, then once more with them."""
    if HERE not in request.GET and WAITS not in request.session:
        again = request.GET.copy()
        # Once and no more: without a session at all the page would send itself round for ever.
        again[HERE] = "1"
        return _goes_on(request, f"{reverse('from-directory')}?{again.urlencode()}")
    told = {name: request.GET.get(name, "")[:LONGEST] for name in ("state", "code", "error")}
    try:
        answer = finish(request.session, **told, issuer=request.GET.get("iss", "")[:LONGEST])
        if answer.purpose == "link":
            return _linked(request, answer)
        person = linked(subject=answer.subject, address=_place(request))
    except Refused as refused:
        return _not_in(request, refused)
    return after_first_step(request, person, answer.wanted, factor_shown=answer.second_factor)


def _linked(request: HttpRequest, answer: DirectoryAnswer) -> HttpResponse:
    # While the directory was asked somebody else may have signed in at this browser.
    if not isinstance(request.user, Operator) or request.user.pk != answer.person:
        raise NotAllowedNow("Another person is signed in here now. Sign in and link yourself again.", "not_begun")
    keep_link(person=request.user, subject=answer.subject)
    messages.success(request, f"You are linked: from now on {settings.DIRECTORY_NAME} signs you in here.")
    return redirect("own-page")


@never_cache
@sensitive_post_parameters()
@require_POST
def own_link(request: HttpRequest) -> HttpResponse:
    """The own password first: nobody links another's account with the screen that was left open."""
    person = request.user
    if not isinstance(person, Operator):
        return redirect_to_login(reverse("own-page"))
    try:
        password, address = request.POST.get("password", "")[:200], _place(request)
        if not password:  # an empty field is no wrong try
            raise NotUnderstood("Type your password first.", "password")
        sign_in(username=person.username, password=password, address=address)
        if request.POST.get("do") == "end":
            end_link(person=person, by=person)
            messages.success(request, "The link is ended. Your password opens as before.")
            return redirect("own-page")
        asked = begin(request.session, purpose="link", back=_back(request), person=person.pk, address=address)
        return _goes_on(request, asked)
    except Refused as refused:
        messages.error(request, refused.why)
        return redirect("own-page")


own_link.verbs = {"POST": ("anyone",)}  # type: ignore[attr-defined]


def _back(request: HttpRequest) -> str:
    """The one address of ours that the directory sends a browser back to."""
    return f"{site_of(request).origin}{reverse('from-directory')}"


def _place(request: HttpRequest) -> str:
    return str(request.META.get("REMOTE_ADDR", ""))


def _goes_on(request: HttpRequest, address: str) -> HttpResponse:
    facts = {"address": address, "directory": settings.DIRECTORY_NAME}
    return render(request, "accounting/people_desk/goes_on.html", facts)


def _not_in(request: HttpRequest, refused: Refused) -> HttpResponse:
    facts = {"problem": refused.why, "directory": settings.DIRECTORY_NAME, "begun": settings.DIRECTORY_ISSUER}
    return render(request, "accounting/people_desk/not_in.html", facts, status=refused.status)
