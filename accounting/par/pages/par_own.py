"""A pay table of the house's own: written on a form, looked at as its par sheet, released, withdrawn."""

from __future__ import annotations

from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from accounting.par.pages.par import BETS, READS, game_or_404
from jackpot.refusals import NotAllowedNow, Refused
from jackpot.web.pages.access import needs
from jackpot.web.pages.posting import posts, word
from tables.floor.models.own_pay_table import OwnPayTable
from tables.games.game import Game
from tables.games.own_table import FORMS, USUAL_FORM, plain_lines
from tables.games.packs import BetTable
from tables.par.actions import own_tables as written
from tables.par.actions.par_sheets import SheetQuestion, find_sheet

CHANGES: Final = "configure"
ROWS: Final = 12


@require_http_methods(["GET", "HEAD", "POST"])
def own_table(request: HttpRequest, game: str, bet: str) -> HttpResponseBase:
    """The form of a new table of one bet; a draft's code or a published one's may be taken to start from."""
    return _write(request, game, bet) if request.method == "POST" else _form_page(request, game=game, bet=bet)


own_table.verbs = {"GET": READS, "POST": (CHANGES,)}  # type: ignore[attr-defined]


@posts(CHANGES, back_to="par-sheet")
def own_release(request: HttpRequest, game: str, bet: str, code: str) -> str:
    row = written.own_table_of(request.user, game, bet, code)
    sheet = find_sheet(SheetQuestion(game_or_404(game), written.value_of(row), own=True)).sheet
    # Nobody releases what nobody can have looked at.
    if sheet is None:
        raise NotAllowedNow("Its par sheet is still counted. Look at it first, then release it.", "no_sheet")
    person: Any = request.user
    # What was looked at comes with the press: a draft may have been written over since the page was drawn.
    written.release(row=row, sheet=sheet, looked_at=word(request, "looked_at"), by=person)
    return f"{code} may be chosen from now on and stays as it is."


@posts(CHANGES, back_to="par-sheet")
def own_withdraw(request: HttpRequest, game: str, bet: str, code: str) -> str:
    person: Any = request.user
    row = written.own_table_of(person, game, bet, code)
    written.withdraw(row=row, why=word(request, "why"), by=person)
    return f"{code} is withdrawn and cannot be chosen any more."


@needs(*READS)
def _form_page(request: HttpRequest, game: str, bet: str) -> HttpResponse:
    played = game_or_404(game)
    return _form(request, played, bet, _start(request, played, bet))


def _write(request: HttpRequest, game: str, bet: str) -> HttpResponseBase:
    person: Any = request.user
    if not person.is_authenticated:
        return redirect_to_login(request.get_full_path())
    if CHANGES not in person.verbs():
        raise PermissionDenied("Your roles do not include this. An administrator can change that.")
    played, typed = game_or_404(game), _typed(request, bet)
    try:
        row = written.write(game=played, plain=typed, by=person)
    except Refused as why:
        return _form(request, played, bet, typed, why.why)
    messages.success(request, f"The draft {row.code} is written. Look at its sheet, then release it.")
    return redirect("par-sheet", game=game, bet=bet, code=row.code)


def _form(request: HttpRequest, game: Game, bet: str, typed: dict[str, Any], problem: str = "") -> HttpResponse:
    person: Any = request.user
    lines = [*typed["lines"], *[{"hand": "", "name": "", "pays": ""}] * ROWS][:ROWS]
    hands = sorted(game.hands.get(bet, ()))
    told = {
        "game": game, "bet": bet, "bets": [each for each in BETS if each[0] in game.hands], "typed": typed,
        "lines": lines, "hands": hands, "problem": problem, "form_of_pay": FORMS.get(bet, USUAL_FORM),
        "may": CHANGES in person.verbs(), "starts": [table for table in game.tables if table.bet == bet],
        "spoken": bet.replace("_", " "),
    }  # fmt: skip
    return render(request, "accounting/par/par_own.html", told, status=409 if problem else 200)


def _start(request: HttpRequest, game: Game, bet: str) -> dict[str, Any]:
    """A draft to write over, a published table to start from, or nothing."""
    code = request.GET.get("from", "")
    drafts = written.own_tables(request.user).filter(game=game.code, bet=bet, code=code, state=OwnPayTable.State.DRAFT)
    draft = drafts.first()
    if draft is not None:
        return _plain(written.value_of(draft), code, draft.title)
    published = next((table for table in game.tables if (table.bet, table.code) == (bet, code)), None)
    if published is not None:
        # Its lines without its name: the code of a published table is the pack's alone.
        return _plain(published, "", "")
    return {"code": "", "title": "", "lines": []}


def _plain(table: BetTable, code: str, title: str) -> dict[str, Any]:
    rows = [dict(zip(("hand", "name", "pays"), line, strict=True)) for line in plain_lines(table.lines)]
    return {"code": code, "title": title, "lines": rows}


def _typed(request: HttpRequest, bet: str) -> dict[str, Any]:
    """Rows without any word are left out; a name left empty is the hand's."""
    lines = []
    for place in range(ROWS):
        hand, name, pays = (word(request, f"{what}-{place}", 60) for what in ("hand", "name", "pays"))
        if hand or name or pays:
            lines.append({"hand": hand, "name": name or hand.replace("_", " ").capitalize(), "pays": pays})
    return {"bet": bet, "code": word(request, "code", 40), "title": word(request, "title", 120), "lines": lines}
