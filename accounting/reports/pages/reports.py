"""The reports: the list of all, and one with its filters, its rows and its sums."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from accounting.reports.models import ReportMailbox, SavedReport
from accounting.reports.pages import shown
from accounting.reports.pages.asked import asked_house, report_asked
from accounting.reports.queries import asking
from accounting.reports.queries.catalogue import EVERY_VERB, REPORTS, reports_for
from accounting.reports.queries.frame import PAGE, ReportPage, report_page
from accounting.reports.rules.asking import NotAQuestion, read_question, words_asked
from accounting.reports.rules.declaring import OfficeReport, ReportQuestion
from jackpot.property.models.property import Property
from jackpot.property.rules.typed_days import NotADay
from jackpot.web.pages.access import needs

LATEST_RUNS: Final = 12
LAST_PAGE: Final = 1_000_000


@needs(*EVERY_VERB)
def reports(request: HttpRequest) -> HttpResponse:
    """Every report this person may read, what was saved, and what the worker wrote lately."""
    told = {
        "groups": reports_for(request.user),
        "saved": [_saved(row) for row in asking.saved_reports(request.user) if row.report in REPORTS],
        "runs": [(run, REPORTS[run.report].title) for run in _latest(request)],
    }
    return render(request, "accounting/reports/reports.html", told)


@needs(*EVERY_VERB)
def report(request: HttpRequest, code: str) -> HttpResponse:
    """One report, read by its filters; a filter that cannot be meant keeps its words and gets a sentence."""
    declared, words = report_asked(request, code), words_asked(request.GET)
    house = asked_house(request, words)
    told, status = _frame(request, declared, words, house), 200
    try:
        question = read_question(declared, words, asking.clock_of(house))
    except (NotADay, NotAQuestion) as problem:
        # What was typed stays in its field: whoever mistyped a day does not choose everything anew.
        told, status = told | {"problem": str(problem)}, 400
    else:
        number = page_number(request.GET.get("page", ""))
        page = report_page(declared, question, sort=words.get("sort", ""), number=number)
        told |= _answer(declared, question, words, house, page)
    part = getattr(request, "htmx", False)
    template = "accounting/reports/report_part.html" if part else "accounting/reports/report.html"
    return render(request, template, told, status=status)


def page_number(typed: str) -> int:
    return min(int(typed), LAST_PAGE) if typed.isascii() and typed.isdigit() and len(typed) < 8 and int(typed) else 1


def _frame(request: HttpRequest, declared: OfficeReport, words: Mapping[str, str], house: Property) -> dict[str, Any]:
    """What stands around the rows."""
    houses = asking.houses_of(request.user)
    choices = asking.choices_of(declared, house)
    return {
        "report": declared, "words": words, "premises": house, "houses": houses if len(houses) > 1 else [],
        "filters": shown.filters_of(declared, words, choices),
        "saved": [row for row in asking.saved_reports(request.user) if row.report == declared.code],
        "mailboxes": ReportMailbox.objects.filter(premises=house, ended_at=None),
    }  # fmt: skip


def _answer(
    declared: OfficeReport, question: ReportQuestion, words: Mapping[str, str], house: Property, page: ReportPage
) -> dict[str, Any]:
    # Bars of one page of several would look like the whole, and their heights would mislead.
    whole_chart = page.count <= PAGE
    return {
        "question": question, "page": page, "heads": shown.heads_of(declared, words),
        "lines": [shown.cells_of(declared, row, house) for row in page.rows],
        "totals": shown.totals_of_page(declared, page, house) if declared.totals and page.count else [],
        "chart": shown.chart_of(declared, page.rows, house) if whole_chart else None,
        "turns": shown.turns_of(page, words), "note": page.note or declared.note,
    }  # fmt: skip


def _saved(row: SavedReport) -> tuple[SavedReport, str, str]:
    return row, REPORTS[row.report].title, shown.query_of(row.words)


def _latest(request: HttpRequest) -> list[Any]:
    return [run for run in asking.report_runs(request.user)[:LATEST_RUNS] if run.report in REPORTS]
