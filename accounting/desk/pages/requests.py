"""The inbox of everything that one person asked for and another decides, of whatever kind; and one request."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods
from django_htmx.http import HttpResponseClientRedirect

from accounting.desk.pages.adjustments_values import age, what
from accounting.lab.pages import lab_figures
from jackpot.adjusting.models import Adjustment
from jackpot.authority.models import AUTHORITY
from jackpot.requests import queries
from jackpot.requests.models import Request
from jackpot.requests.rules.life import OPEN, RequestState
from jackpot.signing.actions import RequestKind, kind_of, known_kinds, refuse, sign, withdraw
from jackpot.signing.actions.kinds import READY
from jackpot.signing.pages import approver_here
from jackpot.terms.models.terms_change import TERMS
from jackpot.web.pages.access import needs
from jackpot.web.pages.posting import posts, word

READERS: Final = ("read_books", "adjust", "sign_adjustments", "configure", "people", "close_day")
DECIDERS: Final = ("adjust", "sign_adjustments", "configure", "people", "close_day")
PAGE: Final = 50
STATE_WORDS: Final[Mapping[RequestState, tuple[str, str, str]]] = {
    RequestState.ASKED: ("waits for its preview", "", "○"),
    RequestState.PREVIEWED: ("waits for a second person", "late", "◔"),
    RequestState.SIGNED: ("signed, waits for its moment", "gold", "◔"),
    RequestState.IN_FORCE: ("approved", "ok", "✓"),
    RequestState.REFUSED: ("refused", "down", "✕"),
    RequestState.WITHDRAWN: ("taken back", "", "■"),
    RequestState.REPLACED: ("replaced", "", "■"),
}


@dataclass(frozen=True, slots=True)
class OpeningFigures:
    """What the laboratory said of one jackpot that would be opened, as figures that people read."""

    jackpot: str
    unknown: str
    figures: list[lab_figures.Figure]


@dataclass(frozen=True, slots=True)
class RequestLine:
    """One request in the inbox: of which kind, in one phrase, how old, and whether this person may sign it."""

    row: Any
    kind: str
    phrase: str
    address: str
    age: str
    state: tuple[str, str, str]
    yours: bool


@needs(*READERS)
def inbox(request: HttpRequest) -> HttpResponse:
    """What waits stands first, the oldest on top; below it what was decided, newest first."""
    person: Any = request.user
    # By kind and not by request: who may not see authority does not learn either that somebody asks for it.
    kinds = [kind for kind in known_kinds() if kind.seen_by(person.verbs())]
    chosen = [kind.code for kind in kinds if kind.code == request.GET.get("kind", "")]
    # What was typed as a kind only chooses among those that this person may see.
    rows = queries.requests(person).filter(kind__in=chosen or [kind.code for kind in kinds])
    waiting = rows.filter(state__in=OPEN).order_by("asked_at", "id")
    decided = rows.exclude(state__in=OPEN).order_by("-id")
    before = request.GET.get("before", "")
    if before.isascii() and before.isdigit() and len(before) < 19:
        decided = decided.filter(id__lt=int(before))
    found = list(decided[: PAGE + 1])
    facts = {
        "waiting": _lines(waiting[:PAGE], person), "count": waiting.count(), "decided": _lines(found[:PAGE], person),
        "older": found[PAGE - 1].pk if len(found) > PAGE else None, "kinds": kinds, "kind": "".join(chosen),
    }  # fmt: skip
    return render(request, "accounting/desk/requests.html", facts)


@needs(*READERS)
def one_request(request: HttpRequest, number: str) -> HttpResponseBase:
    """One request; kinds with a page of their own are shown there, any other here."""
    kind, row = _request(request, number)
    own = _own_page(row)
    if own is not None:
        return redirect(own)
    person: Any = request.user
    verbs, said = person.verbs(), row.preview.get("laboratory", ())
    facts: Mapping[str, Any] = {
        "row": row, "kind": kind, "compared": kind.compared(row), "state": STATE_WORDS[RequestState(row.state)],
        "age": age(row), "mine": row.asked_by_id == person.pk, "may_sign": not verbs.isdisjoint(kind.may_sign),
        "signs_by_card": kind.signed_by_card, "is_open": row.is_open,
        "waits": row.state == RequestState.SIGNED, "entries": list(row.entries.select_related("jackpot")),
        "may_read_books": "read_books" in verbs, "waits_for_preview": row.state == RequestState.ASKED,
        "decides": not verbs.isdisjoint(DECIDERS), "openings": [_opening(each, row) for each in said], "percent": 0,
    }  # fmt: skip
    return render(request, "accounting/desk/request.html", facts)


@require_http_methods(["POST"])
def preview(request: HttpRequest, number: str) -> HttpResponseBase:
    """Looks for what is still being calculated; a page that waits for it asks again, and is led back when it came."""
    person: Any = request.user
    if not person.is_authenticated or person.verbs().isdisjoint(DECIDERS):
        raise PermissionDenied("Your roles do not include this. An administrator can change that.")
    kind, row = _request(request, number)
    percent, where = kind.finish(row, person), reverse("request", kwargs={"number": number})
    if percent == READY:
        return HttpResponseClientRedirect(where) if getattr(request, "htmx", False) else redirect(where)
    return render(request, "accounting/desk/request_working.html", {"row": row, "percent": percent})


preview.verbs = {"POST": DECIDERS}  # type: ignore[attr-defined]


@posts(*DECIDERS, back_to="request")
def approve(request: HttpRequest, number: str) -> str:
    """The second person's word for a request of any kind."""
    kind, row = _request(request, number)
    signs = approver_here(request, row)
    sign(request_id=row.pk, approver=signs, seen=request.POST.get("seen") == "on")
    return f"{kind.name}, request {row.pk}, is signed by {signs.operator}."


