"""Alarms: what rings, what rang, and where it is told."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache

from accounting.alarms.actions import addresses as acts
from accounting.alarms.models import AlarmAddress
from accounting.alarms.queries import lists
from jackpot.people.models import Operator
from jackpot.property.queries import house_of
from jackpot.refusals import NotFound, NotUnderstood
from jackpot.web.pages.access import needs
from jackpot.web.pages.posting import posts, word
from jackpot.wins.queries.pending import PIT_VERBS

READS = (*PIT_VERBS, "people", "read_trail")
ADDS = "people"


@never_cache
@needs(*READS)
def alarms(request: HttpRequest) -> HttpResponse:
    return _shown(request, {})


@never_cache
@needs(*READS)
def alarm_address(request: HttpRequest, number: str) -> HttpResponse:
    """The same page; one that was ended a moment ago is not missed."""
    return _shown(request, {"chosen": int(number)})


def _again(request: HttpRequest, refused: Any) -> HttpResponse:
    typed = {"name": word(request, "name", 61), "address": word(request, "address", 501), "problem": refused.why}
    return _shown(request, typed, refused.status)


@posts(ADDS, back_to="alarms", again=_again)
def add(request: HttpRequest) -> str:
    person, house = _person(request), house_of(request.user)
    if house is None:
        raise NotUnderstood("There is no house here yet. Found one first.", "no_house")
    loud = word(request, "loud_only") == "yes"
    row = acts.add_address(
        premises=house, name=word(request, "name", 61), address=word(request, "address", 501), loud_only=loud, by=person
    )
    return f"Alarms are told to {row.name}; a first message that says so is on its way."


@posts(ADDS, back_to="alarm-address")
def attempt(request: HttpRequest, number: str) -> str:
    row = _found(request, number)
    acts.try_address(row=row, by=_person(request))
    return f"A message to {row.name} is on its way; this page says what came of it."


@posts(ADDS, back_to="alarm-address")
def end(request: HttpRequest, number: str) -> str:
    row = _found(request, number)
    acts.end_address(row=row, by=_person(request))
    return f"Nothing more is told to {row.name}."


def _shown(request: HttpRequest, facts: dict[str, Any], status: int = 200) -> HttpResponse:
    person = _person(request)
    shown = {
        "ringing": list(lists.ringing(person)), "ended": lists.ended_lately(person, timezone.now()),
        "addresses": list(lists.addresses(person)), "may": person.may(ADDS), "house": house_of(person), **facts,
    }  # fmt: skip
    return render(request, "accounting/alarms/alarms.html", shown, status=status)


def _found(request: HttpRequest, number: str) -> AlarmAddress:
    row = lists.addresses(request.user).filter(pk=int(number)).first()
    if row is None:
        raise NotFound("There is no such address for alarms in your house, or it was ended.", "no_address")
    return row


def _person(request: HttpRequest) -> Operator:
    assert isinstance(request.user, Operator), "whoever is let in is a person"
    return request.user
