"""The configuration of the jackpots: what is in force, what waits, who asked, and what the preview says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods
from django_htmx.http import HttpResponseClientRedirect

from accounting.lab.pages import lab_figures
from jackpot.books import queries
from jackpot.books.models.jackpot import Jackpot
from jackpot.configuring.actions.configure import differs
from jackpot.notices.queries import still_to_tell, who_is_told
from jackpot.property.rules.notice import NoticeAbout
from jackpot.refusals import NotFound, Refused
from jackpot.requests.rules.life import OPEN, SPOKEN, RequestState
from jackpot.signing.actions import refuse, sign, withdraw
from jackpot.signing.pages import approver_here
from jackpot.terms.models.terms_change import TermsChange
from jackpot.terms.rules.terms import Terms
from jackpot.terms.rules.terms_change import Difference
from jackpot.web.pages.access import needs
from jackpot.web.pages.posting import posts, word
from tables.requests.actions import configure

READS: Final = ("read_books", "configure")
CONFIGURES: Final = "configure"
STATE_WORDS: Final = {
    RequestState.ASKED: ("draft", "", "○"),
    RequestState.PREVIEWED: ("waits for a second person", "late", "◔"),
    RequestState.REFUSED: ("refused", "down", "✕"),
    RequestState.WITHDRAWN: ("withdrawn", "", "■"),
    RequestState.SIGNED: ("waits for the next reset", "gold", "◔"),
    RequestState.REPLACED: ("replaced", "", "■"),
    RequestState.IN_FORCE: ("was put in force", "ok", "✓"),
}


@dataclass(frozen=True, slots=True)
class ShownTerms:
    """A request as a page shows it."""

    row: TermsChange
    word: str
    look: str
    sign: str
    differs: list[Difference]


@needs(*READS)
def config(request: HttpRequest) -> HttpResponse:
    """Every jackpot: the version in force, what waits for its reset, what waits for a second person."""
    every = list(queries.jackpots(request.user).order_by("code"))
    # For all jackpots in one question; a house may have a hundred.
    changes = queries.undecided_changes(every)
    rows = [_overview(jackpot, changes.get(jackpot.pk, [])) for jackpot in every]
    return render(request, "accounting/desk/config.html", {"jackpots": rows, "may_ask": _may(request)})


@needs(*READS)
def config_jackpot(request: HttpRequest, code: str) -> HttpResponse:
    """One jackpot's terms and the history of every request for other ones."""
    jackpot = _jackpot(request, code)
    history = [shown(change) for change in queries.changes(jackpot).order_by("-number")]
    undecided = queries.undecided_changes([jackpot]).get(jackpot.pk, [])
    told = {**_overview(jackpot, undecided), "history": history, "may_ask": _may(request)}
    return render(request, "accounting/desk/config_jackpot.html", told)


@needs(*READS)
def config_change(request: HttpRequest, code: str, change: str) -> HttpResponse:
    """One request: what differs, what the preview found, who signed and who still must."""
    row = _change(request, code, change)
    person: Any = request.user
    told = {
        "jackpot": row.its_jackpot, "change": shown(row), "sentence": SPOKEN[RequestState(row.state)],
        "is_open": row.state in OPEN, "mine": row.asked_by_id == person.pk, "may": _may(request),
        "waits": queries.changes(row.its_jackpot).filter(state=RequestState.SIGNED).exclude(pk=row.pk).first(),
        "figures": _figures(row), "to_tell": still_to_tell(row) if row.not_told else (), "told_first": _told_first(row),
        # Told apart from warnings: these hold up the second signature, save where an executive may sign over one.
        "blocks": [finding for finding in row.findings if finding["weight"] == "refused"],
    }  # fmt: skip
    return render(request, "accounting/desk/config_change.html", told)


