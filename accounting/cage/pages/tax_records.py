"""Tax records of the house: what there is of which days, and each opened as a paper by whom it concerns."""

from __future__ import annotations

import io
from datetime import date
from typing import Any, Final

from django.core.exceptions import BadRequest, PermissionDenied
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from accounting.cage.pages.wins_record import found
from accounting.paper.printing.tax_record import tax_record_paper
from accounting.paper.rules.copies import paper_of
from jackpot.payees.actions import SEES, OpenedPayee, open_record
from jackpot.payees.models import TaxRecord
from jackpot.payees.queries import came_back, record_of, records_on
from jackpot.people.models import Operator
from jackpot.property.queries import house_of
from jackpot.property.rules.typed_days import NotADay, read_span
from jackpot.refusals import Refused
from jackpot.trail.actions.trail import note_list
from jackpot.web.pages.access import needs
from jackpot.web.pages.posting import word
from jackpot.web.rules.sheet import SheetWriter
from jackpot.wins.rules.win_life import WinState

READERS: Final = ("read_books", "pay", "approve", "close_day")
OPENS: Final = (SEES, "pay")
MOST: Final = 500
HEAD: Final = (
    "slip", "gaming_day", "form", "payee", "name", "address", "document", "number", "gross", "withheld", "net",
    "paid_in", "slip_is", "came_back_of_the_slip",
)  # fmt: skip


@needs(*READERS)
def tax_records(request: HttpRequest) -> HttpResponse:
    """The records of some days without a word about people; whoever may takes them along as a file."""
    house = house_of(request.user)
    if house is None:
        raise Http404("There is no house yet.")
    typed = request.GET.get("days", "this month")[:60]
    problem, rows = "", []
    try:
        first, last = _days(request, typed)
        rows = list(records_on(request.user, first, last)[:MOST])
    except NotADay as why:
        problem = str(why)
    told = {
        "records": rows, "typed": typed, "problem": problem, "house_here": house, "most": MOST,
        "may_take": SEES in request.user.verbs(),  # type: ignore[union-attr]
    }  # fmt: skip
    return render(request, "accounting/cage/tax_records.html", told, status=400 if problem else 200)


@never_cache
@require_POST
def tax_record(request: HttpRequest, number: str) -> HttpResponse:
    """One record as the paper that is kept and signed. Each look stands in the trail."""
    person = _person(request, OPENS)
    win = found(request, number)
    row = record_of(win)
    if row is None:
        raise BadRequest(f"Slip {number} has no tax record: no rule asked for one when it was paid.")
    try:
        payees = open_record(row=row, by=person, why=word(request, "why"))
    except Refused as refused:
        raise PermissionDenied(refused.why) from None
    # Made anew at each look and kept nowhere: what names people stays sealed in the record.
    content = tax_record_paper(row, payees, paper_of(win.jackpot.premises.locale), by=str(person), now=timezone.now())
    named = {"Content-Disposition": f'inline; filename="tax-record-{number}.pdf"'}
    return HttpResponse(content, content_type="application/pdf", headers=named)


@never_cache
@require_POST
def tax_records_file(request: HttpRequest) -> HttpResponse:
    """Everything of some days, for the tax office. Each record in it is a look of its own in the trail."""
    person = _person(request, (SEES,))
    typed = request.POST.get("days", "")[:60]
    try:
        first, last = _days(request, typed)
    except NotADay as why:
        raise BadRequest(str(why)) from None
    text = io.StringIO()
    paper = SheetWriter(text)
    paper.row(HEAD)
    opened = _opened(person, first, last)
    for row, payees in opened:
        for each in payees:
            facts, share = each.facts, each.share
            paper.row(str(value) for value in (
                row.slip, row.gaming_day, row.form, each.place, facts.name, facts.address, facts.kind, facts.number,
                share.gross, share.withheld, share.net, "cash" if row.in_cash else "cheque",
                "backed out" if row.payment.win.state == WinState.BACKED_OUT else "paid", came_back(row),
            ))  # fmt: skip
    count = sum(len(payees) for _, payees in opened)
    # Beside the looks: they say whose record was opened, this says that all of it left as one file.
    note_list(by=person, what="tax records", rows=count, words=f"{first} to {last}")
    named = {"Content-Disposition": 'attachment; filename="tax-records.csv"'}
    return HttpResponse(text.getvalue(), content_type="text/csv; charset=utf-8", headers=named)


tax_record.verbs = {"POST": OPENS}  # type: ignore[attr-defined]
tax_records_file.verbs = {"POST": (SEES,)}  # type: ignore[attr-defined]


def _opened(person: Operator, first: date, last: date) -> list[tuple[TaxRecord, list[OpenedPayee]]]:
    """All or none: where one cannot be opened no file is given, and no look is told."""
    why = f"file of {first} to {last}"
    try:
        # The looks are lines of the trail in this transaction: a file that nobody got leaves none of them.
        with transaction.atomic():
            return [(row, open_record(row=row, by=person, why=why)) for row in records_on(person, first, last)]
    except Refused as refused:
        raise PermissionDenied(refused.why) from None


def _person(request: HttpRequest, verbs: tuple[str, ...]) -> Operator:
    person: Any = request.user
    if not person.is_authenticated or not person.verbs().intersection(verbs):
        raise PermissionDenied("Your roles do not include this. An administrator can change that.")
    assert isinstance(person, Operator)
    return person


def _days(request: HttpRequest, typed: str) -> tuple[date, date]:
    house = house_of(request.user)
    assert house is not None, "whoever comes here has a house"
    span = read_span(typed, house.gaming_day(timezone.now()), month_first=house.writes_month_first)
    return span.first, span.last
