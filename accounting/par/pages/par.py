"""Par sheets: which there are, one as a page, as CSV, and as paper with a trail of who took it along."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Any, Final

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_POST

from accounting.paper.printing.par_sheet import par_sheet_paper, spoken_rules
from accounting.paper.rules.copies import Form, sheet_asked
from jackpot.books.queries import jackpots
from jackpot.money import Money
from jackpot.property.queries import house_of
from jackpot.reading import NotANumber, read_whole
from jackpot.refusals import NotUnderstood, Refused
from jackpot.trail.actions.trail import note_list
from jackpot.web.pages.access import needs
from jackpot.web.rules.sheet import SheetWriter
from tables.floor.models.own_pay_table import OwnPayTable
from tables.games.edge import percent
from tables.games.game import Game, NotInThisGame
from tables.games.par_sheet import LARGEST_COIN_INS, ParSheet
from tables.games.registry import find_game, find_games
from tables.par.actions.own_tables import own_table_of, own_tables, sheet_findings, value_of
from tables.par.actions.par_sheets import (
    FORFEITS,
    LOOKED_AT,
    SheetAnswer,
    SheetQuestion,
    find_sheet,
    is_signed_here,
    meter_of,
    note_print,
    question_of_jackpot,
    sign,
)

READS: Final = ("read_books", "configure")
OF_JACKPOT: Final = "jackpot"  # stands where a bet would: the sheet of a jackpot's own terms
BETS: Final = (
    ("blind", "Base game with Blind"), ("trips", "Trips"), ("bad_beat", "Bad Beat"), ("pairs", "Pairs"),
    ("progressive", "Progressive"),
)  # fmt: skip
HEAD: Final = (
    "hand",
    "name",
    "pays",
    "combinations",
    "chance",
    "chance_percent",
    "one_in",
    "net",
    "returns",
    "returns_percent",
)


@dataclass(frozen=True, slots=True)
class SheetAddress:
    """What the address asks for, as typed and as understood."""

    question: SheetQuestion
    own: OwnPayTable | None
    coin_ins: int
    typed: dict[str, str]


@needs(*READS)
def par(request: HttpRequest) -> HttpResponse:
    """Every pay table there is a sheet of: published, in force on a jackpot, of the house's own."""
    games = [(game, [_listed(game, bet, name) for bet, name in BETS]) for game in find_games().values()]
    own = own_tables(request.user).order_by("bet", "code")
    told = {"games": games, "jackpots": jackpots(request.user).order_by("code"), "own": own, "may": _may(request)}
    return render(request, "accounting/par/par.html", {**told, "first_game": next(iter(find_games()))})


@needs(*READS)
def par_sheet(request: HttpRequest, game: str, bet: str, code: str) -> HttpResponse:
    """One sheet, with the switches and the number of coin-ins that one asks for."""
    told: dict[str, Any] = {"game": game, "bet": bet, "code": code, "may": _may(request)}
    try:
        asked = _asked(request, game, bet, code)
        told |= {"asked": asked, "own": asked.own, "typed": asked.typed, "query": request.GET.urlencode()}
        told |= _shown(asked, find_sheet(asked.question), house_of(request.user))
    except (Refused, ValueError) as why:
        told |= {"problem": why.why if isinstance(why, Refused) else str(why), "typed": _typed(request)}
    return render(request, "accounting/par/par_sheet.html", told)


@needs(*READS)
def par_csv(request: HttpRequest, game: str, bet: str, code: str) -> HttpResponse:
    """The rows as CSV, and below them the figures, the digest and the signature. Not counted yet: 202, ask again."""
    try:
        answer = find_sheet(_asked(request, game, bet, code).question)
    except (Refused, ValueError) as why:
        return HttpResponse(str(why), status=400, content_type="text/plain; charset=utf-8")
    if answer.sheet is None:
        waits = f"{spoken_progress(answer.percent)} Ask again."
        return HttpResponse(waits, status=202, content_type="text/plain; charset=utf-8", headers={"Retry-After": "2"})
    note_list(by=request.user, what="par sheet", rows=len(answer.sheet.rows), words=f"{game}/{bet}/{code}")
    named = {"Content-Disposition": f'attachment; filename="par-sheet-{code}.csv"'}
    return HttpResponse(_csv(answer.sheet), content_type="text/csv; charset=utf-8", headers=named)


@require_POST
def par_print(request: HttpRequest, game: str, bet: str, code: str) -> HttpResponseBase:
    """The sheet on Letter or A4. Who printed it, and when, stands on it and in the trail."""
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    if not request.user.verbs().intersection(READS):
        raise PermissionDenied("Your roles do not include this page. An administrator can change that.")
    try:
        asked = _asked(request, game, bet, code)
        answer = find_sheet(asked.question)
    except (Refused, ValueError) as why:
        return HttpResponse(str(why), status=400, content_type="text/plain; charset=utf-8")
    if answer.sheet is None:
        waits = f"{spoken_progress(answer.percent)} Print it when it is there."
        return HttpResponse(waits, status=409, content_type="text/plain; charset=utf-8")
    house = house_of(request.user)
    form = sheet_asked(request.POST.get("form", ""), house.locale if house else None)
    paper = par_sheet_paper(
        answer.sheet, asked.coin_ins, sign(answer.sheet.digest), form, house, by=str(request.user), now=timezone.now()
    )
    # When the paper is there: a sheet that could not be set was printed by nobody.
    note_print(answer.sheet, form=form.value, by=request.user)
    named = {"Content-Disposition": f'inline; filename="par-sheet-{code}.pdf"'}
    return HttpResponse(paper, content_type="application/pdf", headers=named)


par_print.verbs = {"POST": READS}  # type: ignore[attr-defined]


