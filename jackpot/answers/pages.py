"""A form that is sent twice asks once: behind “Not sure”, a second touch, or a page that is loaded again."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, Final
from uuid import uuid4

from django.conf import settings
from django.contrib import messages
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect

from jackpot.answers.actions import SentForm, count_form, forget_form, keep_where, sent_before
from jackpot.answers.rules import is_form_key
from jackpot.canonical import canonical
from jackpot.refusals import AlreadyPosted
from jackpot.trail.actions.trail import beside_the_line
from jackpot.web.pages.errors import counted_before
from jackpot.web.templatetags.forms import FORM_KEY

# Part of a field's name: no digest of these is kept. A code is used up by the form that counted with it.
SECRET: Final = ("badge", "card", "pin", "password")
ONCE: Final = "This form was sent before, and it counted then; it counts once."


class FormsOnce:
    """Django's middleware; it stands behind the sign-in, so that it knows whose form it is."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        form = _sent(request)
        if form is None:
            return self.get_response(request)
        try:
            known = sent_before(form)
        except AlreadyPosted as other:
            return counted_before(request, other.why)
        if known is not None:
            return _led(request, str(known.get("to", "")))
        mark = beside_the_line.set(partial(count_form, form))
        try:
            response = self.get_response(request)
        finally:
            beside_the_line.reset(mark)
        # By its mark and not by its status: a page answers a refusal with a page, or leads back to the form.
        if getattr(request, "refused", None) is not None:
            forget_form(form)
        elif response.status_code < 400:
            with suppress(OperationalError, InterfaceError):  # where it led is a comfort; that it counted stands
                _keep(form, response)
        return response


def _sent(request: HttpRequest) -> SentForm | None:
    """A form with a key, sent by somebody who is signed in; what has none is as it always was."""
    if request.method != "POST" or request.path.startswith("/api/") or not request.user.is_authenticated:
        return None
    key = request.POST.get(FORM_KEY, "")
    if not is_form_key(key):
        return None
    return SentForm(request.user.username, key, digest_of_form(_words_of(request)), str(uuid4()))


def digest_of_form(words: Mapping[str, Any]) -> str:
    """Keyed, as at the API: a payee's number has nine digits, and nobody counts them back without the key file."""
    key = hmac.digest(settings.MASTER_KEY, b"asked by a form", "sha256")
    return hmac.digest(key, canonical(words).encode(), "sha256").hex()


def _keep(form: SentForm, response: HttpResponseBase) -> None:
    """A file leaves its page where it is, and the form on it: what is asked for next from there is another act."""
    if response.has_header("Content-Disposition"):
        forget_form(form)
    else:
        keep_where(form, str(response.headers.get("Location", "")))


def _words_of(request: HttpRequest) -> Mapping[str, Any]:
    words = {
        name: values for name, values in request.POST.lists()
        if name not in (FORM_KEY, "csrfmiddlewaretoken") and not any(part in name for part in SECRET)
    }  # fmt: skip
    files = [[name, str(file), getattr(file, "size", None)] for name, file in request.FILES.items()]
    return {"to": request.get_full_path(), "words": words, "files": files}


def _led(request: HttpRequest, to: str) -> HttpResponseBase:
    """To where the first sending led; where that was no way but a page, what happened is said on one of its own."""
    if not to:
        return counted_before(request, ONCE)
    messages.info(request, ONCE)
    if request.headers.get("HX-Request"):
        return HttpResponse(headers={"HX-Redirect": to})
    return redirect(to)