@require_http_methods(["POST"])
def config_preview(request: HttpRequest, code: str, change: str) -> HttpResponseBase:
    """The preview of a draft; a page that waits for it asks again, and is led back when it is there."""
    _check_may(request)
    row, problem, percent = _change(request, code, change), "", 100
    try:
        percent = configure.preview(change=row, by=_person(request)).percent
    except Refused as why:
        problem = why.why
    if percent == 100 and not problem:
        return _to_change(request, code, change)
    told = {"jackpot": row.its_jackpot, "change": row, "percent": percent, "problem": problem}
    return render(request, "accounting/desk/config_working.html", told)


config_preview.verbs = {"POST": (CONFIGURES,)}  # type: ignore[attr-defined]


@posts(CONFIGURES, back_to="config-change")
def config_approve(request: HttpRequest, code: str, change: str) -> str:
    row = _change(request, code, change)
    decided = sign(request_id=row.pk, approver=approver_here(request, row))
    assert decided.version is not None, "an approved change has its version"
    when = "is in force" if decided.state == RequestState.IN_FORCE else f"waits for {decided.waits_for}"
    return f"Version {decided.version.number} of {code} {when}."


@posts(CONFIGURES, back_to="config-change")
def config_refuse(request: HttpRequest, code: str, change: str) -> str:
    refuse(request_id=_change(request, code, change).pk, reason=word(request, "why"), by=_person(request))
    return f"Change {change} of {code} is refused."


@posts(CONFIGURES, back_to="config-change")
def config_withdraw(request: HttpRequest, code: str, change: str) -> str:
    withdraw(request_id=_change(request, code, change).pk, reason=word(request, "why"), by=_person(request))
    return f"Change {change} of {code} is withdrawn."


def _told_first(row: TermsChange) -> str:
    """Who has to be told before terms count that nobody signed yet; nothing where the house waits for nobody."""
    house = row.premises
    if row.state not in OPEN or not house.terms_wait_for_notice:
        return ""
    return " and ".join(rule.to for rule in who_is_told(house, NoticeAbout.TERMS, timezone.now()))


def shown(change: TermsChange) -> ShownTerms:
    return ShownTerms(change, *STATE_WORDS[RequestState(change.state)], differs(change))


def _figures(row: TermsChange) -> list[lab_figures.Figure]:
    """Both configurations as they were previewed; the cards of the worst round stand in the laboratory."""
    found = lab_figures.figures(row.figures, row.its_jackpot.premises) if row.figures else []
    return [replace(each, words=lab_figures.without_cards(each.words)) for each in found]


def _overview(jackpot: Jackpot, undecided: Sequence[TermsChange]) -> dict[str, Any]:
    """`undecided` is what is open or waits, oldest first."""
    waits = next((row for row in undecided if row.state == RequestState.SIGNED), None)
    asked = [shown(row) for row in undecided if row.state in OPEN]
    return {
        "jackpot": jackpot, "version": jackpot.version, "terms": _terms(jackpot), "asked": asked,
        "waits": shown(waits) if waits else None, "look": "asked" if asked else "waits" if waits else "",
    }  # fmt: skip


def _terms(jackpot: Jackpot) -> Terms:
    assert jackpot.version is not None, "a jackpot has its first version before anybody can look at it"
    return jackpot.version.value


def _jackpot(request: HttpRequest, code: str) -> Jackpot:
    return get_object_or_404(queries.jackpots(request.user), code=code)


def _change(request: HttpRequest, code: str, number: str) -> TermsChange:
    try:
        return configure.change_of(_jackpot(request, code), int(number))
    except NotFound as why:
        raise Http404(why.why) from None


def _may(request: HttpRequest) -> bool:
    return CONFIGURES in _person(request).verbs()


def _check_may(request: HttpRequest) -> None:
    if not request.user.is_authenticated or not _may(request):
        raise PermissionDenied("Your roles do not include this. An administrator can change that.")


def _person(request: HttpRequest) -> Any:
    return request.user


def _to_change(request: HttpRequest, code: str, change: str) -> HttpResponseBase:
    """Back to the request's page; a part that waits takes the whole page there."""
    where = reverse("config-change", kwargs={"code": code, "change": change})
    return HttpResponseClientRedirect(where) if getattr(request, "htmx", False) else redirect(where)
