"""Why the meter fell, for one slip: what was paid, out of what, who approved it, how the hand was verified."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from accounting.register import queries as register_queries
from accounting.reports.queries import asking
from accounting.reports.queries.frame import report_page
from accounting.reports.queries.slips import FALLS
from accounting.reports.rules.asking import read_question
from accounting.reports.rules.declaring import READS_BOOKS
from jackpot.web.pages.access import needs


@needs(*READS_BOOKS)
def why(request: HttpRequest, number: str) -> HttpResponse:
    """Every entry of this slip that took from a meter, or raised it by its reset; printed by the frame of reports."""
    win = register_queries.win_of_slip(request.user, int(number))
    if win is None or win.slip is None:
        raise Http404("There is no such slip here.")
    house = win.jackpot.premises
    # All days: a back-out of this slip may lie months behind its award.
    words = {"slip": str(win.slip), "period": "all"}
    page = report_page(FALLS, read_question(FALLS, words, asking.clock_of(house)), sort="occurred_at")
    told = {"win": win, "fell": page.rows, "premises": house, "words": words, "report": FALLS}
    return render(request, "accounting/audit/why.html", told)
