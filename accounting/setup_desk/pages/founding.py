"""The first page of all: an empty database becomes a house with its first two people."""

from __future__ import annotations

from typing import Any
from zoneinfo import available_timezones

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from accounting.setup_desk.actions.founding import Founder, FoundingWish, found_house, may_be_founded
from accounting.setup_desk.pages.options import typed_words
from accounting.setup_desk.pages.parts import problems_of
from accounting.setup_desk.rules.part_kinds import PROPERTY
from jackpot.people.rules.own_secret import LEAST_PASSWORD
from jackpot.refusals import Refused
from jackpot.rule_books.queries import rule_books
from jackpot.web.pages.posting import word

FIRST = ("name", "currency", "time_zone", "day_roll", "rule_book")


@never_cache
@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def begin(request: HttpRequest) -> HttpResponse:
    """Open to whoever holds the founding code; where a house stands it only says so."""
    if request.method != "POST":
        return _page(request, {field.name: field.start for field in PROPERTY.fields})
    typed = typed_words(request, PROPERTY)
    # Only what the first page asks for: a field smuggled into the form sets no switch of the house.
    facts = {name: typed[name] for name in FIRST if typed[name].strip()}
    wish = FoundingWish(
        word(request, "code", 40), {"code": word(request, "house", 20).upper(), **facts}, _founder(request, "first"),
        _founder(request, "second"),
    )  # fmt: skip
    try:
        found_house(wish=wish, address=str(request.META.get("REMOTE_ADDR", "")))
    except Refused as refused:
        return _page(request, typed, refused.status, problems=problems_of(refused))
    messages.success(request, "The house stands. Sign in, and it leads you on to its first round.")
    return redirect("sign-in")


begin.verbs = {"GET": ("anyone",), "POST": ("anyone",)}  # type: ignore[attr-defined]


def _founder(request: HttpRequest, which: str) -> Founder:
    """A password is taken as it was typed: a blank at its end is part of it."""
    secrets = (request.POST.get(f"{which}-{name}", "")[:200] for name in ("password", "again"))
    return Founder(word(request, f"{which}-username", 60), word(request, f"{which}-name", 101), *secrets)


def _page(request: HttpRequest, typed: dict[str, str], status: int = 200, **told: Any) -> HttpResponse:
    offered = {
        "time_zone": [(name, "") for name in sorted(available_timezones())],
        "rule_book": [(book.code, book.name) for book in rule_books().books.values()],
    }
    fields = [
        (field, typed.get(field.name, ""), offered.get(field.options, []))
        for field in PROPERTY.fields
        if field.name in FIRST
    ]
    people = [
        (which, label, word(request, f"{which}-username", 60), word(request, f"{which}-name", 101))
        for which, label in (("first", "First administrator"), ("second", "Second administrator"))
    ]
    facts = {
        "fields": fields, "people": people, "house_code": word(request, "house", 20), "least": LEAST_PASSWORD,
        "empty": may_be_founded(), **told,
    }  # fmt: skip
    return render(request, "accounting/setup_desk/begin.html", facts, status=status)
