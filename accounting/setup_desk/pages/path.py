"""The way from an empty house to its first round, on one page: what stands, what is missing, one press away."""

from __future__ import annotations

from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from accounting.setup_desk.queries import SET_UP, house_facts, waiting_requests
from accounting.setup_desk.rules.house_steps import StepState, steps_of
from accounting.setup_desk.rules.part_kinds import PARTS
from jackpot.property.models.property import Property
from jackpot.property.queries import house_of
from jackpot.signing.actions import kind_of
from jackpot.web.pages.access import needs

VERB: Final = SET_UP
READS: Final = (SET_UP, "read_trail")
OTHERS: Final = (
    "notices",
    "unclaimed",
    "collections",
    "schedules",
    "components",
)  # parts that no first round waits for
FACES: Final = {StepState.DONE: ("ok", "✓"), StepState.MISSING: ("late", "○"), StepState.LATER: ("", "–")}


@needs(*READS)
def setup(request: HttpRequest) -> HttpResponse:
    premises = house_here(request)
    steps = steps_of(house_facts(premises))
    waiting = [(row, kind_of(row.kind).phrase(row)) for row in waiting_requests(premises)]
    following = next((step.code for step in steps if step.state == StepState.MISSING), "")
    shown = [(step, *FACES[step.state], address_of(step.code), step.code == following) for step in steps]
    done = sum(step.state == StepState.DONE for step in steps)
    others = [(PARTS[key].title, address_of(key)) for key in OTHERS]
    facts = {
        "steps": shown, "others": others, "waiting": waiting, "done": done, "count": len(steps), "house_here": premises,
    }  # fmt: skip
    return render(request, "accounting/setup_desk/path.html", facts)


def address_of(step: str) -> str:
    if step in PARTS:
        return reverse("setup-part", kwargs={"part": step})
    return reverse({"people": "people-desk", "links": "setup-links", "round": "tables"}[step])


def house_here(request: HttpRequest) -> Property:
    """The house of whoever is signed in; without one there is nothing to set up."""
    premises = house_of(request.user)
    if premises is None:
        raise Http404("There is no house here yet.")
    return premises


def person_here(request: HttpRequest) -> Any:
    return request.user
