"""Who may see a page: the verbs it names, and nobody without them."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Literal

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

View = Callable[..., HttpResponseBase]


def needs(*verbs: str, method: Literal["GET", "POST"] = "GET") -> Callable[[View], View]:
    """Opens a page for those who have one of the verbs; others learn who could help. The page changes no books.

    A form that is only for the asker, such as a question taken back, is posted."""

    def closed(view: View) -> View:
        @(require_safe if method == "GET" else require_POST)
        @wraps(view)
        def door(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            person = request.user
            if not person.is_authenticated:
                return _to_sign_in(request)
            if not person.verbs().intersection(verbs):
                raise PermissionDenied("Your roles do not include this page. An administrator can change that.")
            return view(request, *args, **kwargs)

        door.verbs = {method: verbs}  # type: ignore[attr-defined]
        return door

    return closed


def _to_sign_in(request: HttpRequest) -> HttpResponse:
    """A part of a page that asks after the session ended takes the whole page to the sign-in."""
    if getattr(request, "htmx", False):
        return HttpResponseClientRedirect(reverse("sign-in"))
    return redirect_to_login(request.get_full_path())
