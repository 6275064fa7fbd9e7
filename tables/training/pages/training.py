"""The training table: a dealt round, step by step. The trainee acts, the house says why it was right or wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Final

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from jackpot.refusals import Refused
from jackpot.web.pages.access import needs
from tables.games.uth.practice_deals import SITUATIONS
from tables.games.uth.procedure import procedures
from tables.games.uth.training import CHIP
from tables.rulebook.pages.help import Help, help_with
from tables.training.pages import training_felt as felt
from tables.training.pages.training_round import (
    SEATS,
    Practice,
    PracticeWish,
    given_of,
    new_practice,
    practice_of,
)

TRAINEES: Final = ("deal", "verify", "run_tables")
GAME: Final = "uth"
KEPT_AS: Final = "training"
FIRST_CHOICE: Final = {name: str(value) for name, value in asdict(PracticeWish()).items()}


@require_http_methods(["GET", "HEAD", "POST"])
def train(request: HttpRequest) -> HttpResponseBase:
    """Looking shows the table as the session has it; a form is one act of the trainee."""
    return _look(request) if request.method != "POST" else _act(request)


train.verbs = {"GET": ("see",), "POST": TRAINEES}  # type: ignore[attr-defined]


@needs("see")
def _look(request: HttpRequest) -> HttpResponse:
    return _shown(request)


def _act(request: HttpRequest) -> HttpResponseBase:
    if not request.user.is_authenticated:
        return redirect_to_login(reverse("train"))
    # By hand: looking and acting are open to different roles, and one address serves both.
    if not request.user.verbs().intersection(TRAINEES):
        raise PermissionDenied("Your roles only look on here. An administrator can change that.")
    kept: dict[str, Any] = request.session.get(KEPT_AS, {})
    problem = ""
    try:
        request.session[KEPT_AS] = _after(kept, request.POST.dict())
    except Refused as why:
        problem = why.why
    # A refusal is shown at once: behind a redirect nobody would know of it.
    if getattr(request, "htmx", False) or problem:
        return _shown(request, problem)
    # Without the script a page that is loaded again must not repeat the act.
    return redirect("train")


def _after(kept: Mapping[str, Any], typed: Mapping[str, str]) -> dict[str, Any]:
    """The session after one act. Rounds that are over stay in the total."""
    practice = practice_of(kept["round"]) if kept.get("round") else None
    total = list(kept.get("total", [0, 0, 0]))
    match typed.get("do", ""), practice:
        case "begin", _:
            practice = new_practice(typed)
        case "leave", _:
            practice = None
        case "choose", Practice():
            practice = practice.choose(typed.get("key", "")[:40])
        case "seat", Practice():
            practice = practice.touch(_number(typed.get("seat", "")))
        case "settle", Practice(settling=int(seat)):
            stakes = {one.wager: one.stake for one in practice.seat_result(seat).decisions}
            practice = practice.settled(given_of(typed, stakes))
    # Once: the finished round stays on the page, and its form may be sent again.
    if practice is not None and practice.due is None and not kept.get("over"):
        right, of = practice.score
        total = [total[0] + right, total[1] + of, total[2] + 1]
    over = practice is not None and practice.due is None
    return {"round": practice.plain() if practice else None, "total": total, "over": over}


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) == 1 else 0


def _shown(request: HttpRequest, problem: str = "") -> HttpResponse:
    kept: dict[str, Any] = request.session.get(KEPT_AS, {})
    practice = practice_of(kept["round"]) if kept.get("round") else None
    book = procedures()
    # A refused wish stays on the form, so that only what is wrong with it is chosen anew.
    chosen = {name: request.POST.get(name, default) for name, default in FIRST_CHOICE.items()}
    shown = {
        "practice": practice,
        "problem": problem,
        "book": book,
        "players": sorted(SEATS),
        "situations": SITUATIONS.values(),
        "first": chosen,
        "help": _help(practice),
        "total": kept.get("total", [0, 0, 0]),
        "may_act": bool(request.user.verbs().intersection(TRAINEES)),  # type: ignore[union-attr]
        **(_table(practice) if practice else {}),
    }
    part = getattr(request, "htmx", False)
    return render(request, "tables/training/train_part.html" if part else "tables/training/train.html", shown)


def _help(practice: Practice | None) -> Help:
    """Before a round the whole book, whoever banks; then its own steps."""
    book = procedures()
    if practice is None:
        return help_with(GAME, tuple(book.shufflers), tuple(book.banks))
    return help_with(GAME, (practice.shuffler,), (practice.bank,), practice.profile)


def _table(practice: Practice) -> dict[str, Any]:
    walk = practice.walk
    right, of = practice.score
    return {
        "seats": felt.felt_seats(practice),
        "board": felt.board(practice),
        "bank_cards": felt.bank_cards(practice),
        "choices": [] if practice.armed else felt.choices(practice),
        "armed": practice.due.step if practice.armed and practice.due else None,
        "settling": felt.settle_form(practice),
        "settling_text": practice.due.step.text if practice.settling and practice.due else "",
        "paying": any(move.wager == CHIP for move in practice.due_moves),
        "meter": felt.meter(practice),
        "monitor": felt.monitor(practice),
        "remark": practice.remark,
        "done": walk.done,
        "all": len(walk.dues),
        "right": right,
        "of": of,
        "over": practice.due is None,
        "result": practice.result,
        "dealer_fails": not practice.result.qualifies,
    }
