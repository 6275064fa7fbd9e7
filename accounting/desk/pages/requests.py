"""The inbox of everything that one person asked for and another decides, of whatever kind; and one request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods
from django_htmx.http import HttpResponseClientRedirect

from accounting.desk import queries as desk_queries
from accounting.desk.pages import adjustments_csv
from accounting.desk.pages.look import age, request_page
from accounting.desk.pages.request_lines import lines_of, look_of
from jackpot.adjusting.rules.adjusting import Adjusting
from jackpot.refusals import Refused
from jackpot.requests import queries
from jackpot.requests.models import Request
from jackpot.requests.rules.life import OPEN, RequestState
from jackpot.signing.actions import RequestKind, kind_of, known_kinds, refuse, sign, withdraw
from jackpot.signing.actions.deciding import check_refuses
from jackpot.signing.actions.kinds import READY
from jackpot.signing.pages import approver_here
from jackpot.web.pages.access import needs
from jackpot.web.pages.posting import posts, word

READERS: Final = ("read_books", "adjust", "sign_adjustments", "configure", "people", "close_day")
DECIDERS: Final = ("adjust", "sign_adjustments", "configure", "people", "close_day")
PAGE: Final = 50
ADJUSTMENTS: Final = "adjustments"  # every act on a jackpot: chosen in the list like a kind


@needs(*READERS)
def inbox(request: HttpRequest) -> HttpResponse:
    """What waits stands first, the oldest on top; below it what was decided, newest first."""
    person: Any = request.user
    # By kind and not by request: who may not see authority does not learn either that somebody asks for it.
    kinds = [kind for kind in known_kinds() if kind.seen_by(person.verbs())]
    wanted = request.GET.get("kind", "")
    chosen = [kind for kind in kinds if kind.code == wanted or (wanted == ADJUSTMENTS and kind.code in set(Adjusting))]
    # What was typed as a kind only chooses among those that this person may see.
    rows = queries.requests(person).filter(kind__in=[kind.code for kind in chosen or kinds])
    waiting = rows.filter(state__in=OPEN).order_by("asked_at", "id")
    decided = rows.exclude(state__in=OPEN).order_by("-id")
    before = request.GET.get("before", "")
    # A number from an address, of a length that the database takes for one; anything else begins at the top.
    if before.isascii() and before.isdigit() and len(before) < 19:
        decided = decided.filter(id__lt=int(before))
    # One more than is shown: whether there is an older page is known without counting all.
    found = list(decided[: PAGE + 1])
    acts_only = all(kind.code in set(Adjusting) for kind in chosen) and bool(chosen)
    facts = {
        "waiting": lines_of(waiting[:PAGE], person), "count": waiting.count(),
        "decided": lines_of(found[:PAGE], person), "older": found[PAGE - 1].pk if len(found) > PAGE else None,
        **_tabs(person, kinds, wanted if chosen else ""),
        "new": reverse("adjustment-new" if acts_only else "request-new"), **_of_jackpots(person, chosen or kinds),
    }  # fmt: skip
    return render(request, "accounting/desk/requests.html", facts)


def _tabs(person: Any, kinds: Sequence[RequestKind[Any]], wanted: str) -> Mapping[str, Any]:
    """Kinds to choose from: those of which the house has a request, and the one that is looked at."""
    there = {*queries.requests(person).order_by().values_list("kind", flat=True).distinct(), wanted}
    acts = wanted == ADJUSTMENTS or not there.isdisjoint(Adjusting)
    return {"kinds": [kind for kind in kinds if kind.code in there], "kind": wanted, "has_adjustments": acts}


def _of_jackpots(person: Any, kinds: Sequence[RequestKind[Any]]) -> Mapping[str, Any]:
    """What acts on jackpots still leave to somebody, where such acts are listed."""
    if not any(kind.code in set(Adjusting) for kind in kinds):
        return {}
    clocks, left_open = adjustments_csv.clocks(person), adjustments_csv.left_open(person)
    return {"of_jackpots": True, "clocks": clocks, "left_open": left_open, "may_adjust": "adjust" in person.verbs()}


@needs(*READERS)
def one_request(request: HttpRequest, number: str) -> HttpResponse:
    """One request of whatever kind: what it would do now, or what it did; and the forms of who decides."""
    kind, row = _request(request, number)
    person: Any = request.user
    verbs, look = person.verbs(), look_of(row)
    mine, barred, effect = row.asked_by_id == person.pk, look.barred(row, person), look.effect(row)
    may_sign = not mine and not barred and not verbs.isdisjoint(kind.may_sign)
    decides = not verbs.isdisjoint(kind.may_ask | kind.may_sign)
    waits_for_preview = row.state == RequestState.ASKED
    facts: Mapping[str, Any] = {
        "row": row, "called": look.called(row), "title": look.title(row), "lead": look.lead(row),
        "above": look.above(row), "state": look.state(row), "age": age(row), "facts": look.facts(row),
        "entries": list(row.entries.select_related("jackpot")), "may_read_books": "read_books" in verbs,
        "effect": effect, "effect_title": look.effect_title(row), "effect_template": look.effect_template,
        "figures": look.figures(row), "nothing_against": look.judged and row.previewed_at is not None,
        "notes": look.notes(row) if row.is_open else (), "barred": barred,
        "may_adjust": "adjust" in verbs, "mine": mine, "decides": decides, "by_password": may_sign,
        "waits_for_preview": waits_for_preview, "percent": 0,
        # A card is enough for some kinds, whoever's page it is read on: of the asker's too.
        "may_approve": row.is_open and not waits_for_preview and (may_sign or (kind.signed_by_card and decides)),
        "may_refuse": row.is_open and decides and not mine,
        "may_withdraw": (row.is_open and mine) or (look.waits(row) and not verbs.isdisjoint(kind.may_sign)),
    }  # fmt: skip
    return render(request, "accounting/desk/request.html", facts)


@require_http_methods(["POST"])
def preview(request: HttpRequest, number: str) -> HttpResponseBase:
    """Looks for what is still being calculated; a page that waits for it asks again, and is led back when it came."""
    person: Any = request.user
    if not person.is_authenticated or person.verbs().isdisjoint(DECIDERS):
        raise PermissionDenied("Your roles do not include this. An administrator can change that.")
    kind, row = _request(request, number)
    percent, problem = 0, ""
    try:
        percent = kind.finish(row, person)
    except Refused as why:
        problem = why.why
    if percent == READY:
        where = request_page(row)
        return HttpResponseClientRedirect(where) if getattr(request, "htmx", False) else redirect(where)
    told = {"row": row, "percent": percent, "problem": problem}
    return render(request, "accounting/desk/request_working.html", told)


preview.verbs = {"POST": DECIDERS}  # type: ignore[attr-defined]


@posts(*DECIDERS, back_to="request")
def approve(request: HttpRequest, number: str) -> str:
    """The second person's word: an executive's card, or the own password of who is signed in and may sign."""
    _, row = _request(request, number)
    signs = approver_here(request, row)
    done = sign(request_id=row.pk, approver=signs, seen=request.POST.get("seen") == "on")
    return look_of(row).signed(done, str(signs.operator))


@posts(*DECIDERS, back_to="request")
def turn_it_down(request: HttpRequest, number: str) -> str:
    _, row = _request(request, number)
    person: Any = request.user
    check_refuses(row, person)
    refuse(request_id=row.pk, reason=word(request, "why", 201), by=person)
    return f"{look_of(row).called(row)} is refused. Nothing was moved."


@posts(*DECIDERS, back_to="request")
def take_back(request: HttpRequest, number: str) -> str:
    _, row = _request(request, number)
    person: Any = request.user
    withdraw(request_id=row.pk, reason=word(request, "why", 201), by=person)
    return f"{look_of(row).called(row)} is taken back. Nothing was moved."


@needs(*adjustments_csv.READERS)
def adjustments_moved(request: HttpRequest) -> HttpResponse:
    """Acts on jackpots had a list of their own once; whoever kept its address finds them here."""
    wanted = request.GET.get("kind", "")
    question = urlencode({"kind": wanted if wanted in set(Adjusting) else ADJUSTMENTS})
    return redirect(f"{reverse('requests')}?{question}")


@needs(*READERS)
def moved(request: HttpRequest, **about: str) -> HttpResponse:
    """Adjustments, other terms and authority had pages of their own once: their addresses lead to the one page."""
    row = get_object_or_404(desk_queries.once_at(request.user, **about))
    return redirect(request_page(_request(request, str(row.pk))[1]))


def _request(request: HttpRequest, number: str) -> tuple[RequestKind[Any], Any]:
    """The request with its kind; of another house, or of a kind that is not for this person, there is none."""
    person: Any = request.user
    row: Request | None = queries.requests(person).filter(pk=int(number)).first()
    # One answer for both: that a request is there is already something to know.
    if row is None or not kind_of(row.kind).seen_by(person.verbs()):
        raise Http404
    kind = kind_of(row.kind)
    return kind, kind.rows().get(pk=row.pk)
