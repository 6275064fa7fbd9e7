"""Forms that change something: who may send them, and where a refusal is read."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from jackpot.refusals import Refused

Act = Callable[..., str]
Again = Callable[..., HttpResponseBase]


def posts(*verbs: str, back_to: str, again: Again | None = None) -> Callable[[Act], Callable[..., HttpResponseBase]]:
    """The form's act returns the sentence of its success; that or the refusal is shown on the page it goes back to.

    With `again` a refusal is read at once beside the form, with everything that was typed still in it.
    """

    def closed(act: Act) -> Callable[..., HttpResponseBase]:
        @sensitive_post_parameters(
            "badge", "card", "pin", "first-card", "first-pin", "second-card", "second-pin", "password"
        )
        @require_POST
        @wraps(act)
        def door(request: HttpRequest, **words: Any) -> HttpResponseBase:
            back = reverse(back_to, kwargs=words)
            if not request.user.is_authenticated:
                return redirect_to_login(back)
            if not request.user.verbs().intersection(verbs):
                raise PermissionDenied("Your roles do not include this. An administrator can change that.")
            try:
                messages.success(request, act(request, **words))
            except Refused as refused:
                request.refused = refused  # type: ignore[attr-defined]  # whoever keeps the trail reads it behind us
                if again is not None:
                    return again(request, refused, **words)
                messages.error(request, refused.why)
            # Led back and not answered here: a page that is loaded again sends nothing twice.
            return redirect(back)

        door.verbs = {"POST": verbs}  # type: ignore[attr-defined]
        return door

    return closed


def word(request: HttpRequest, name: str, longest: int = 200) -> str:
    """One field of a form, printable and bounded; what is longer was not typed by a person."""
    return "".join(each for each in request.POST.get(name, "")[:longest] if each.isprintable()).strip()
