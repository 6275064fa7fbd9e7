"""The house as a file: written, and brought in from one, with a look at what it would do before."""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from accounting.house_file.writer import house_text
from accounting.setup_desk.actions.setting_up import MOST_TEXT, SetUpWish, set_up
from accounting.setup_desk.pages.floor import sent_text
from accounting.setup_desk.pages.parts import answer, problems_of
from accounting.setup_desk.pages.path import READS, VERB, house_here, person_here
from jackpot.refusals import NotUnderstood, Refused
from jackpot.trail.actions.trail import record
from jackpot.trail.rules import objects
from jackpot.web.pages.access import needs
from jackpot.web.pages.posting import word

NAME: Final = "house.toml"


@require_http_methods(["GET", "HEAD", "POST"])
def setup_file(request: HttpRequest) -> HttpResponse:
    return _brought(request) if request.method == "POST" else _form(request)  # type: ignore[return-value]


setup_file.verbs = {"GET": READS, "POST": (VERB,)}  # type: ignore[attr-defined]


@needs(*READS, method="POST")
def setup_written(request: HttpRequest) -> HttpResponse:
    """This house as a casino file; who took it along stands in the trail."""
    premises = house_here(request)
    text = house_text(premises, timezone.now())
    record(actor=person_here(request), act="write_house", about=objects.house(premises.code))
    answered = HttpResponse(text, content_type="application/toml; charset=utf-8")
    answered.headers["Content-Disposition"] = f'attachment; filename="{premises.code.lower()}.toml"'
    return answered


@needs(*READS)
def _form(request: HttpRequest) -> HttpResponse:
    return _page(request, "")


@needs(VERB, method="POST")
def _brought(request: HttpRequest) -> HttpResponse:
    premises, trying = house_here(request), request.POST.get("act") != "make"
    typed, name = sent_text(request, "text", MOST_TEXT, NAME)
    try:
        if len(typed) > MOST_TEXT:
            raise NotUnderstood(f"The file is longer than {MOST_TEXT:,} characters. Load it with load_casino.", "file")
        # Browsers send their own line ends; the request keeps, and both people sign, those of the file.
        wish = SetUpWish(text=typed.replace("\r\n", "\n"), name=name, reason=word(request, "reason"))
        outcome = set_up(premises=premises, wish=wish, by=person_here(request), dry_run=trying)
    except Refused as refused:
        return _page(request, typed, refused.status, problems=problems_of(refused))
    if trying:
        return _page(request, typed, outcome=outcome, name=name)
    return answer(request, outcome, "setup")


def _page(request: HttpRequest, typed: str, status: int = 200, **told: Any) -> HttpResponse:
    facts = {"typed": typed, "house_here": house_here(request), "may": person_here(request).may(VERB), **told}
    return render(request, "accounting/setup_desk/file.html", facts, status=status)
