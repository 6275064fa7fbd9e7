"""Beside the par sheets: starting hands and decisions, actual against expected, which rate gives which edge."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from accounting.par.pages.par import READS
from jackpot.books.queries import jackpots
from jackpot.refusals import Refused
from jackpot.web.pages.access import needs
from tables.games.edge import percent
from tables.games.registry import find_games
from tables.par.actions.actual_hits import ActualLine, actual_hits
from tables.par.actions.decisions import decision, starting_hands
from tables.par.actions.rate_search import SPOKEN, edge_of, spoken_value, which

DIGITS: Final = 4


@needs(*READS)
def hands(request: HttpRequest) -> HttpResponse:
    """The 169 starting hands, and the decision on any flop or river that one types."""
    game = next(iter(find_games().values()))
    typed = {name: request.GET.get(name, "").strip()[:40] for name in ("hole", "board")}
    told: dict[str, Any] = {"typed": typed, "query": request.GET.urlencode()}
    if typed["hole"] or typed["board"]:
        told |= _decided(game, typed)
    found = starting_hands(game)
    told |= {"rows": [_hand(row) for row in found.rows], "hands_percent": found.percent, "hands_ready": found.ready}
    return render(request, "accounting/par/par_hands.html", told)


@needs(*READS)
def actual(request: HttpRequest, code: str) -> HttpResponse:
    """The hits that the books paid, in the band of what as many coin-ins should bring."""
    jackpot = get_object_or_404(jackpots(request.user), code=code)
    fold: Any = "dead" if request.GET.get("fold") == "dead" else "live"
    told: dict[str, Any] = {
        "first_game": next(iter(find_games())),
        "jackpot": jackpot,
        "fold": fold,
        "query": request.GET.urlencode(),
    }
    try:
        found = actual_hits(jackpot, fold=fold)
        told |= {"found": found, "lines": [_line(each) for each in found.lines]}
    except Refused as why:
        told["problem"] = why.why
    return render(request, "accounting/par/par_actual.html", told)


@needs(*READS)
def which_rate(request: HttpRequest) -> HttpResponse:
    """Solves for the rate or the seed; the jackpot asked for, else the first of the house."""
    rows = jackpots(request.user).order_by("code")
    code = request.GET.get("jackpot", "")
    jackpot = get_object_or_404(rows, code=code) if code else rows.first()
    typed = {"of": request.GET.get("of", "rate"), "house_edge": request.GET.get("house_edge", "").strip()[:20]}
    told: dict[str, Any] = {
        "jackpot": jackpot, "jackpots": rows, "typed": typed, "choices": list(SPOKEN.items()),
        "query": request.GET.urlencode(),
    }  # fmt: skip
    if jackpot is not None and typed["house_edge"] and typed["of"] in SPOKEN:
        told |= _solved(jackpot, typed)
    return render(request, "accounting/par/par_which.html", told)


def _decided(game: Any, typed: dict[str, str]) -> dict[str, Any]:
    try:
        job = decision(game, typed["hole"], typed["board"])
    except (Refused, ValueError) as why:
        return {"problem": why.why if isinstance(why, Refused) else str(why)}
    if job.answer is None:
        return {"percent": job.percent}
    values = [(one["action"], antes(one["worth"]), one["worth"]) for one in job.answer["values"]]
    return {"spot": job.answer, "values": values}


def _solved(jackpot: Any, typed: dict[str, str]) -> dict[str, Any]:
    of: Any = typed["of"]
    try:
        found = which(jackpot, of=of, edge=edge_of(typed["house_edge"]))
    except Refused as why:
        return {"problem": why.why}
    # A number is how many percent are counted yet; the answer is a value of its own.
    if isinstance(found, int):
        return {"percent": found}
    return {
        "found": found, "settable": spoken_value(of, found.settable), "edge": percent(found.edge, 6),
        "stands": spoken_value(of, found.stands), "stands_edge": percent(found.stands_edge, 6), "spoken": SPOKEN[of],
        "is_seed": of == "seed",
    }  # fmt: skip


def _hand(row: dict[str, Any]) -> dict[str, Any]:
    shown = {name: antes(row[name]) for name in ("raise_4x", "raise_3x", "check")}
    return {**row, **shown, "raises": row["best"] == "4x"}


def _line(each: ActualLine) -> dict[str, Any]:
    band = each.band
    rarer = min(band.as_few, band.as_many)
    words = "too few to judge" if band.few else "as expected"
    look = "" if band.few else "ok"
    if band.outside:
        words, look = f"outside of {band.outside} %", "down" if band.outside == 99 else "late"
    return {
        "name": each.name, "coin_ins": band.coin_ins, "chance": percent(band.chance, 6), "hits": band.seen,
        "expected": percent(band.expected / 100, 2), "bands": [band.bands[within] for within in (90, 95, 99)],
        "words": words, "look": look, "few": band.few, "rarer": f"{rarer:.2%}"[:-1] if rarer >= 0.0001 else "< 0.01",
    }  # fmt: skip


def antes(exact: str) -> str:
    """In antes to four decimals, with its sign."""
    value = Fraction(exact)
    text = percent(value / 100, DIGITS)
    return text.replace("-", "−") if value < 0 else f"+{text}"
