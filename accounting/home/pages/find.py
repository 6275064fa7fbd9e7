"""One search box for the whole house; what only one thing answers to is opened at once."""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from accounting.home.queries.find import found_for
from jackpot.web.pages.access import needs

EVERYBODY: Final = (
    "see", "read_books", "read_trail", "deal", "verify", "approve", "pay", "count", "close_day", "run_tables",
    "service", "watch", "configure", "adjust", "sign_adjustments", "people",
)  # fmt: skip

SEVERAL: Final = {"Entry": "Entries", "Person": "People"}


@needs(*EVERYBODY)
def find(request: HttpRequest) -> HttpResponse:
    """Slips, entries, rounds, tables, jackpots, people, requests, reports and pages."""
    typed = request.GET.get("q", "").strip()[:80]
    found = found_for(request.user, typed)
    if len(found) == 1:
        return redirect(found[0].href)
    kinds = list(dict.fromkeys(thing.kind for thing in found))
    groups = [(kind, [thing for thing in found if thing.kind == kind]) for kind in kinds]
    groups = [(kind if len(things) == 1 else SEVERAL.get(kind, f"{kind}s"), things) for kind, things in groups]
    return render(request, "accounting/home/find.html", {"typed": typed, "groups": groups})
