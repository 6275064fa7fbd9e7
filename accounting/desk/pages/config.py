"""The terms of the jackpots: what is in force, what waits for its reset, and every request for other ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from accounting.desk.pages.look import request_page
from accounting.desk.pages.request_lines import RequestLine, lines_of
from jackpot.books import queries
from jackpot.books.models.jackpot import Jackpot
from jackpot.configuring.actions.configure import differs
from jackpot.requests.rules.life import OPEN, RequestState
from jackpot.terms.models.terms_change import TermsChange
from jackpot.web.pages.access import needs

READS: Final = ("read_books", "configure")
CONFIGURES: Final = "configure"


@needs(*READS)
def config(request: HttpRequest) -> HttpResponse:
    """Every jackpot: the version in force, what waits for its reset, what waits for a second person."""
    every = list(queries.jackpots(request.user).order_by("code"))
    # For all jackpots in one question; a house may have a hundred.
    changes = queries.undecided_changes(every)
    asked = _asked([row for rows in changes.values() for row in rows], request.user)
    rows = [_overview(jackpot, changes.get(jackpot.pk, []), asked.get(jackpot.pk, [])) for jackpot in every]
    return render(request, "accounting/desk/config.html", {"jackpots": rows, "may_ask": _may(request)})


@needs(*READS)
def config_jackpot(request: HttpRequest, code: str) -> HttpResponse:
    """One jackpot's terms and the history of every request for other ones."""
    jackpot = get_object_or_404(queries.jackpots(request.user), code=code)
    history = lines_of(queries.changes(jackpot).order_by("-number"), request.user)
    undecided = queries.undecided_changes([jackpot]).get(jackpot.pk, [])
    asked = _asked(undecided, request.user).get(jackpot.pk, [])
    told = {**_overview(jackpot, undecided, asked), "history": history, "may_ask": _may(request)}
    return render(request, "accounting/desk/config_jackpot.html", told)


def _asked(undecided: Sequence[TermsChange], person: Any) -> Mapping[int, list[RequestLine]]:
    """Of each jackpot what waits for a second person, told once for all."""
    found: dict[int, list[RequestLine]] = {}
    for line in lines_of([row for row in undecided if row.state in OPEN], person):
        found.setdefault(line.row.jackpot_id, []).append(line)
    return found


def _overview(jackpot: Jackpot, undecided: Sequence[TermsChange], asked: Sequence[RequestLine]) -> dict[str, Any]:
    """`undecided` is what is open or waits, oldest first."""
    assert jackpot.version is not None, "a jackpot has its first version before anybody can look at it"
    waits = next((row for row in undecided if row.state == RequestState.SIGNED), None)
    return {
        "jackpot": jackpot, "version": jackpot.version, "terms": jackpot.version.value, "asked": asked,
        "waits": waits, "waits_page": request_page(waits) if waits else "", "differs": differs(waits) if waits else [],
        "look": "asked" if asked else "waits" if waits else "",
    }  # fmt: skip


def _may(request: HttpRequest) -> bool:
    person: Any = request.user
    return CONFIGURES in person.verbs()
