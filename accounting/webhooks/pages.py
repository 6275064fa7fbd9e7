"""Webhooks: the list, the page of one with how far it has come, and what an administrator does with it."""

from __future__ import annotations

from typing import Any, Final

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache

from accounting.feed.queries import last_number
from accounting.ways_out.actions import asked_here, to_fetch
from accounting.webhooks.actions import registering
from accounting.webhooks.models import Webhook
from accounting.webhooks.queries import webhooks
from accounting.webhooks.rules.signing import MOST_GRACE, SIGNATURE_HEADER, USUAL_GRACE
from jackpot.money import NotAnAmount
from jackpot.people.models import Operator
from jackpot.property.queries import house_of
from jackpot.reading import read_whole
from jackpot.refusals import NotUnderstood, Refused
from jackpot.web.api.fields import LARGEST_KEY
from jackpot.web.pages.access import needs
from jackpot.web.pages.posting import posts, word

READS: Final = ("people", "read_trail")
REGISTERS: Final = "people"


@never_cache
@needs(*READS)
def webhook_list(request: HttpRequest) -> HttpResponse:
    """The list, what two people signed and nobody fetched, and the way to ask for another one."""
    return _page(request, {})


@never_cache
@needs(REGISTERS, method="POST")
def fetch(request: HttpRequest, number: str) -> HttpResponse:
    """The secret stands on this one answer and nowhere else."""
    row = get_object_or_404(asked_here(registering.SendEvents.code, _looks(request)), pk=int(number))
    try:
        made = registering.fetch_webhook(row=row, by=_looks(request))
    except Refused as refused:
        return _page(request, {"problem": refused.why}, refused.status)
    facts = {"row": made.row, "secret": made.secret, "house_here": row.premises, "header": SIGNATURE_HEADER}
    return render(request, "accounting/webhooks/once.html", facts)


@never_cache
@needs(*READS)
def webhook(request: HttpRequest, number: str) -> HttpResponse:
    row, person = _found(request, number), _looks(request)
    facts = {
        "row": row, "house_here": row.premises, "may": person.may(REGISTERS) and row.retired_at is None,
        "long": row.fails_for_long(), "now": timezone.now(), "header": SIGNATURE_HEADER,
        "usual_grace": USUAL_GRACE, "most_grace": MOST_GRACE,
    }  # fmt: skip
    return render(request, "accounting/webhooks/webhook.html", facts)


@posts(REGISTERS, back_to="webhook")
def pause(request: HttpRequest, number: str) -> str:
    registering.pause_webhook(row=_found(request, number), reason=word(request, "reason", 201), by=_looks(request))
    return "Paused: nothing is sent. Events are kept until it is resumed."


@posts(REGISTERS, back_to="webhook")
def resume(request: HttpRequest, number: str) -> str:
    row = registering.resume_webhook(
        row=_found(request, number), reason=word(request, "reason", 201), by=_looks(request)
    )
    return f"Resumed: it goes on behind number {row.last_number}."


@posts(REGISTERS, back_to="webhook")
def replay(request: HttpRequest, number: str) -> str:
    row = registering.replay_webhook(
        row=_found(request, number), after=_number(word(request, "after", 20)), reason=word(request, "reason", 201),
        by=_looks(request),
    )  # fmt: skip
    return f"Everything behind number {row.last_number:,} is sent, beginning now."


@never_cache
@needs(REGISTERS, method="POST")
def renew(request: HttpRequest, number: str) -> HttpResponse:
    """The secret stands on this one answer and nowhere else; a refusal is read on the webhook's page."""
    row = _found(request, number)
    try:
        hours = _number(word(request, "grace_hours", 4), "hours")
        made = registering.renew_secret(
            row=row, grace_hours=hours, reason=word(request, "reason", 201), by=_looks(request)
        )
    except Refused as refused:
        messages.error(request, refused.why)
        return redirect("webhook", number=str(row.pk))
    facts = {"row": made.row, "secret": made.secret, "house_here": row.premises, "header": SIGNATURE_HEADER,
             "renewed": True, "now": timezone.now()}  # fmt: skip
    return render(request, "accounting/webhooks/once.html", facts)


@posts(REGISTERS, back_to="webhook")
def retire(request: HttpRequest, number: str) -> str:
    row = registering.retire_webhook(
        row=_found(request, number), reason=word(request, "reason", 201), by=_looks(request)
    )
    return f"Retired: nothing more is sent to {row.address}."


def _page(request: HttpRequest, facts: dict[str, Any], status: int = 200) -> HttpResponse:
    house = house_of(request.user)
    shown = {
        "lines": list(webhooks(request.user)), "house_here": house, "may": _looks(request).may(REGISTERS),
        "newest": last_number(house) if house else 0, "now": timezone.now(),
        "to_fetch": to_fetch(registering.SendEvents.code, _looks(request)).filter(webhook=None),
        "kind": registering.SendEvents.code, **facts,
    }  # fmt: skip
    return render(request, "accounting/webhooks/webhooks.html", shown, status=status)


def _found(request: HttpRequest, number: str) -> Webhook:
    row = webhooks(request.user).filter(pk=int(number)).first()
    if row is None:
        raise Http404("There is no such webhook in your house.")
    return row


def _number(typed: str, what: str = "number of the event") -> int:
    try:
        return read_whole(typed, what, 0, LARGEST_KEY)
    except NotAnAmount as why:
        raise NotUnderstood(str(why), "after") from None


def _looks(request: HttpRequest) -> Operator:
    assert isinstance(request.user, Operator), "whoever is let in is a person"
    return request.user