@needs(*READS)
def par_verify(request: HttpRequest) -> HttpResponse:
    """Whether a digest and its signature, as they stand on paper, are of this house."""
    typed = {name: "".join(request.GET.get(name, "").lower().split())[:64] for name in ("digest", "signature")}
    told: dict[str, Any] = {"typed": typed, "asked": bool(typed["digest"])}
    told["genuine"] = told["asked"] and is_signed_here(typed["digest"], typed["signature"])
    return render(request, "accounting/par/par_verify.html", told)


def sheet_question(
    request: HttpRequest, game: str, bet: str, code: str, fold: Any, meter: Money | None
) -> SheetQuestion:
    """The question behind an address: a jackpot's terms, a published table, or one of the house's own."""
    played = game_or_404(game)
    if bet == OF_JACKPOT:
        jackpot = get_object_or_404(jackpots(request.user), code=code)
        return question_of_jackpot(jackpot, fold=fold, meter=meter)
    at = LOOKED_AT if meter is None else meter
    try:
        return SheetQuestion(played, played.table(bet, code), fold=fold, meter=at)
    # Published tables first: a code that a pack has is never one of the house's own.
    except NotInThisGame:
        return SheetQuestion(played, value_of(_own_or_404(request, game, bet, code)), own=True, fold=fold, meter=at)


def game_or_404(code: str) -> Game:
    try:
        return find_game(code)
    except NotInThisGame as unknown:
        raise Http404(str(unknown)) from None


def _own_or_404(request: HttpRequest, game: str, bet: str, code: str) -> OwnPayTable:
    try:
        return own_table_of(request.user, game, bet, code)
    except Refused as unknown:
        raise Http404(unknown.why) from None


def _asked(request: HttpRequest, game: str, bet: str, code: str) -> SheetAddress:
    typed = _typed(request)
    try:
        coin_ins = read_whole(typed["coin_ins"], "number of coin-ins", 0, 10**11)
    except NotANumber:
        why = "Say over how many coin-ins: a whole number from 1 up, such as 100,000."
        raise NotUnderstood(why, "coin_ins") from None
    if not 1 <= coin_ins <= LARGEST_COIN_INS:
        raise NotUnderstood(f"Coin-ins are counted from 1 to {LARGEST_COIN_INS:,}.", "coin_ins")
    meter = meter_of(typed["meter"]) if typed["meter"] else None
    fold: Any = "dead" if typed["fold"] == "dead" else "live"
    question = sheet_question(request, game, bet, code, fold, meter)
    # A jackpot may play an own table, but its sheet is that of its terms, which nobody releases here.
    mine = _own_or_404(request, game, bet, code) if question.own and bet != OF_JACKPOT else None
    return SheetAddress(question, mine, coin_ins, typed)


def _typed(request: HttpRequest) -> dict[str, str]:
    given = request.POST if request.method == "POST" else request.GET
    usual = {"fold": "live", "coin_ins": "100000", "meter": ""}
    return {name: given.get(name, value).strip()[:20] or value for name, value in usual.items()}


def _shown(asked: SheetAddress, answer: SheetAnswer, house: Any) -> dict[str, Any]:
    bet = asked.question.table.bet
    told: dict[str, Any] = {
        "title": asked.question.table.title, "percent": answer.percent, "forfeits": bet in FORFEITS,
        "metered": bet == "progressive", "letter": sheet_asked("", house.locale if house else None) is Form.LETTER,
    }  # fmt: skip
    sheet = answer.sheet
    if sheet is None:
        return told
    findings = sheet_findings(asked.own, sheet) if asked.own else []
    return told | {
        "sheet": {
            **sheet.plain, "return_percent": percent(sheet.player_return, 6),
            "hit_percent": percent(sheet.hit_frequency, 6),
        },
        "rules": spoken_rules(sheet),
        "digest": sheet.digest, "signature": sign(sheet.digest),
        "bands": sheet.bands(asked.coin_ins), "coin_ins": asked.coin_ins, "findings": findings,
        "rare": [row.name for row in sheet.rare(asked.coin_ins)],
        "usual": (asked.question.fold, asked.question.meter) == ("live", LOOKED_AT),
        "refused": any(finding.weight == "refused" for finding in findings),
    }  # fmt: skip


def spoken_progress(percent: int) -> str:
    """How far a sheet is; one that has not begun says what it waits for."""
    ahead = getattr(percent, "ahead", 0)
    if ahead:
        others = f"{ahead} other question{'' if ahead == 1 else 's'}"
        return f"The sheet waits for its turn: {others} before it."
    return f"The sheet is still counted: {percent} %."


def _csv(sheet: ParSheet) -> str:
    written = io.StringIO()
    rows, plain = SheetWriter(written), sheet.plain
    rows.row(HEAD)
    for row in plain["rows"]:
        rows.row([row[name] for name in HEAD])
    rows.row(["", "lost", "", plain["lost"], *[""] * 6])
    rows.row([])
    single = (
        "title", "pay_table", "pay_table_digest", "program", "unit", "combinations", "hit_frequency",
        "player_return", "house_edge", "house_edge_percent", "variance", "standard_deviation", "volatility_index",
    )  # fmt: skip
    rows.rows([name, plain[name]] for name in single)
    rows.rows([name, value] for name, value in plain["rules"].items())
    rows.rows([["digest", sheet.digest], ["signature", sign(sheet.digest)]])
    return written.getvalue()


def _listed(game: Game, bet: str, name: str) -> tuple[str, str, list[Any]]:
    return bet, name, [table for table in game.tables if table.bet == bet]


def _may(request: HttpRequest) -> bool:
    person: Any = request.user
    return "configure" in person.verbs()
