"""The rule card of a table as a PDF, made from the versions in force at this moment."""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone

from accounting.paper.printing.rule_card import rule_card as printed
from accounting.paper.rules.copies import Form
from jackpot.web.pages.access import needs
from tables.floor.models.table import Table
from tables.rounds.queries.round_lists import tables_of

LETTER_LOCALES: Final = ("en_US", "en_CA", "es_MX", "fr_CA")


@needs("see")
def rule_card(request: HttpRequest, code: str) -> HttpResponse:
    """On Letter or A4: `?form=` says which, else the property's locale does."""
    table: Table = get_object_or_404(tables_of(request.user), code=code)
    usual = Form.LETTER if table.premises.locale in LETTER_LOCALES else Form.A4
    form = {"letter": Form.LETTER, "a4": Form.A4}.get(request.GET.get("form", ""), usual)
    answer = HttpResponse(printed(table, form, timezone.now()), content_type="application/pdf")
    answer.headers["Content-Disposition"] = f'inline; filename="rule-card-{table.code}.pdf"'
    return answer
