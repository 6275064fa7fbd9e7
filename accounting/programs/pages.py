"""Programs that may read: the list, a token shown once, and the end of one."""

from __future__ import annotations

from datetime import date
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounting.programs.actions.tokens import give_token, revoke_token
from accounting.programs.queries import tokens
from accounting.programs.rules.token import SCOPES
from jackpot.property.queries import house_of
from jackpot.reading import read_day
from jackpot.refusals import NotFound, NotUnderstood, Refused
from jackpot.web.pages.access import needs
from jackpot.web.pages.posting import posts, word

READS: Final = ("people", "read_trail")
GIVES: Final = "people"


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def programs(request: HttpRequest) -> HttpResponse:
    """The list, and the form of a new one; a refusal is read beside what was typed."""
    return _given(request) if request.method == "POST" else _listed(request)  # type: ignore[return-value]


programs.verbs = {"GET": READS, "POST": (GIVES,)}  # type: ignore[attr-defined]


@posts(GIVES, back_to="programs")
def revoke(request: HttpRequest) -> str:
    number = word(request, "token", 18)
    found = tokens(request.user).filter(pk=int(number)).first() if number.isascii() and number.isdigit() else None
    if found is None:
        raise NotFound("There is no such token in your house. Load the page anew.", "no_token")
    row = revoke_token(row=found, reason=word(request, "reason", 201), by=_looks(request))
    return f"The token of {row} is revoked. The next request with it is refused."


@needs(*READS)
def _listed(request: HttpRequest) -> HttpResponse:
    return _page(request, {})


@needs(GIVES, method="POST")
def _given(request: HttpRequest) -> HttpResponse:
    """The token stands on this one answer and nowhere else."""
    typed = {name: word(request, name, 201) for name in ("name", "reason", "last_day")}
    scopes, house = request.POST.getlist("scopes"), house_of(request.user)
    try:
        if house is None:
            raise NotUnderstood("There is no house here yet. Load a casino file first.", "no_house")
        last_day = _day(typed["last_day"])
        given = give_token(
            premises=house, name=typed["name"], scopes=scopes, last_day=last_day, reason=typed["reason"],
            by=_looks(request),
        )  # fmt: skip
    except Refused as refused:
        return _page(request, {**typed, "chosen": scopes, "problem": refused.why}, refused.status)
    facts = {"row": given.row, "written": given.written, "house_here": house, "last_day": last_day}
    return render(request, "accounting/programs/once.html", facts)


def _page(request: HttpRequest, facts: dict[str, Any], status: int = 200) -> HttpResponse:
    now, house = timezone.now(), house_of(request.user)
    told = {
        "lines": [(row, row.state_at(now)) for row in tokens(request.user)], "scopes": SCOPES.items(),
        "house_here": house, "may": _looks(request).may(GIVES), **facts,
    }  # fmt: skip
    return render(request, "accounting/programs/programs.html", told, status=status)


def _day(typed: str) -> date:
    try:
        return read_day(typed)
    except ValueError:
        raise NotUnderstood("Write the last day as year-month-day, such as 2027-06-30.", "last_day") from None


def _looks(request: HttpRequest) -> Any:
    return request.user
