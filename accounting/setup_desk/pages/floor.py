"""Many tables at once: from a spreadsheet, linked together, and a controller and its code for each."""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounting.house_file.writer import devices_in, table_content, tables_in
from accounting.setup_desk.actions.codes import invite_many
from accounting.setup_desk.actions.setting_up import SetUpOutcome, SetUpWish, set_up, set_up_list
from accounting.setup_desk.pages.options import options_of
from accounting.setup_desk.pages.parts import answer, page, problems_of
from accounting.setup_desk.pages.path import READS, VERB, house_here, person_here
from accounting.setup_desk.printing import code_sheet
from accounting.setup_desk.queries import house_habits, standing_parts, tables_without_device
from accounting.setup_desk.rules.part_kinds import DEVICES, TABLES
from accounting.setup_desk.rules.table_list import read_list
from jackpot.refusals import NotUnderstood, Refused
from jackpot.web.pages.access import needs
from jackpot.web.pages.listing import coded_list
from jackpot.web.pages.posting import word

PAGE: Final = 100
LARGEST_LIST: Final = 200_000
EXAMPLE: Final = "code,game,seats,wager,profile,jackpots\nT-01,uth,7,1.00,card,GRAND\nT-02,uth,6,1.00,card,GRAND\n"


@require_http_methods(["GET", "HEAD", "POST"])
def setup_list(request: HttpRequest) -> HttpResponse:
    """A list of tables, tried out first: every fault with its line and column."""
    return _listed(request) if request.method == "POST" else _list_form(request)  # type: ignore[return-value]


@require_http_methods(["GET", "HEAD", "POST"])
def setup_links(request: HttpRequest) -> HttpResponse:
    """Which jackpots the ticked tables feed."""
    return _link(request) if request.method == "POST" else _link_form(request)  # type: ignore[return-value]


setup_list.verbs = setup_links.verbs = {"GET": READS, "POST": (VERB,)}  # type: ignore[attr-defined]


@needs(*READS)
def _list_form(request: HttpRequest) -> HttpResponse:
    return _list_page(request)


@needs(VERB, method="POST")
def _listed(request: HttpRequest) -> HttpResponse:
    premises, trying = house_here(request), request.POST.get("act") != "make"
    typed, name = sent_text(request, "list", LARGEST_LIST, "list.csv")
    try:
        listed = read_list(typed, TABLES.fields, house_habits(premises, timezone.now()))
        outcome = set_up_list(
            premises=premises, listed=listed, name=name, by=person_here(request), dry_run=trying,
            reason=word(request, "reason"),
        )  # fmt: skip
    except Refused as refused:
        return _list_page(request, typed, refused.status, problems=problems_of(refused))
    if trying:
        return _list_page(request, typed, outcome=outcome)
    return answer(request, outcome, "setup-part", part="tables")


def _list_page(request: HttpRequest, typed: str = "", status: int = 200, **told: Any) -> HttpResponse:
    facts = {"typed": typed, "example": EXAMPLE, "columns": TABLES.names, "may": person_here(request).may(VERB), **told}
    return render(request, "accounting/setup_desk/list.html", facts, status=status)


@needs(*READS)
def _link_form(request: HttpRequest) -> HttpResponse:
    return _link_page(request, [], "")


@needs(VERB, method="POST")
def _link(request: HttpRequest) -> HttpResponse:
    premises, codes = house_here(request), request.POST.getlist("tables")
    typed, reason = word(request, "jackpots"), word(request, "reason")
    jackpots = [code.strip().upper() for code in typed.split(",") if code.strip()]
    trying = request.POST.get("act") == "try"
    try:
        parts = [{**part, "jackpots": jackpots} for part in standing_parts(premises, "tables") if part["code"] in codes]
        if not parts:
            raise NotUnderstood("Tick the tables that shall feed these jackpots.", "tables")
        wish = SetUpWish({"tables": parts}, reason=reason)
        outcome = set_up(premises=premises, wish=wish, by=person_here(request), dry_run=trying)
    except Refused as refused:
        return _link_page(request, codes, typed, refused.status, problems=problems_of(refused), reason=reason)
    if trying:
        return _link_page(request, codes, typed, outcome=outcome, reason=reason)
    return answer(request, outcome, "setup-links")


def _link_page(request: HttpRequest, codes: list[str], typed: str, status: int = 200, **told: Any) -> HttpResponse:
    premises = house_here(request)
    jackpots, listed = options_of(premises)["jackpots"], coded_list(tables_in(premises), request.GET, PAGE)
    usual = jackpots[0][0] if len(jackpots) == 1 else ""
    facts = {
        "tables": [table_content(row) for row in listed.rows], "list": listed, "codes": codes,
        "typed": typed or usual, "jackpots": jackpots,
        "standing_jackpots": standing_parts(premises, "jackpots"), "may": person_here(request).may(VERB), **told,
    }  # fmt: skip
    return render(request, "accounting/setup_desk/links.html", facts, status=status)


def controllers_for_all(request: HttpRequest) -> SetUpOutcome:
    """One for every table at which nothing stands that could count."""
    premises = house_here(request)
    codes = tables_without_device(premises)
    parts = [{"code": f"{code}-C", "kind": "controller", "table": code} for code in codes]
    return set_up(premises=premises, wish=SetUpWish({"devices": parts}), by=person_here(request))


@needs(VERB, method="POST")
def setup_controllers(request: HttpRequest) -> HttpResponse:
    try:
        outcome = controllers_for_all(request)
    except Refused as refused:
        return page(request, DEVICES, house_here(request), {}, problems=problems_of(refused), status=refused.status)
    return answer(request, outcome, "setup-part", part="devices")


@never_cache
@needs(VERB, method="POST")
def setup_codes(request: HttpRequest) -> HttpResponse:
    """New codes for the ticked devices as a sheet to cut out; the codes stand on it and nowhere else."""
    premises, ticked, now = house_here(request), request.POST.getlist("devices"), timezone.now()
    try:
        codes = invite_many(
            devices=list(devices_in(premises).filter(code__in=ticked)), by=person_here(request).username
        )
    except Refused as refused:
        facts = {"problems": problems_of(refused), "status": refused.status}
        return page(request, DEVICES, premises, {}, **facts)
    answered = HttpResponse(code_sheet(premises, codes, now), content_type="application/pdf")
    answered.headers["Content-Disposition"] = 'attachment; filename="device-codes.pdf"'
    return answered


def sent_text(request: HttpRequest, field: str, largest: int, name: str) -> tuple[str, str]:
    """A text that was typed or pasted, or the file beside it; what is no text is answered as one with marks in it."""
    file: Any = request.FILES.get("file")
    if file is None:
        return request.POST.get(field, "")[: largest + 1], name
    plain = "".join(each for each in str(file.name)[:60] if each.isprintable())
    # One more than allowed, so that what is too long is known without reading all of it.
    return file.read(largest + 1).decode("utf-8", "replace"), plain or name
