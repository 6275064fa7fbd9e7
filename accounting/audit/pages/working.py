"""Proof, parcels and retention: what was proven and when, a period taken home, what is kept for how long."""

from __future__ import annotations

from typing import Any, Final

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache

from accounting.audit.actions import runs
from accounting.audit.models import AuditKind, AuditRun
from accounting.audit.queries.figures import audit_figures, last_proof, proof_under_way, runs_of
from accounting.audit.queries.sections import SECTIONS
from accounting.audit.rules.retention import SETTINGS, kept_things
from accounting.reports.queries.asking import clock_of
from jackpot.people.models import Operator
from jackpot.property.models.property import Property
from jackpot.property.queries import house_of, of_house
from jackpot.property.rules.typed_days import NotADay, read_span
from jackpot.refusals import NotUnderstood, Refused
from jackpot.trail.queries import READS_TRAIL
from jackpot.web.pages.access import needs
from jackpot.web.pages.posting import posts, word

READS: Final = (READS_TRAIL,)
BOTH: Final = "read_books"  # a parcel holds the books too
LATEST: Final = 20


@needs(*READS)
def proof(request: HttpRequest) -> HttpResponse:
    """The last proof with its age and its outcome in a sentence, the ones before, and how far one under way is."""
    house = _house(request)
    told = {
        "tab": "proof", "premises": house, "last": last_proof(house), "running": proof_under_way(house),
        "before": runs_of(house, AuditKind.PROOF)[:LATEST], "now": timezone.now(),
        "figures": audit_figures(house, timezone.now()),
    }  # fmt: skip
    part = getattr(request, "htmx", False)
    return render(request, "accounting/audit/proof_part.html" if part else "accounting/audit/proof.html", told)


@posts(*READS, back_to="audit-proof")
def proof_ask(request: HttpRequest) -> str:
    """Puts a proof up for the worker; the page shows how far it is."""
    runs.ask_for_proof(house=_house(request), by=_person(request))
    return "The books are proven now, from the first cent. You may leave this page."


@needs(*READS)
def parcels(request: HttpRequest) -> HttpResponse:
    """The parcels that were made, and the form for another one."""
    house = _with_books(request)
    told = {
        "tab": "parcels", "premises": house, "runs": runs_of(house, AuditKind.PARCEL)[:LATEST],
        "sections": ["books", *(section.name for section in SECTIONS)], "days": settings.PARCELS_KEPT_DAYS,
    }  # fmt: skip
    return render(request, "accounting/audit/parcels.html", told)


@needs(*READS, method="POST")
def parcel_ask(request: HttpRequest) -> HttpResponse:
    """Puts a parcel up for the worker and shows its page."""
    house = _with_books(request)
    try:
        clock = clock_of(house)
        span = read_span(word(request, "period", 60) or "last month", clock.today, month_first=house.writes_month_first)
        run = runs.ask_for_parcel(house=house, first=span.first, last=span.last, by=_person(request))
    except (NotADay, Refused) as problem:
        messages.error(request, problem.why if isinstance(problem, NotUnderstood) else str(problem))
        return redirect("audit-parcels")
    return redirect("audit-parcel", number=str(run.pk))


@needs(*READS)
def parcel(request: HttpRequest, number: str) -> HttpResponse:
    """How far the worker is; then the digest, the sections and the way to take it along."""
    run = _run(request, number)
    part = getattr(request, "htmx", False)
    told = {"tab": "parcels", "run": run, "premises": run.premises, "days": settings.PARCELS_KEPT_DAYS}
    return render(request, "accounting/audit/parcel_part.html" if part else "accounting/audit/parcel.html", told)


@never_cache
@needs(*READS, method="POST")
def parcel_file(request: HttpRequest, number: str) -> HttpResponseBase:
    """The ZIP; a press, since the trail says who took it along."""
    run = _run(request, number)
    try:
        path = runs.take_parcel(run=run, by=_person(request))
    except Refused as refused:
        messages.error(request, refused.why)
        return redirect("audit-parcel", number=number)
    headers = {"Content-Disposition": f'attachment; filename="{path.name}"', "Content-Length": str(path.stat().st_size)}
    return StreamingHttpResponse(runs.file_parts(path), content_type="application/zip", headers=headers)


@needs(*READS)
def retention(request: HttpRequest) -> HttpResponse:
    """What is kept how long, as the settings say; nothing here can be deleted from any page."""
    kept = kept_things(
        years=settings.RECORDS_KEPT_YEARS, answer_days=settings.ANSWERS_KEPT_DAYS,
        parcel_days=settings.PARCELS_KEPT_DAYS, session_hours=-(-settings.SESSION_COOKIE_AGE // 3_600),
    )  # fmt: skip
    told = {
        "tab": "retention",
        "premises": _house(request),
        "kept": [(each, SETTINGS.get(each.setting)) for each in kept],
    }
    return render(request, "accounting/audit/retention.html", told)


def _house(request: HttpRequest) -> Property:
    house = house_of(request.user)
    if house is None:
        raise Http404("There is no property yet. Load a casino file first.")
    return house


def _with_books(request: HttpRequest) -> Property:
    if BOTH not in request.user.verbs():  # type: ignore[union-attr]
        raise PermissionDenied(
            "A parcel holds the books; your roles read the trail only. An administrator can change it."
        )
    return _house(request)


def _run(request: HttpRequest, number: str) -> AuditRun:
    _with_books(request)
    rows: Any = of_house(AuditRun.objects.filter(kind=AuditKind.PARCEL), request.user)
    found: AuditRun = get_object_or_404(rows.select_related("premises", "asked_by"), pk=int(number))
    return found


def _person(request: HttpRequest) -> Operator:
    person = request.user
    assert isinstance(person, Operator)
    return person