@posts(*DECIDERS, back_to="request")
def turn_it_down(request: HttpRequest, number: str) -> str:
    kind, row = _request(request, number)
    person: Any = request.user
    refuse(request_id=row.pk, reason=word(request, "why", 201), by=person)
    return f"{kind.name}, request {row.pk}, is refused."


@posts(*DECIDERS, back_to="request")
def take_back(request: HttpRequest, number: str) -> str:
    kind, row = _request(request, number)
    person: Any = request.user
    withdraw(request_id=row.pk, reason=word(request, "why", 201), by=person)
    return f"{kind.name}, request {row.pk}, is withdrawn."


def _opening(said: Mapping[str, Any], row: Any) -> OpeningFigures:
    found = lab_figures.figures([said["answer"]], row.premises) if said["answer"] else []
    shown = [replace(each, words=lab_figures.without_cards(each.words)) for each in found]
    return OpeningFigures(said["jackpot"], said["unknown"], shown)


def _request(request: HttpRequest, number: str) -> tuple[RequestKind[Any], Any]:
    """The request with its kind; of another house, or of a kind that is not for this person, there is none."""
    person: Any = request.user
    row = queries.requests(person).filter(pk=int(number)).first()
    # One answer for both: that a request is there is already something to know.
    if row is None or not kind_of(row.kind).seen_by(person.verbs()):
        raise Http404
    kind = kind_of(row.kind)
    return kind, kind.rows().get(pk=row.pk)


def _lines(rows: Iterable[Request], person: Any) -> list[RequestLine]:
    """One look per kind, not one per request."""
    order = [(row.pk, row.kind) for row in rows]
    whole = {row.pk: row for code in {kind for _, kind in order}
             for row in kind_of(code).rows().filter(pk__in=[pk for pk, kind in order if kind == code])}  # fmt: skip
    verbs = person.verbs()
    return [_line(whole[pk], kind_of(code), person, verbs) for pk, code in order]


def _line(row: Any, kind: RequestKind[Any], person: Any, verbs: frozenset[str]) -> RequestLine:
    phrase = what(row) if isinstance(row, Adjustment) else kind.phrase(row)
    # By key: a name that two people share must not hide from one what the other asked for.
    yours = row.is_open and row.asked_by_id != person.pk and not verbs.isdisjoint(kind.may_sign)
    address = _own_page(row) or reverse("request", kwargs={"number": row.pk})
    return RequestLine(row, kind.name, phrase, address, age(row), STATE_WORDS[RequestState(row.state)], yours)


def _own_page(row: Any) -> str | None:
    """Where a kind that had a page before this one is shown."""
    if isinstance(row, Adjustment):
        return reverse("adjustment", kwargs={"number": row.pk})
    if row.kind == TERMS:
        return reverse("config-change", kwargs={"code": row.its_jackpot.code, "change": row.number})
    if row.kind == AUTHORITY:
        return reverse("authority-change", kwargs={"change": row.number})
    return None
