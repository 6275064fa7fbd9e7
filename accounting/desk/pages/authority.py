"""Who may approve what, changed on a page: one person asks and sees the preview, a second one signs."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone

from accounting.desk.pages.authority_ask import READS
from accounting.desk.pages.authority_shown import cards_of, counting, shown
from jackpot.authority import queries as authority_queries
from jackpot.authority.actions.requests import VERBS
from jackpot.authority.models import AuthorityChange
from jackpot.property.models.property import Property
from jackpot.property.queries import house_of
from jackpot.signing.actions import refuse, sign, withdraw
from jackpot.signing.pages import approver_here
from jackpot.web.pages.access import needs
from jackpot.web.pages.posting import posts, word


@needs(*READS)
def authority(request: HttpRequest) -> HttpResponse:
    """What counts now, what waits with its day, every card's level, every request."""
    house = _house(request)
    today = house.gaming_day(timezone.now())
    history = [shown(change, today) for change in authority_queries.authority_changes(house).order_by("-number")]
    told = {
        "house": house, "settings": counting(house), "cards": cards_of(request.user, house), "history": history,
        "asked": [each for each in history if each.row.is_open], "may": _may(request),
    }  # fmt: skip
    return render(request, "accounting/desk/authority.html", told)


@needs(*READS)
def authority_change(request: HttpRequest, change: str) -> HttpResponse:
    """One request: what changes in figures, who signed and who still must, from when each setting counts."""
    house = _house(request)
    row, person = _change(request, change), _person(request)
    told = {
        "house": house, "change": shown(row, house.gaming_day(timezone.now())), "may": _may(request),
        # Nobody signs what they asked for, nor the level of their own card: the page offers neither.
        "mine": row.asked_by_id == person.pk, "own": row.whose is not None and row.whose.operator_id == person.pk,
        "is_open": row.is_open, "replaces": _replaces(house, row),
    }  # fmt: skip
    return render(request, "accounting/desk/authority_change.html", told)


@posts(*VERBS, back_to="authority-change")
def authority_approve(request: HttpRequest, change: str) -> str:
    row = _change(request, change)
    decided = sign(request_id=row.pk, approver=approver_here(request, row))
    days = sorted({step.day for step in decided.signed_steps if step.day})
    # One request may hold both: what lowers authority counts at once, what raises it from the next gaming day.
    later = f"from {days[0]:%d %b %Y}, the next gaming day" if days else ""
    at_once = "at once" if any(step.day is None for step in decided.signed_steps) else ""
    return f"Change {change} is signed. It counts {' and '.join(filter(None, (at_once, later)))}."


@posts(*VERBS, back_to="authority-change")
def authority_refuse(request: HttpRequest, change: str) -> str:
    refuse(request_id=_change(request, change).pk, reason=word(request, "why"), by=_person(request))
    return f"Change {change} is refused."


@posts(*VERBS, back_to="authority-change")
def authority_withdraw(request: HttpRequest, change: str) -> str:
    withdraw(request_id=_change(request, change).pk, reason=word(request, "why"), by=_person(request))
    return f"Change {change} is withdrawn."


def _replaces(house: Property, row: AuthorityChange) -> list[str]:
    """What waits already, and would fall with the second signature."""
    if not row.is_open:
        return []
    return [
        f"{each.label} {each.then}, which waits for {each.waits.day:%d %b %Y}, will fall."
        for each in counting(house)
        if each.name in row.after and each.waits is not None
    ]


def _house(request: HttpRequest) -> Property:
    house = house_of(request.user)
    if house is None:
        raise Http404("There is no house here yet. Begin one at /begin/.")
    return house


def _change(request: HttpRequest, number: str) -> AuthorityChange:
    return get_object_or_404(authority_queries.authority_changes(_house(request)), number=int(number))


def _may(request: HttpRequest) -> bool:
    return bool(_person(request).verbs().intersection(VERBS))


def _person(request: HttpRequest) -> Any:
    return request.user
