"""The tour's doors: its steps as they stand now, and starting again. Open to every guest of a demo."""

from __future__ import annotations

import hashlib
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounting.tour.again import GUEST, start_again
from accounting.tour.cast import SIGN, cast, tour_table
from accounting.tour.stand import LOOKED, stand_of
from accounting.tour.steps import steps_of
from jackpot.refusals import Refused
from jackpot.trail.actions.trail import record
from jackpot.trail.rules import objects
from tables.floor.models.table import Profile, Table


@never_cache
@require_safe
def tour_steps(request: HttpRequest, profile: str) -> HttpResponse:
    """Asked again every two seconds; nothing comes back, and nothing is drawn anew, until something is different."""
    facts = tour_facts(_table(profile), request)
    if facts is None:
        raise Http404
    # A page that is drawn anew every two seconds would take what is being typed from under the fingers.
    if request.GET.get("seen") == facts["seen"]:
        return HttpResponse(status=204)
    return render(request, "accounting/tour/steps.html", {"it": facts, "alone": True})


@require_POST
def tour_again(request: HttpRequest, profile: str) -> HttpResponse:
    table = _table(profile)
    try:
        start_again(table)
        messages.success(request, f"{table.code} is free. The tour begins anew.")
    except Refused as refused:
        messages.error(request, refused.why)
    return redirect(f"{reverse('home')}?tour={profile}#tour")


@require_POST
def tour_sign(_: HttpRequest, profile: str) -> HttpResponse:
    """To the sign over the tables for guests; that somebody looked is all that a tick can go by."""
    table = _table(profile)
    record(actor=GUEST, act=LOOKED, about=objects.table(table.code))
    return redirect("sign", code=SIGN)


def tour_facts(table: Table, request: HttpRequest) -> dict[str, Any] | None:
    """The steps with their ticks, and a digest of them by which a page knows whether it is up to date.

    Whoever signs in in the other tab is given another token for forms; the page here needs that one too.
    """
    people = cast()
    if people is None:
        return None
    stand = stand_of(table, request.user.get_username())
    steps = steps_of(stand, people)
    now = next((number for number, step in enumerate(steps, 1) if not step.done and not step.optional), None)
    meter = stand.jackpot.meter_money if stand.jackpot else None
    token = request.COOKIES.get(settings.CSRF_COOKIE_NAME)
    seen = hashlib.sha256(repr((steps, meter, token)).encode()).hexdigest()[:16]
    needed = [step for step in steps if not step.optional]
    return {
        "table": table, "house": table.premises, "jackpot": stand.jackpot, "profile": table.profile,
        "profiles": [(each.value, each.label) for each in (Profile.CARD, Profile.KEY)],
        "steps": steps, "now": now, "all": len(needed), "seen": seen,
    }  # fmt: skip


def _table(profile: str) -> Table:
    table = tour_table(profile)
    if table is None:
        raise Http404
    return table


tour_steps.verbs = {"GET": ("anyone",)}  # type: ignore[attr-defined]
tour_sign.verbs = {"POST": ("anyone",)}  # type: ignore[attr-defined]
tour_again.verbs = {"POST": ("anyone",)}  # type: ignore[attr-defined]
