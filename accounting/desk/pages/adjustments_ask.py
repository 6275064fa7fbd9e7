"""The form of a request, with before and after as they would be; one press asks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from accounting.desk import queries as desk_queries
from accounting.desk.pages.adjustments_values import changes, differences, figures_of
from accounting.register import queries as register_queries
from jackpot.adjusting.actions import asking
from jackpot.adjusting.actions.asking import AdjustmentWish
from jackpot.adjusting.actions.difference import kept_difference
from jackpot.adjusting.models import Adjustment
from jackpot.adjusting.rules.adjusting import GROUNDS, GROUNDS_OF, NAMES, Adjusting
from jackpot.books.models.jackpot import Jackpot
from jackpot.books.queries import jackpots
from jackpot.evidence.pages import uploaded
from jackpot.evidence.rules.evidence_file import EvidenceUpload
from jackpot.money import Money, NotAnAmount
from jackpot.people.models import Operator
from jackpot.property.queries import house_of
from jackpot.reading import read_amount
from jackpot.refusals import NotFound, NotUnderstood, Refused
from jackpot.web.pages.access import needs
from jackpot.wins.models import Win

ASKERS: Final = ("adjust",)
WORDS: Final = (
    "kind", "jackpot", "other", "win", "cause", "pays", "account", "amount", "reading", "reason", "why", "evidence",
)  # fmt: skip
OF_A_WIN: Final = (Adjusting.BACK_OUT, Adjusting.DIFFERENCE)
LEADS: Final[Mapping[Adjusting, str]] = {
    Adjusting.ADJUST: "The house puts money into a meter or a reserve, or takes it out.",
    Adjusting.TRANSFER: "Money goes to a jackpot of the same game, wager and odds.",
    Adjusting.SUSPEND: "No coin-in counts until the jackpot is resumed. A round that runs is settled.",
    Adjusting.RESUME: "A suspended jackpot plays again.",
    Adjusting.RETIRE: "For good: on its closing reading. The money has 30 days to find another home.",
    Adjusting.BACK_OUT: "A logged win is undone by its exact contra. Later coin-ins stay.",
    Adjusting.DIFFERENCE: "An award that is backed out changed what this winner got. Pay the rest, or note why not.",
}


@needs("read_books", *ASKERS)
def new(request: HttpRequest) -> HttpResponse:
    """The empty form of a kind; asked by the form itself, only before and after."""
    words = _words(request.GET)
    if getattr(request, "htmx", False):
        shown = {"house_here": house_of(request.user), **_preview(request, words)}
        return render(request, "accounting/desk/adjustment_preview.html", shown)
    return _page(request, words)


@require_http_methods(["GET", "HEAD", "POST"])
def ask(request: HttpRequest) -> HttpResponseBase:
    """Asks; a refusal is read on the form, with everything that was typed still in it. Looked at again, the address
    leads to an empty form."""
    if request.method != "POST":
        return _looked_at_again(request)
    person = request.user
    if not isinstance(person, Operator):
        return redirect_to_login(reverse("adjustment-new"))
    if not person.verbs().intersection(ASKERS):
        raise PermissionDenied("Your roles do not include this. An administrator can change that.")
    words = _words(request.POST)
    try:
        row = asking.ask(wish=_wish(request, words, uploaded(request)), by=person)
    except Refused as refused:
        return _page(request, words, refused.why, refused.status)
    messages.success(request, f"{row} waits for a second person.")
    return redirect("adjustment", number=str(row.pk))


@needs("read_books", *ASKERS)
def _looked_at_again(_: HttpRequest) -> HttpResponse:
    return redirect("adjustment-new")


ask.verbs = {"GET": ("read_books", *ASKERS), "POST": ASKERS}  # type: ignore[attr-defined]


def _page(request: HttpRequest, words: Mapping[str, str], problem: str = "", status: int = 200) -> HttpResponse:
    kind, win, cause = _kind(words), _win(request, words["win"]), _cause(request, words["cause"])
    if words["kind"] and words["kind"] != kind.value:
        names = ", ".join(each.value for each in NAMES if each not in OF_A_WIN)
        problem, status = f"There is no request of the kind “{words['kind'][:30]}”. Choose one of: {names}.", 404
    facts: dict[str, Any] = {
        "words": words, "problem": problem, "kind": kind.value, "name": NAMES[kind], "lead": LEADS[kind],
        "kinds": [(each.value, name) for each, name in NAMES.items() if each not in OF_A_WIN],
        "jackpots": list(jackpots(request.user)), "reasons": [(code, GROUNDS[code]) for code in GROUNDS_OF[kind]],
        "win": win, "winner": _facts_of(kind, cause, win), "cause": cause, "house_here": house_of(request.user),
        "may_ask": "adjust" in request.user.verbs(), **_preview(request, words),  # type: ignore[union-attr]
    }  # fmt: skip
    return render(request, "accounting/desk/adjustment_new.html", facts, status=status)


def _preview(request: HttpRequest, words: Mapping[str, str]) -> dict[str, Any]:
    """Before and after, or the sentence that the request would meet; nothing while too little is said."""
    try:
        told = asking.preview(row=_wish(request, words).row()).plain()
    except Refused as refused:
        return {"refusal": refused.why, "changes": [], "differences": []}
    return {"refusal": "", "changes": changes(told), "differences": differences(told)}


def _words(typed: QueryDict) -> dict[str, str]:
    return {name: "".join(each for each in typed.get(name, "")[:200] if each.isprintable()).strip() for name in WORDS}


def _kind(words: Mapping[str, str]) -> Adjusting:
    return Adjusting(words["kind"]) if words["kind"] in set(Adjusting) else Adjusting.ADJUST


def _wish(request: HttpRequest, words: Mapping[str, str], file: EvidenceUpload | None = None) -> AdjustmentWish:
    win = _win(request, words["win"])
    jackpot = win.jackpot if win else _jackpot(request, words["jackpot"])
    kind = _kind(words)
    takes = kind in (Adjusting.TRANSFER, Adjusting.RETIRE) and words["other"]
    return AdjustmentWish(
        kind, jackpot, words["reason"], words["why"], words["evidence"],
        other=_jackpot(request, words["other"]) if takes else None, win=win if kind in OF_A_WIN else None,
        cause=_cause(request, words["cause"]), pays=words["pays"] == "yes",
        account=words["account"] or "meter", amount=_amount(words["amount"]), reading=_amount(words["reading"]),
        file=file,
    )  # fmt: skip


def _jackpot(request: HttpRequest, code: str) -> Jackpot:
    if not code:
        raise NotUnderstood("Choose the jackpot.", "jackpot")
    found: Jackpot | None = jackpots(request.user).filter(code=code).first()
    if found is None:
        raise NotFound(f"There is no jackpot {code[:20]} here.", "no_jackpot")
    return found


def _win(request: HttpRequest, number: str) -> Win | None:
    known = number.isascii() and number.isdigit() and len(number) < 19
    return register_queries.win_of_slip(request.user, int(number)) if known else None


def _cause(request: HttpRequest, number: str) -> Adjustment | None:
    known = number.isascii() and number.isdigit() and len(number) < 19
    return desk_queries.adjustments(request.user).filter(pk=int(number)).first() if known else None


def _facts_of(kind: Adjusting, cause: Adjustment | None, win: Win | None) -> dict[str, Any] | None:
    """Of a difference: the figures that the back-out kept of its winner."""
    try:
        return figures_of(kept_difference(cause, win)) if kind == Adjusting.DIFFERENCE else None
    except Refused:
        return None


def _amount(text: str) -> Money | None:
    try:
        return read_amount(text.removeprefix("+"), "amount") if text else None
    except NotAnAmount as wrong:
        raise NotUnderstood(str(wrong), "amount") from None
