"""Slips that nobody has claimed: age, sum, when each lapses, and whose owner is to be told."""

from __future__ import annotations

from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from accounting.cage.pages.wins import READERS
from accounting.cage.pages.wins_record import found
from jackpot.money import ZERO
from jackpot.notices.actions.finishing import tell_owner
from jackpot.people.models import Operator
from jackpot.property.queries import house_of
from jackpot.property.rules.unclaimed import ClaimState
from jackpot.web.pages.access import needs
from jackpot.web.pages.listing import list_page
from jackpot.web.pages.posting import posts, word
from jackpot.wins.queries.paying import unclaimed_slips

PAGE: Final = 50
TELLS: Final = ("pay", "close_day")
WORDS: Final = {
    ClaimState.OPEN: ("owed", "gold", "○"),
    ClaimState.NOTICE_DUE: ("notice due", "late", "!"),
    ClaimState.NOTICE_GIVEN: ("notice given", "ok", "✓"),
    ClaimState.LAPSED: ("lapsed", "down", "✕"),
}


@needs(*READERS)
def unclaimed(request: HttpRequest) -> HttpResponse:
    """The oldest first, with the sum of all."""
    house = house_of(request.user)
    if house is None:
        raise Http404("There is no house yet.")
    # All of them, also for one page: the sum, and how many are due or lapsed, are those of the whole list.
    slips = unclaimed_slips(house, house.gaming_day(timezone.now()))
    page = list_page(len(slips), request.GET.get("page", ""), PAGE)
    shown = slips[page.offset : page.offset + page.size]
    facts = {
        "slips": [(each, WORDS[each.claim.state]) for each in shown], "house_here": house, "premises": house,
        "page": page, "turns": page.turns(""), "total": sum((each.amount for each in slips), ZERO),
        "due": sum(each.claim.state == ClaimState.NOTICE_DUE for each in slips),
        "lapsed": sum(each.claim.state == ClaimState.LAPSED for each in slips),
        "has_rule": house.unclaimed_rules.exists(),
        "may_tell": not request.user.verbs().isdisjoint(TELLS),  # type: ignore[union-attr]
    }  # fmt: skip
    return render(request, "accounting/cage/unclaimed.html", facts)


@posts(*TELLS, back_to="office-win")
def win_notice(request: HttpRequest, number: str) -> str:
    """The owner of an unpaid slip was told: how, and by whom."""
    person = request.user
    assert isinstance(person, Operator)
    row = tell_owner(win=found(request, number), by=person, how=word(request, "how"))
    return f"The notice for slip {row.win.slip} is noted."
