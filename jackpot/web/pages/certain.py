"""The one door of pages and programs for what the database did not confirm: 503, "not sure", and a look that is sure.

Every act ends by a commit that is certain, or by a sentence that says it is not. A browser that was told "not sure"
carries a mark for two minutes: what it looks at meanwhile, at any node, is only shown once it is certain. While the
database confirms nothing at all, neither such a look nor an act is begun: both would wait for as long as it lasts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from django.conf import settings
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponseBase

from jackpot.database.durable import confirm
from jackpot.database.under_way import commits
from jackpot.refusals import Refused
from jackpot.web.pages.errors import in_doubt, refused_meanwhile, stands_still
from jackpot.web.rules.doubt import READING

UNSURE: Final = "unsure"
LOOKS_FOR: Final = 120  # seconds
TROUBLE: Final = (OperationalError, InterfaceError)


class NothingConfirmed(Refused):
    """Nothing was begun; the same is welcome when a commit comes through again."""

    code = "unconfirmed"
    status = 503


def marked(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    """Whoever was told "not sure" carries the mark from here on."""
    if getattr(response, "in_doubt", False) and request.method not in READING:
        secure = settings.SESSION_COOKIE_SECURE
        response.set_cookie(UNSURE, "yes", LOOKS_FOR, secure=secure, httponly=True, samesite="Strict")
    return response


class Certain:
    """Django's middleware, outside the session: what the session keeps must be certain as well."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        looks_again = UNSURE in request.COOKIES
        if looks_again or request.method not in READING:
            hang = commits.hang_for()
            if hang:
                return stands_still(request, NothingConfirmed(_why(hang)))
        try:
            if looks_again:
                confirm()
            response = self.get_response(request)
            # After a fault of ours nothing was kept that would have to be certain.
            if request.method not in READING and response.status_code < 500:
                confirm()
        except TROUBLE as problem:
            response = in_doubt(request, problem)
        if looks_again and response.status_code < 500:
            response.delete_cookie(UNSURE, samesite="Strict")
        return marked(request, response)

    def process_exception(self, request: HttpRequest, problem: Exception) -> HttpResponseBase | None:
        """What a view could not do, or what somebody else did first; everything else is a fault of ours."""
        return in_doubt(request, problem) if isinstance(problem, TROUBLE) else refused_meanwhile(request, problem)


def _why(hang: float) -> str:
    return (
        f"The database has confirmed nothing for {hang:.0f} s: a machine that has to keep the books too does not "
        "answer. Nothing was begun. Call the technician; try again when it is back."
    )
