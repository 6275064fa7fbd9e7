"""The pages of the books: meters, every entry, why a meter fell, and the terms."""

from __future__ import annotations

from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django_htmx.http import HttpResponseClientRedirect

from jackpot.books import queries
from jackpot.books.actions.waiting import waiting_change
from jackpot.books.models.entry import Entry
from jackpot.books.models.jackpot import Jackpot, Version
from jackpot.books.pages import values
from jackpot.books.pages.asking import search_of
from jackpot.books.queries import signed_figures
from jackpot.books.rules.entry_kind import CHOICES
from jackpot.books.rules.seal import NO_SEAL_BEFORE, seal, sealed_line
from jackpot.laboratory.standing import standing_findings
from jackpot.web.pages.access import needs

PAGE: Final = 50
LATELY: Final = 200


@needs("see")
def jackpots(request: HttpRequest) -> HttpResponse:
    """All meters of the house, read anew every few seconds."""
    rows = [(row, row.version.value if row.version else None) for row in queries.jackpots(request.user)]
    part = getattr(request, "htmx", False)
    return render(
        request, "jackpot/books/part_meters.html" if part else "jackpot/books/jackpots.html", {"meters": rows}
    )


@needs("read_books")
def jackpot(request: HttpRequest, code: str) -> HttpResponse:
    """Where one jackpot stands: balances, the way of the meter lately, the last entries."""
    row = _jackpot(request, code)
    latest = list(queries.entries(row).order_by("-seq")[:8])
    amounts = queries.meter_lately(row, LATELY)
    return _page(
        request,
        "jackpot/books/jackpot.html",
        row,
        "overview",
        accounts=values.accounts(row.balances),
        lines=_lines(row, latest),
        sparkline=values.sparkline(amounts),
        lowest=min(amounts, default=0),
        highest=max(amounts, default=0),
        shown=len(amounts),
        findings=standing_findings(row.version.value) if row.version else [],
    )


@needs("read_books")
def ledger(request: HttpRequest, code: str) -> HttpResponse:
    """Every entry, newest first, as it was asked for."""
    row = _jackpot(request, code)
    search = search_of(request.GET)
    if search.seq is not None and not search.problem:
        return _to_entry(request, row, search.seq)
    looked = queries.look(row, search.asked, search.before)
    # One more than the page, to know whether there is an older one.
    found = [] if search.problem else list(looked.rows[: PAGE + 1])
    older = found[PAGE - 1].seq if len(found) > PAGE else None if search.problem else looked.edge
    lines = _lines(row, found[:PAGE])
    template = "jackpot/books/part_ledger.html" if getattr(request, "htmx", False) else "jackpot/books/ledger.html"
    return _page(
        request, template, row, "ledger", lines=lines, sums=values.sums_of(lines), search=search, older=older,
        kinds=CHOICES, oldest=PAGE + 1, looked_from=looked.edge if len(found) <= PAGE else None,
        status=400 if search.problem else 200,
    )  # fmt: skip


@needs("read_books")
def entry(request: HttpRequest, code: str, seq: str) -> HttpResponse:
    """One entry with everything its seal covers, so that anybody can seal it again."""
    row = _jackpot(request, code)
    posted = get_object_or_404(queries.entries(row), seq=int(seq))
    before = Entry.objects.filter(jackpot=row, seq=posted.seq - 1).first()
    sealed = _sealed_line(row, posted, bytes(before.seal) if before else NO_SEAL_BEFORE)
    return _page(
        request,
        "jackpot/books/entry.html",
        row,
        "ledger",
        line=_lines(row, [posted])[0],
        posted=posted,
        accounts=values.accounts(posted.after, posted.movement),
        sealed_line=sealed,
        seal=bytes(posted.seal).hex(),
        seal_fits=seal(sealed) == bytes(posted.seal),
        following=posted.seq + 1 if posted.seq < row.last_seq else None,
    )


@needs("read_books")
def falls(request: HttpRequest, code: str) -> HttpResponse:
    """Why did the meter fall? Every fall, newest first, in one press."""
    row = _jackpot(request, code)
    search = search_of(request.GET)
    found = list(queries.look(row, {**search.asked, "falls": True}, search.before).rows[: PAGE + 1])
    older = found[PAGE - 1].seq if len(found) > PAGE else None
    return _page(request, "jackpot/books/falls.html", row, "falls", lines=_lines(row, found[:PAGE]), older=older)


@needs("read_books")
def versions(request: HttpRequest, code: str) -> HttpResponse:
    row = _jackpot(request, code)
    rows = list(queries.versions(row).order_by("-number"))
    figures = signed_figures(rows)
    shown = [values.terms_shown(version, figures.get(version.pk)) for version in rows]
    return _page(request, "jackpot/books/versions.html", row, "versions", versions=shown)


def _jackpot(request: HttpRequest, code: str) -> Jackpot:
    return get_object_or_404(queries.jackpots(request.user), code=code)


def _lines(row: Jackpot, shown: list[Entry]) -> list[values.BookLine]:
    return values.lines(shown, queries.corrected_by(row, shown), queries.reasons_given(shown))


def _to_entry(request: HttpRequest, row: Jackpot, seq: int) -> HttpResponse:
    """A number in the search box is an entry's: go there."""
    # What was never posted is not there; nobody is led to an empty page.
    if not 1 <= seq <= row.last_seq:
        raise Http404
    address = reverse("entry", kwargs={"code": row.code, "seq": str(seq)})
    return HttpResponseClientRedirect(address) if getattr(request, "htmx", False) else redirect(address)


def _sealed_line(row: Jackpot, posted: Entry, before: bytes) -> str:
    digest = Version.objects.get(id=posted.version_id).digest
    return sealed_line(
            before=before, jackpot_code=row.code, seq=posted.seq, kind=posted.kind, key=posted.key,
            occurred_at=posted.occurred_at, gaming_day=posted.gaming_day, table_code=posted.table_code,
            round_number=posted.round_number, win_id=posted.win_id, corrects=posted.corrects, version_digest=digest,
            movement=posted.movement.columns(), after=posted.after.columns(), request=bytes(posted.request),
    )  # fmt: skip


def _page(request: HttpRequest, template: str, row: Jackpot, tab: str, status: int = 200, **shown: Any) -> HttpResponse:
    terms = row.version.value if row.version else None
    stopped = [each for each in queries.differing_rows() if each.jackpot_id == row.pk]
    told = {"jackpot": row, "terms": terms, "tab": tab, "waits": waiting_change(row.pk), "stopped": stopped, **shown}
    return render(request, template, told, status=status)
