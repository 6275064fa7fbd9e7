"""Who may approve what, changed on a page: one person asks and sees the preview, a second one signs."""

from __future__ import annotations

from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from accounting.desk.pages.authority_shown import card_line, cards_of, counting, fields_of, shown
from jackpot.authority import queries as authority_queries
from jackpot.authority.actions import asking, level
from jackpot.authority.actions.requests import VERBS
from jackpot.authority.models import AuthorityChange
from jackpot.people import queries as people_queries
from jackpot.people.models import Card
from jackpot.property.models.property import Property
from jackpot.property.queries import house_of
from jackpot.property.rules.authority_change import LEVELS, SETTINGS
from jackpot.refusals import Refused
from jackpot.signing.actions import refuse, sign, withdraw
from jackpot.signing.pages import approver_here
from jackpot.web.pages.access import needs
from jackpot.web.pages.posting import posts, word

READS: Final = ("read_books", *VERBS)


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


@require_http_methods(["GET", "HEAD", "POST"])
def authority_draft(request: HttpRequest) -> HttpResponseBase:
    """The form of other settings: previewed as often as one likes, asked for once."""
    return _draft(request) if request.method == "POST" else _draft_form(request)


authority_draft.verbs = {"GET": READS, "POST": VERBS}  # type: ignore[attr-defined]


@require_http_methods(["GET", "HEAD", "POST"])
def authority_card(request: HttpRequest, id: str) -> HttpResponseBase:  # noqa: A002  the address says so
    """The form of another level for one card: a raise is asked for, a lower level counts at once."""
    return _card(request, int(id)) if request.method == "POST" else _card_form(request, int(id))


authority_card.verbs = {"GET": READS, "POST": VERBS}  # type: ignore[attr-defined]


@needs(*READS)
def authority_change(request: HttpRequest, change: str) -> HttpResponse:
    """One request: what changes in figures, who signed and who still must, from when each setting counts."""
    house = _house(request)
    row, person = _change(request, change), _person(request)
    told = {
        "house": house, "change": shown(row, house.gaming_day(timezone.now())), "may": _may(request),
        "mine": row.asked_by_id == person.pk, "own": row.whose is not None and row.whose.operator_id == person.pk,
        "is_open": row.is_open, "replaces": _replaces(house, row),
    }  # fmt: skip
    return render(request, "accounting/desk/authority_change.html", told)


@posts(*VERBS, back_to="authority-change")
def authority_approve(request: HttpRequest, change: str) -> str:
    row = _change(request, change)
    decided = sign(request_id=row.pk, approver=approver_here(request, row))
    days = sorted({step.day for step in decided.signed_steps if step.day})
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


@needs(*READS)
def _draft_form(request: HttpRequest) -> HttpResponse:
    return _form(request, {})


def _draft(request: HttpRequest) -> HttpResponseBase:
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    _check_may(request)
    house = _house(request)
    values = {name: word(request, name, 40) for name in SETTINGS if name in request.POST}
    reason = word(request, "reason", 201)
    try:
        if word(request, "act") == "ask":
            change = asking.ask(premises=house, wished=values, reason=reason, by=_person(request))
            return redirect("authority-change", change=change.number)
        differing, found = asking.look_ahead(premises=house, wished=values)
    except Refused as why:
        return _form(request, {**values, "reason": reason}, problem=why.why)
    return _form(request, {**values, "reason": reason}, found=found, differing=differing, previewed=True)


def _form(request: HttpRequest, typed: dict[str, str], problem: str = "", **preview: Any) -> HttpResponse:
    house = _house(request)
    told = {
        "house": house, "fields": fields_of(house, typed), "reason": typed.get("reason", ""), "problem": problem,
        "may": _may(request), **preview,
    }  # fmt: skip
    return render(request, "accounting/desk/authority_draft.html", told, status=409 if problem else 200)


@needs(*READS)
def _card_form(request: HttpRequest, card_id: int) -> HttpResponse:
    return _level_form(request, _card_of(request, card_id), {})


def _card(request: HttpRequest, card_id: int) -> HttpResponseBase:
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    _check_may(request)
    card = _card_of(request, card_id)
    wanted, reason = word(request, "level", 20), word(request, "reason", 201)
    try:
        change = level.ask_level(card=card, level=wanted, reason=reason, by=_person(request))
    except Refused as why:
        return _level_form(request, card, {"level": wanted, "reason": reason}, why.why)
    if change.alone:
        messages.success(request, f"Card •••• {card.last_four} of {card.operator} is a {wanted} card from now on.")
        return redirect("authority")
    return redirect("authority-change", change=change.number)


def _level_form(request: HttpRequest, card: Card, typed: dict[str, str], problem: str = "") -> HttpResponse:
    house = _house(request)
    line = card_line(card, house.gaming_day(timezone.now()))
    told = {
        "house": house, "line": line, "levels": list(LEVELS.values()), "value": typed.get("level", line.level),
        "reason": typed.get("reason", ""), "problem": problem, "may": _may(request),
        "own": card.operator_id == _person(request).pk,
    }  # fmt: skip
    return render(request, "accounting/desk/authority_card.html", told, status=409 if problem else 200)


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


def _card_of(request: HttpRequest, card_id: int) -> Card:
    return get_object_or_404(people_queries.cards(request.user).filter(operator__premises=_house(request)), id=card_id)


def _may(request: HttpRequest) -> bool:
    return bool(_person(request).verbs().intersection(VERBS))


def _check_may(request: HttpRequest) -> None:
    if not _may(request):
        raise PermissionDenied("Your roles do not include this. An administrator can change that.")


def _person(request: HttpRequest) -> Any:
    return request.user
