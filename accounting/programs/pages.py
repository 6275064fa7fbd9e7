"""Programs that may read: the list, a token that two people gave shown once, and the end of one."""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.cache import never_cache

from accounting.programs.actions.tokens import GiveToken, fetch_token, revoke_token
from accounting.programs.queries import tokens
from accounting.ways_out.actions import asked_here, to_fetch
from jackpot.property.queries import house_of
from jackpot.refusals import NotFound, Refused
from jackpot.web.pages.access import needs
from jackpot.web.pages.posting import posts, word

READS: Final = ("people", "read_trail")
GIVES: Final = "people"


@never_cache
@needs(*READS)
def programs(request: HttpRequest) -> HttpResponse:
    """The list, what two people signed and nobody fetched, and the way to ask for another one."""
    return _page(request, {})


@never_cache
@needs(GIVES, method="POST")
def fetch(request: HttpRequest, number: str) -> HttpResponse:
    """The token stands on this one answer and nowhere else."""
    row = get_object_or_404(asked_here(GiveToken.code, _looks(request)), pk=int(number))
    try:
        given = fetch_token(row=row, by=_looks(request))
    except Refused as refused:
        return _page(request, {"problem": refused.why}, refused.status)
    facts = {"row": given.row, "written": given.written, "house_here": row.premises, "last_day": given.row.last_day}
    return render(request, "accounting/programs/once.html", facts)


@posts(GIVES, back_to="programs")
def revoke(request: HttpRequest) -> str:
    number = word(request, "token", 18)
    found = tokens(request.user).filter(pk=int(number)).first() if number.isascii() and number.isdigit() else None
    if found is None:
        raise NotFound("There is no such token in your house. Load the page anew.", "no_token")
    row = revoke_token(row=found, reason=word(request, "reason", 201), by=_looks(request))
    return f"The token of {row} is revoked. The next request with it is refused."


def _page(request: HttpRequest, facts: dict[str, Any], status: int = 200) -> HttpResponse:
    now, house = timezone.now(), house_of(request.user)
    told = {
        "lines": [(row, row.state_at(now)) for row in tokens(request.user)], "house_here": house,
        "to_fetch": to_fetch(GiveToken.code, _looks(request)).filter(program_token=None), "kind": GiveToken.code,
        "may": _looks(request).may(GIVES), **facts,
    }  # fmt: skip
    return render(request, "accounting/programs/programs.html", told, status=status)


def _looks(request: HttpRequest) -> Any:
    return request.user
