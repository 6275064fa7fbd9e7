"""One kind of part on one page: what stands, and the form of a new one, of many at once, or of one that is altered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from accounting.house_file.sections import CasinoRefused
from accounting.setup_desk.actions.setting_up import SetUpOutcome, SetUpWish, set_up
from accounting.setup_desk.pages.options import options_of, section_of, shown_words, start_words, typed_words
from accounting.setup_desk.pages.path import READS, VERB, house_here, person_here
from accounting.setup_desk.queries import coded_parts, house_habits, standing_parts
from accounting.setup_desk.rules.code_series import codes_in
from accounting.setup_desk.rules.part_fields import FieldKind, NotAValue, PartField
from accounting.setup_desk.rules.part_kinds import PARTS, PartKind
from jackpot.property.models.property import Property
from jackpot.refusals import NotAllowedNow, NotUnderstood, Refused
from jackpot.web.pages.access import needs
from jackpot.web.pages.listing import coded_list
from jackpot.web.pages.posting import word
from jackpot.web.templatetags.figures import figure

SHOWS_ONE = 1
PAGE = 100


@require_http_methods(["GET", "HEAD", "POST"])
def setup_part(request: HttpRequest, part: str) -> HttpResponse:
    """The page of a kind; a refusal is read beside what was typed."""
    return _post(request, part) if request.method == "POST" else _look(request, part)  # type: ignore[return-value]


setup_part.verbs = {"GET": READS, "POST": (VERB,)}  # type: ignore[attr-defined]


@needs(*READS)
def _look(request: HttpRequest, part: str) -> HttpResponse:
    kind, premises = _kind(part), house_here(request)
    of, like = (request.GET.get(name, "")[:60] for name in ("of", "like"))
    # Only where one of them is to be shown: a house may have thousands of tables.
    standing = standing_parts(premises, part) if of or like or kind.key == "property" else []
    chosen = next((each for each in standing if each.get("code") in (of, like)), None)
    if kind.key == "property":
        of, chosen = premises.code, standing[0]
    if chosen is None:
        return page(request, kind, premises, start_words(kind, premises, house_habits(premises, timezone.now())))
    typed = shown_words(kind, chosen)
    # A copy of another one keeps everything but its code, which stands once.
    return page(request, kind, premises, typed if of else {**typed, "code": ""}, of=of)


@needs(VERB, method="POST")
def _post(request: HttpRequest, part: str) -> HttpResponse:
    kind, premises = _kind(part), house_here(request)
    typed, of = typed_words(request, kind), word(request, "of", 60)
    trying, reason = request.POST.get("act") == "try", word(request, "reason", 200)
    try:
        sections = _sections(kind, typed, of, premises)
        outcome = set_up(
            premises=premises, wish=SetUpWish(sections, reason=reason), by=person_here(request), dry_run=trying
        )
    except Refused as refused:
        facts = {"problems": problems_of(refused), "of": of, "status": refused.status, "reason": reason}
        return page(request, kind, premises, typed, **facts)
    if trying:
        return page(request, kind, premises, typed, of=of, outcome=outcome, reason=reason)
    return answer(request, outcome, "setup-part", part=part)


def _sections(kind: PartKind, typed: Mapping[str, str], of: str, premises: Property) -> dict[str, Any]:
    """One section, or one for each code of a series; what is new never writes over what stands."""
    section = section_of(kind, typed, house_habits(premises, timezone.now()), premises)
    if kind.key == "property":
        return {"property": section}
    if kind.dated or of:
        return {kind.key: [{**section, "code": of} if of else section]}
    standing = {part["code"] for part in standing_parts(premises, kind.key)}
    codes = _codes(kind, section)
    # The loader would take a known code for an alteration, and a mistyped one would overwrite a table that plays.
    taken = next((code for code in codes if code in standing), None)
    if taken is not None:
        why = f"There is already a {kind.one} {taken}. Choose another code, or open it in the list and alter it there."
        raise NotAllowedNow(why, "exists")
    return {kind.key: [{**section, "code": code} for code in codes]}


def _codes(kind: PartKind, section: Mapping[str, Any]) -> list[str]:
    code = str(section["code"])
    try:
        return codes_in(code) if kind.key == "tables" else [code.upper()]
    except NotAValue as why:
        raise NotUnderstood(str(why), "code") from None


def page(
    request: HttpRequest, kind: PartKind, premises: Property, typed: Mapping[str, str], **told: Any
) -> HttpResponse:
    """The list and the form. `told` says which part is altered, what was refused, or what would change."""
    options, status = options_of(premises), told.pop("status", 200)
    fields = [(field, typed.get(field.name, ""), options.get(field.options, [])) for field in kind.fields]
    many = coded_parts(premises, kind.key)
    listed = None if many is None else coded_list(many[0], request.GET, PAGE)
    standing = standing_parts(premises, kind.key) if many is None or listed is None else map(many[1], listed.rows)
    shown = [(part, _line(kind, part, premises)) for part in standing]
    facts = {
        "kind": kind, "fields": fields, "standing": shown, "list": listed,
        "count": len(shown) if listed is None else listed.page.count,
        "ticked": {name for name in typed.get("surveillance", "").split(", ") if name}, "house_here": premises,
        "heads": kind.fields[: kind.listed], "opens": kind.key == "jackpots", "may": person_here(request).may(VERB),
        **told,
    }  # fmt: skip
    return render(request, "accounting/setup_desk/part.html", facts, status=status)


def answer(request: HttpRequest, outcome: SetUpOutcome, back_to: str, **words: str) -> HttpResponse:
    """Made: back to the page with what changed. Waiting: to the request, where another person signs."""
    if outcome.request is not None:
        why = f"Nothing is changed yet: request {outcome.request.pk} waits for a second person who may configure."
        messages.success(request, why)
        return redirect("request", number=str(outcome.request.pk))
    messages.success(request, spoken(outcome))
    return redirect(reverse(back_to, kwargs=words))


def spoken(outcome: SetUpOutcome) -> str:
    if not outcome.changes:
        return "Nothing to change: the house stands like that already."
    if len(outcome.changes) == SHOWS_ONE:
        return f"Done: {str(outcome.changes[0])[2:]}."
    return f"Done: {len(outcome.changes)} changes, from {outcome.changes[0].subject} to {outcome.changes[-1].subject}."


def problems_of(refused: Refused) -> list[str]:
    """Every fault by itself, where there are several."""
    return [fault.why for fault in refused.faults] if isinstance(refused, CasinoRefused) else [refused.why]


def _line(kind: PartKind, part: Mapping[str, Any], premises: Property) -> list[tuple[str, bool]]:
    """Each cell, and whether it is a figure, which stands on the right below its head."""
    words = shown_words(kind, part)
    return [(_cell(field, words[field.name], premises), field.is_figure) for field in kind.fields[: kind.listed]]


def _cell(field: PartField, words: str, premises: Property) -> str:
    """An amount with the separators of the house; the form has it as it is typed."""
    return figure(words, premises) if words and field.kind is FieldKind.AMOUNT else words.replace("\n", ", ")


def _kind(part: str) -> PartKind:
    if part not in PARTS:
        raise Http404(f"There is no part {part} of a house.")
    return PARTS[part]
