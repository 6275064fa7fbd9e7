"""The laboratory: what a setting will do, before anybody signs it. Looks, never changes anything."""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.safestring import mark_safe

from accounting.lab.actions.questions import (
    Ground,
    LabQuestion,
    ask_all,
    asked_of,
    fixed_sources,
    ground_of,
    refuse_unknown,
    take_back,
    under_way,
    values_of,
)
from accounting.lab.pages import lab_chart, lab_figures
from accounting.lab.pages.lab_picture import picture
from jackpot.books.queries import jackpots
from jackpot.laboratory.answer import difference, side_by_side
from jackpot.property.queries import house_of
from jackpot.refusals import NotUnderstood
from jackpot.web.pages.access import needs
from jackpot.web.rules.sheet import SheetWriter
from tables.calculation.desk import IN_A_REQUEST
from tables.rounds.queries.round_lists import tables_of

OPERATES: Final = ("read_books", "configure")
CURRENCY: Final = "USD"
QUANTILES: Final = ("10 %", "25 %", "middle", "75 %", "90 %")
LIVES: Final = (
    ("200", "200, at once"),
    ("1000", "1,000"),
    ("5000", "5,000"),
    ("20000", "20,000, a minute: tells 2 % from 1.5 %"),
)


@dataclass(frozen=True, slots=True)
class Knob:
    """One setting with its slider: from nothing to `top` in steps."""

    name: str
    label: str
    unit: str
    top: int
    step: str
    a: str
    b: str


@needs(*OPERATES)
def lab(request: HttpRequest) -> HttpResponse:
    """The page: knobs on the left, answers on the right."""
    ground = _ground(request)
    values = values_of(ground, request.GET.dict())
    shown = {
        "ground": ground,
        "jackpots": jackpots(request.user).order_by("code"),
        "values": values,
        "knobs": _knobs(values),
        "tables": ground.progressives,
        "sources": fixed_sources(ground.terms.pay_table) if ground.terms else "",
        "compare": "compare" in request.GET,
        "lives": LIVES,
        **_answered(request, ground, values),
    }
    return render(request, "accounting/lab/lab.html", shown)


@needs(*OPERATES)
def lab_answer(request: HttpRequest) -> HttpResponse:
    """The right side alone, asked again while it is calculated and whenever a knob turns."""
    ground = _ground(request)
    values = values_of(ground, request.GET.dict())
    part = render(request, "accounting/lab/lab_answer.html", _answered(request, ground, values))
    # The address follows the knobs: it may be sent to somebody, who sees the same question.
    part.headers["HX-Replace-Url"] = f"{reverse('lab')}?{request.GET.urlencode()}"
    return part


@needs(*OPERATES, method="POST")
def lab_cancel(request: HttpRequest) -> HttpResponse:
    """Ends a question that nobody wants answered any more; the form stands as it was."""
    ground = _ground(request)
    # What cannot be meant was never asked, so there is nothing to take back.
    with contextlib.suppress(NotUnderstood):
        take_back(_asked(request, ground, values_of(ground, request.GET.dict())), by=_person(request))
    return render(request, "accounting/lab/lab_answer.html", {"cancelled": True, "query": request.GET.urlencode()})


@needs(*OPERATES)
def lab_export(request: HttpRequest, form: str) -> HttpResponse:
    """The same answer as JSON, CSV or a picture. Not calculated yet: 202, ask again."""
    ground = _ground(request)
    values = values_of(ground, request.GET.dict())
    try:
        asked = _asked(request, ground, values)
        jobs = ask_all(asked, by=_person(request), wait=IN_A_REQUEST)
    except NotUnderstood as why:
        return JsonResponse({"ok": False, "code": why.code, "why": why.why}, status=400)
    if any(job.answer is None for job in jobs):
        return JsonResponse({"ok": True, "ready": False, **under_way(jobs)}, status=202, headers={"Retry-After": "1"})
    answers = [job.answer for job in jobs if job.answer is not None]
    match form:
        case "json":
            told = [{**one.plain, "answer": answer} for one, answer in zip(asked, answers, strict=True)]
            made = HttpResponse(json.dumps({"ok": True, "configurations": told}), content_type="application/json")
        case "csv":
            made = HttpResponse(_csv(answers), content_type="text/csv; charset=utf-8")
        case "svg" | "png":
            made = _picture(request, ground, answers, form)
        case _:
            raise Http404("The laboratory exports json, csv, svg and png.")
    made.headers["Content-Disposition"] = f'attachment; filename="laboratory.{form}"'
    return made


