"""The one page by which whatever two people decide is asked for: its form, what would come of it, one press."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from accounting.asking.pages.forms import AskForm, AskInput, known_forms, plain_form, reason_field
from jackpot.evidence.actions.keep import attach
from jackpot.evidence.pages import uploaded
from jackpot.evidence.rules.evidence_file import EvidenceUpload
from jackpot.property.queries import house_of
from jackpot.refusals import Refused
from jackpot.signing.actions.kinds import known_kinds
from jackpot.signing.rules import AskField, FieldLook
from jackpot.web.pages.access import needs

LOOKERS: Final = ("read_books", "adjust", "sign_adjustments", "configure", "people", "close_day")
ASKERS: Final = LOOKERS[1:]
LONG: Final = 6  # fields: from here on the form takes half of the page
NOT_AS_IT_STANDS: Final = "As it stands this is refused. Change it, and before and after stand here."
View = Callable[..., HttpResponseBase]


def ask_page(form: AskForm) -> View:
    """One form under its address: looked at by whoever may read such things, sent by whoever may ask for them."""
    look = needs(*form.reads)(lambda request, **about: _looked_at(request, form, about))
    send = needs(*form.asks, method="POST")(lambda request, **about: _sent(request, form, about))

    @sensitive_post_parameters()
    @require_http_methods(["GET", "HEAD", "POST"])
    def page(request: HttpRequest, **about: Any) -> HttpResponseBase:
        return send(request, **about) if request.method == "POST" else look(request, **about)

    page.verbs = {"GET": form.reads, "POST": form.asks}  # type: ignore[attr-defined]
    return page


@needs(*LOOKERS)
def choose(request: HttpRequest) -> HttpResponse:
    """Everything that can be asked for by whoever looks."""
    person: Any = request.user
    verbs = person.verbs()
    entries = [each for form in known_forms() if not verbs.isdisjoint(form.asks) for each in form.entries()]
    plain = [kind for kind in known_kinds() if kind.fields and not verbs.isdisjoint(kind.may_ask)]
    entries += [(reverse("request-ask", kwargs={"kind": kind.code}), kind.name, kind.lead) for kind in plain]
    return render(request, "accounting/asking/choose.html", {"entries": entries})


@require_http_methods(["GET", "HEAD", "POST"])
def ask_plain(request: HttpRequest, kind: str) -> HttpResponseBase:
    """A kind that has no form of its own."""
    form = plain_form(kind)
    if request.method == "POST":
        return needs(*form.kind.may_ask, method="POST")(lambda request: _sent(request, form, {"kind": kind}))(request)
    return _plain_look(request, kind)


ask_plain.verbs = {"GET": LOOKERS, "POST": ASKERS}  # type: ignore[attr-defined]


@needs(*LOOKERS)
def _plain_look(request: HttpRequest, kind: str) -> HttpResponse:
    form = plain_form(kind)
    person: Any = request.user
    if not form.kind.seen_by(person.verbs()):
        raise PermissionDenied("Your roles do not include this. An administrator can change that.")
    return _looked_at(request, form, {"kind": kind})


def _looked_at(request: HttpRequest, form: AskForm, about: Mapping[str, Any]) -> HttpResponse:
    """The form; asked by the form itself, only its preview."""
    asked = _asked(request, about)
    if getattr(request, "htmx", False):
        return render(request, form.preview_template, _previewed(form, asked))
    unknown = form.unknown(asked)
    return _page(request, form, asked, unknown, 404 if unknown else 200)


def _sent(request: HttpRequest, form: AskForm, about: Mapping[str, Any]) -> HttpResponseBase:
    """Asks, the file with it; a refusal is read beside the form with everything that was typed still in it."""
    asked = _asked(request, about)
    try:
        asked = _asked(request, about, uploaded(request))
        # Request and file together: a request that says what proves it never stands without that.
        with transaction.atomic():
            row = form.ask(asked)
            if asked.file is not None:
                attach(request=row, upload=asked.file, by=asked.by)
    except Refused as why:
        request.refused = why  # type: ignore[attr-defined]  # whoever keeps the trail reads it behind us
        return _page(request, form, asked, why.why, why.status, previewed={"refusal": NOT_AS_IT_STANDS})
    messages.success(request, form.success(row))
    try:
        form.asked_for(row, asked)
    except Refused as why:  # the request stands all the same: its own page is where this is read and mended
        messages.error(request, why.why)
    return redirect(form.page_of(row))


def _asked(request: HttpRequest, about: Mapping[str, Any], file: EvidenceUpload | None = None) -> AskInput:
    house, typed = house_of(request.user), request.POST if request.method == "POST" else request.GET
    if house is None:
        raise Http404("There is no house here yet. Begin one at /begin/.")
    person: Any = request.user
    ticked = {name: typed.getlist(name) for name in typed}
    return AskInput(house, person, {name: str(value) for name, value in about.items()}, typed.dict(), ticked, file)


def _page(
    request: HttpRequest, form: AskForm, asked: AskInput, problem: str = "", status: int = 200,
    previewed: Mapping[str, Any] | None = None,
) -> HttpResponse:  # fmt: skip
    """What was refused a moment ago is not reckoned a second time: its preview comes with the next letter typed."""
    groups = form.groups(asked)
    fields = [each for group in groups for each in group.fields]
    told = {
        "title": form.title(asked), "lead": form.lead(asked), "crumbs": form.crumbs(asked), "tabs": form.tabs(asked),
        "facts": form.facts(asked), "notes": form.notes(asked), "groups": groups, "problem": problem,
        "why": [reason_field(asked.word("reason")), *([_evidence(form, asked)] if form.needs_words else [])],
        "may": not asked.by.verbs().isdisjoint(form.asks), "press": form.press, "after": form.after,
        "is_long": len(fields) > LONG, "preview_template": form.preview_template, "previewed_by": _names(fields),
        **(_previewed(form, asked) if previewed is None else previewed),
    }  # fmt: skip
    return render(request, "accounting/asking/ask.html", told, status=status)


def _previewed(form: AskForm, asked: AskInput) -> dict[str, Any]:
    found = form.look_ahead(asked)
    return {
        "compared": found.compared, "findings": found.findings, "refusal": found.refusal, "house_here": asked.house,
        **found.more,
    }  # fmt: skip


def _evidence(form: AskForm, asked: AskInput) -> AskField:
    return AskField(
        "evidence", "Evidence", value=asked.word("evidence"), placeholder="Camera 7, 02:14 to 02:16",
        required=form.needs_words,
    )  # fmt: skip


def _names(fields: list[AskField]) -> str:
    """What the preview is asked with: never a card, nor the reason and the file."""
    return ",".join(each.name for each in fields if each.look is not FieldLook.SECRET)
