"""The first page: sends each role to its work; on a demo property it is the start of a tour."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounting.cage.pages import wins
from accounting.desk.pages import requests
from accounting.home.queries.morning import morning_of
from accounting.home.queries.own_waits import own_waits
from accounting.lab.pages import lab
from accounting.setup_desk.actions.founding import may_be_founded
from jackpot.books.actions.holding import held_here
from jackpot.books.queries import jackpots, stopped_here
from jackpot.errands.queries import overdue_errands
from jackpot.people.models import Operator
from jackpot.property.queries import house_of
from jackpot.web.pages.access import needs
from jackpot.wins.queries.pending import PIT_VERBS
from tables.floor.queries.device_lists import signs_of

READS: Final = ("read_books", "close_day")
LOOKS_ON: Final = frozenset({"see", "read_books", "read_trail", "watch"})


@dataclass(frozen=True, slots=True)
class Work:
    """A place to go: its address, what one does there, and the verbs of which one opens it."""

    url_name: str
    title: str
    words: str
    verbs: tuple[str, ...]
    icon: str


WORKS: Final = (
    Work("consoles", "The dealer’s console", "Badge in, lock the bets, mark the hands.", ("deal",), "floor"),
    Work("pit", "The pit", "Open hits in their order, tables live, keys and alarms.", ("run_tables",), "meter"),
    Work("cage", "The cage", "A slip, its person, its money: each slip pays once.", ("pay",), "round"),
    Work("devices", "The devices", "Every box and sign: heard or silent, enrolled, blocked.", ("service",), "floor"),
    Work("tables", "The floor", "Every table at a glance: round, chips, link and meter.", ("see",), "floor"),
    Work("wins", "The wins", "Every win with its page: find it, print it, see who signed.", wins.READERS, "round"),
    Work("days", "The gaming days", "Match, explain, sign: each day closes at 0.00.", ("close_day", "count"), "round"),
    Work("jackpots", "The jackpots", "Meters, every entry, and why a meter fell.", ("see",), "meter"),
    Work("requests", "The requests", "What waits for a second person, and why.", requests.DECIDERS, "round"),
    Work("rounds", "The rounds", "What was counted at which table, and what it wrote.", ("see",), "round"),
    Work("lab", "The laboratory", "What a setting will do: edge, growth, running dry.", lab.OPERATES, "meter"),
    Work("config", "The configuration", "Ask for other terms, preview them, sign them.", ("configure",), "meter"),
    Work(
        "authority", "The authority", "Thresholds, PINs, card levels: ask, or sign.", ("configure", "people"), "round"
    ),
    Work("people-desk", "The people", "Who works here: roles, cards, sign-ins; dismiss at once.", ("people",), "round"),
    Work("alarms", "The alarms", "What rings, what rang, and where it is told.", ("run_tables", "people"), "meter"),
    Work("setup", "Setting up", "The house step by step: what stands, what is missing.", ("set_up",), "floor"),
    Work("train", "The training table", "A dealt round, step by step, with the reasons.", ("deal",), "floor"),
)


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    person = request.user
    verbs = person.verbs() if person.is_authenticated else frozenset()
    works = [(work, reverse(work.url_name)) for work in WORKS if verbs.intersection(work.verbs)]
    house = house_of(person)
    demo = house is not None and house.demo
    reads = house is not None and bool(verbs.intersection(READS))
    return render(
        request,
        "accounting/home/home.html",
        {
            "works": works,
            "morning": morning_of(house) if reads and house is not None else None,
            "waits": own_waits(person, house, verbs)
            if isinstance(person, Operator) and house is not None and not reads
            else None,
            "overdue": overdue_errands(timezone.now()) if verbs.intersection(PIT_VERBS) else [],
            "stopped": stopped_here(request.user) if verbs.intersection(PIT_VERBS) else [],
            "held": held_here(request.user) if verbs.intersection(PIT_VERBS) else [],
            "premises": house,
            "empty": house is None and not person.is_authenticated and may_be_founded(),
            "demo": demo,
            # Who only looks on is not shown the way with other people's passwords.
            "tour": demo and (not person.is_authenticated or bool(verbs - LOOKS_ON)),
            "signs": list(signs_of(person).order_by("code")) if demo or person.is_authenticated else [],
            "meters": list(jackpots(person).order_by("code"))
            if not reads and (demo or person.is_authenticated)
            else [],
        },
    )


home.verbs = {"GET": ("anyone",)}  # type: ignore[attr-defined]


@needs(*READS)
def office(request: HttpRequest) -> HttpResponse:
    """The morning: yesterday, what is owed, what waits. One press leads to each."""
    house = house_of(request.user)
    told = {"morning": morning_of(house) if house is not None else None, "premises": house}
    return render(request, "accounting/home/office.html", told)
