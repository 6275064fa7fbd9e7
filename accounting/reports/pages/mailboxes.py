"""Where reports may be mailed: everybody who saves reports sees it, two people add to it, one ends."""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache

from accounting.reports.actions import mailboxes as acts
from accounting.reports.pages.taking import SAVERS
from accounting.reports.queries.asking import report_mailboxes
from jackpot.people.models import Operator
from jackpot.property.queries import house_of
from jackpot.refusals import NotFound
from jackpot.web.pages.access import needs
from jackpot.web.pages.posting import posts, word

ALLOWS: Final = "people"


@never_cache
@needs(*SAVERS, ALLOWS)
def mailboxes(request: HttpRequest) -> HttpResponse:
    person = _person(request)
    facts = {
        "mailboxes": list(report_mailboxes(person)), "may": person.may(ALLOWS), "house": house_of(person),
        "kind": acts.AllowMailbox.code,
    }  # fmt: skip
    return render(request, "accounting/reports/mailboxes.html", facts)


@posts(ALLOWS, back_to="report-mailboxes")
def end(request: HttpRequest) -> str:
    number = word(request, "number", 19)
    rows = report_mailboxes(request.user)
    row = rows.filter(pk=int(number)).first() if number.isascii() and number.isdigit() else None
    if row is None:
        raise NotFound("There is no such mailbox for reports in your house, or it was ended.", "no_mailbox")
    acts.end_mailbox(row=row, by=_person(request))
    return f"Nothing more is mailed to {row}. Its reports go on to their folders."


def _person(request: HttpRequest) -> Operator:
    assert isinstance(request.user, Operator), "whoever is let in is a person"
    return request.user
