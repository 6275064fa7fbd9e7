"""Paper to look at and take along: a table's rule card, and the receipt of money that came back over the window."""

from __future__ import annotations

from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone

from accounting.paper.printing.returned import returned_paper
from accounting.paper.printing.rule_card import rule_card as printed
from accounting.paper.rules.copies import Form, sheet_asked
from accounting.register.queries import win_of_slip
from jackpot.property.models.property import Property
from jackpot.web.pages.access import needs
from tables.floor.models.table import Table
from tables.rounds.queries.round_lists import tables_of

RECEIVERS: Final = ("read_books", "pay", "approve", "close_day")


@needs("see")
def rule_card(request: HttpRequest, code: str) -> HttpResponse:
    """On Letter or A4: `?form=` says which, else the property's locale does."""
    table: Table = get_object_or_404(tables_of(request.user), code=code)
    return _document(printed(table, _form(request, table.premises), timezone.now()), f"rule-card-{table.code}.pdf")


@needs(*RECEIVERS)
def receipt_paper(request: HttpRequest, number: str, receipt: str) -> HttpResponse:
    """What came back of a payment in error, on paper for the player and the file."""
    win = win_of_slip(request.user, int(number))
    if win is None:
        raise Http404("There is no such slip here.")
    pdf = returned_paper(win, int(receipt), _form(request, win.jackpot.premises), by=request.user)
    if pdf is None:
        raise Http404(f"There is no receipt {receipt} for slip {number}.")
    return _document(pdf, f"slip-{number}-receipt-{receipt}.pdf")


def _form(request: HttpRequest, house: Property) -> Form:
    return sheet_asked(request.GET.get("form", ""), house.locale)


def _document(pdf: bytes, name: str) -> HttpResponse:
    answer = HttpResponse(pdf, content_type="application/pdf")
    answer.headers["Content-Disposition"] = f'inline; filename="{name}"'
    return answer
