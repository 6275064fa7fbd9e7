"""What was refused at a page or a door stands in the trail: who tried what, and the sentence they heard."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from django.db import DatabaseError, InterfaceError
from django.http import HttpRequest, HttpResponseBase

from jackpot.refusals import Refused
from jackpot.trail.actions.standing import TrailSilent
from jackpot.trail.actions.trail import record_once_a_minute
from jackpot.trail.rules.objects import ObjectKind, ObjectRef
from jackpot.web.pages.errors import stands_still

ACT: Final = "refused"
# What somebody typed wrongly, or sent when we were busy, is nothing that was refused to them.
NOT_ALLOWED: Final = frozenset({403, 409})
CLOSED: Final = "This page or act is not open to this person."
NAMED_BY: Final = {"username": ObjectKind.PERSON, "on": ObjectKind.DAY, "day": ObjectKind.DAY}


class RefusalsNoted:
    """Django's middleware; it stands behind the sign-in, so that it knows who asked."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        refused: Refused | None = getattr(request, "refused", None)
        status = response.status_code if refused is None else refused.status
        if status in NOT_ALLOWED and request.user.is_authenticated:
            _note(request, refused.why if refused is not None else CLOSED)
        return response

    def process_exception(self, request: HttpRequest, problem: Exception) -> HttpResponseBase | None:
        """A look that cannot be written down is not shown, on whatever page it is."""
        return stands_still(request, problem) if isinstance(problem, TrailSilent) else None


def _note(request: HttpRequest, why: str) -> None:
    """The same again within a minute adds no line: a page that asks every second is one try."""
    match = request.resolver_match
    words: dict[str, Any] = match.kwargs if match is not None else {}
    kind = next((kind for name, kind in NAMED_BY.items() if name in words), None)
    about = None if kind is None else ObjectRef(kind, str(next(words[name] for name in NAMED_BY if name in words)))
    place = f"{request.method} {request.path}"
    try:
        record_once_a_minute(actor=request.user, act=ACT, about=about, subject=place, outcome="refused", why=why)
    except (DatabaseError, InterfaceError, TrailSilent):
        return  # the answer is a refusal already; a database that is away must not make a fault of it