def _ground(request: HttpRequest) -> Ground:
    """The jackpot asked for, else the first of the house."""
    rows, code = jackpots(request.user).order_by("code"), request.GET.get("jackpot", "")
    jackpot = get_object_or_404(rows, code=code) if code else rows.first()
    table = None if jackpot is None else tables_of(request.user).filter(links__jackpot=jackpot).first()
    return ground_of(jackpot, table.game if table else "", min(table.seats, 7) if table else 7)


def _answered(request: HttpRequest, ground: Ground, values: Mapping[str, str]) -> dict[str, Any]:
    query = request.GET.urlencode()
    try:
        asked = _asked(request, ground, values)
        jobs = ask_all(asked, by=_person(request), wait=IN_A_REQUEST)
    except NotUnderstood as why:
        return {"problem": why.why, "query": query}
    answers = [job.answer for job in jobs if job.answer is not None]
    # All or none: one side alone would be read as if it stood for both.
    if len(answers) < len(jobs):
        return {**under_way(jobs), "query": query}
    return {**_shown(request, asked, answers), "query": query}


def _asked(request: HttpRequest, ground: Ground, values: Mapping[str, str]) -> list[LabQuestion]:
    """What is asked, side by side; a name that the laboratory does not have is refused."""
    refuse_unknown(ground, request.GET.dict())
    return asked_of(ground, values, ("a", "b") if "compare" in request.GET else ("a",))


def _person(request: HttpRequest) -> str:
    return str(request.user.pk)


def _shown(request: HttpRequest, asked: Sequence[LabQuestion], answers: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    house = house_of(request.user)
    currency = house.currency if house else CURRENCY
    plains = [one.plain for one in asked]
    coins = [lab_figures.coin_parts(told, plain) for told, plain in zip(answers, plains, strict=True)]
    return {
        "ready": True,
        "sides": "AB"[: len(answers)],
        "figures": lab_figures.figures(answers, house),
        "findings": [(side, told["findings"]) for side, told in zip("AB", answers, strict=False)],
        "coins": [_drawn(lab_chart.coin([(name, 1.0 * share) for name, share in parts])) for parts in coins],
        "coin_table": lab_figures.coin_table(answers, plains),
        "fan": _drawn(lab_chart.fan(answers, currency)),
        "differs": len(answers) > 1,
        "leaves_out": list(dict.fromkeys(words for told in answers for words in told["leaves_out"])),
        "fan_table": lab_figures.fan_table(answers, house),
        "returns": _drawn(lab_chart.returns(answers, currency)),
        "meter_table": lab_figures.meter_table(answers, house),
        "hit_table": lab_figures.hit_table(answers, house),
        "witnesses": lab_figures.witnesses(answers, house),
        "quantiles": QUANTILES,
        "dry": [told["seats_run_dry"] for told in answers],
        "question": plains[0]["question"],
    }


def _drawn(svg: str) -> str:
    """Made by us from numbers; every word in it is escaped."""
    return mark_safe(svg)


def _picture(request: HttpRequest, ground: Ground, answers: Sequence[Mapping[str, Any]], form: str) -> HttpResponse:
    house = house_of(request.user)
    rows = [(figure.name, figure.values) for figure in lab_figures.figures(answers, house)]
    name = ground.jackpot.name if ground.jackpot else ground.game.title
    fan = lab_chart.fan(answers, house.currency if house else CURRENCY)
    svg = lab_chart.report(f"{name}: what this setting does", rows, fan)
    if form == "svg":
        return HttpResponse(svg, content_type="image/svg+xml")
    return HttpResponse(picture(svg), content_type="image/png")


def _csv(answers: Sequence[Mapping[str, Any]]) -> str:
    other: Mapping[str, Any] = answers[1] if len(answers) > 1 else {}
    written = io.StringIO()
    rows = SheetWriter(written)
    rows.row(["figure", "A", "B", "B less A"] if other else ["figure", "A"])
    for name, left, right in side_by_side(answers[0], other):
        rows.row([name, left, right, difference(left, right)] if other else [name, left])
    return written.getvalue()


def _knobs(values: Mapping[str, str]) -> list[Knob]:
    shapes = (
        ("rate", "To the meter", "% of the chip", 100, "0.5"),
        ("reserve", "To the reserve", "% of the chip", 30, "0.5"),
        ("seed", "Seed", "", 100_000, "500"),
        ("limit", "Limit, empty for none", "", 1_000_000, "5000"),
        ("wager", "Wager", "", 25, "1"),
    )
    return [Knob(*shape, a=values[f"a_{shape[0]}"], b=values[f"b_{shape[0]}"]) for shape in shapes]
