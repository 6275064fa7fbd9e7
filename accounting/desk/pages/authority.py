"""Who may approve what: what counts now, what waits for its day, and every request for other authority."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from accounting.desk.pages.authority_ask import READS
from accounting.desk.pages.authority_shown import cards_of, counting
from accounting.desk.pages.request_lines import lines_of
from jackpot.authority import queries as authority_queries
from jackpot.authority.actions.requests import VERBS
from jackpot.property.queries import house_of
from jackpot.web.pages.access import needs


@needs(*READS)
def authority(request: HttpRequest) -> HttpResponse:
    """What counts now, what waits with its day, every card's level, every request."""
    house, person = house_of(request.user), request.user
    if house is None:
        raise Http404("There is no house here yet. Begin one at /begin/.")
    history = lines_of(authority_queries.authority_changes(house).order_by("-number"), person)
    verbs: Any = person.verbs()  # type: ignore[union-attr]
    pages = {each.row.number: each.address for each in history}
    settings = [
        (each, pages.get(each.by.change) if each.by else "", pages.get(each.waits.change) if each.waits else "")
        for each in counting(house)
    ]
    told = {
        "house": house, "settings": settings, "cards": cards_of(person, house), "history": history,
        "asked": [each for each in history if each.row.is_open], "may": not verbs.isdisjoint(VERBS),
    }  # fmt: skip
    return render(request, "accounting/desk/authority.html", told)
