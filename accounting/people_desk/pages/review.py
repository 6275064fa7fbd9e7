"""The quarterly review: everybody's rights with their last use, signed by two people."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from accounting.people_desk.actions.reviewing import begin_review
from accounting.people_desk.pages.desk import CHANGES, READS
from accounting.people_desk.pages.shown import review_due
from accounting.people_desk.queries import last_review, open_review, rights_of_house
from accounting.people_desk.rules.rights_digest import rights_digest
from jackpot.people.actions.people import VERBS
from jackpot.property.models.property import Property
from jackpot.property.queries import house_of
from jackpot.web.pages.access import needs
from jackpot.web.pages.posting import posts, word


@needs(*READS)
def review_page(request: HttpRequest) -> HttpResponse:
    """The whole list with its digest; whoever gives roles signs it as the first person."""
    house, person = _house(request), _looks(request)
    lines, last = rights_of_house(house), last_review(house)
    told = {
        "lines": lines, "digest": rights_digest(each.rights for each in lines), "last": last, "house_here": house,
        "waits": open_review(house), "due": review_due(last, house, timezone.now()), "may": person.may(CHANGES),
        "meanings": [(verb.replace("_", " "), meaning) for verb, meaning in VERBS.items()],
    }  # fmt: skip
    return render(request, "accounting/people_desk/review.html", told)


@posts(CHANGES, back_to="people-review")
def review_sign(request: HttpRequest) -> str:
    """The first of two words."""
    # The digest comes with the form: signed is the list that was on the screen, not the one of this moment.
    digest, why = word(request, "digest", 64), word(request, "reason", 201)
    row = begin_review(premises=_house(request), digest=digest, reason=why, by=_looks(request))
    return f"You signed. Request {row.pk} waits for the second person."


def _house(request: HttpRequest) -> Property:
    house = house_of(request.user)
    if house is None:
        raise Http404("There is no house here yet. Begin one at /begin/.")
    return house


def _looks(request: HttpRequest) -> Any:
    return request.user
