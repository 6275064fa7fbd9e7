"""Where reports may be mailed: everybody who saves reports sees it, an administrator adds and ends."""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache

from accounting.reports.actions import mailboxes as acts
from accounting.reports.pages.taking import SAVERS
from accounting.reports.queries.asking import report_mailboxes
from jackpot.people.models import Operator
from jackpot.property.queries import house_of
from jackpot.refusals import NotFound, NotUnderstood
from jackpot.web.pages.access import needs
from jackpot.web.pages.posting import posts, word

ALLOWS: Final = "people"


@never_cache
@needs(*SAVERS, ALLOWS)
def mailboxes(request: HttpRequest) -> HttpResponse:
    return _shown(request, {})


def _again(request: HttpRequest, refused: Any) -> HttpResponse:
    typed = {"name": word(request, "name", 61), "address": word(request, "address", 255), "problem": refused.why}
    return _shown(request, typed, refused.status)


@posts(ALLOWS, back_to="report-mailboxes", again=_again)
def allow(request: HttpRequest) -> str:
    person, house = _person(request), house_of(request.user)
    if house is None:
        raise NotUnderstood("There is no house here yet. Found one first.", "no_house")
    row = acts.allow_mailbox(
        premises=house, name=word(request, "name", 61), address=word(request, "address", 255), by=person
    )
    return f"Reports may be mailed to {row}; a first letter that says so is on its way."


@posts(ALLOWS, back_to="report-mailboxes")
def end(request: HttpRequest) -> str:
    number = word(request, "number", 19)
    rows = report_mailboxes(request.user)
    row = rows.filter(pk=int(number)).first() if number.isascii() and number.isdigit() else None
    if row is None:
        raise NotFound("There is no such mailbox for reports in your house, or it was ended.", "no_mailbox")
    acts.end_mailbox(row=row, by=_person(request))
    return f"Nothing more is mailed to {row}. Its reports go on to their folders."


def _shown(request: HttpRequest, facts: dict[str, Any], status: int = 200) -> HttpResponse:
    person = _person(request)
    shown = {"mailboxes": list(report_mailboxes(person)), "may": person.may(ALLOWS), "house": house_of(person), **facts}
    return render(request, "accounting/reports/mailboxes.html", shown, status=status)


def _person(request: HttpRequest) -> Operator:
    assert isinstance(request.user, Operator), "whoever is let in is a person"
    return request.user
