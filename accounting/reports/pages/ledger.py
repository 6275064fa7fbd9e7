"""The accounts of the general ledger, and the journals of the last days: which went out, and which not yet."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any, Final

from django.core.exceptions import BadRequest, PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_POST

from accounting.reports.actions import ledger as acts
from accounting.reports.models import JournalExport, LedgerAccount
from accounting.reports.pages.asked import asked_house
from accounting.reports.printing.files import ReportForm, report_bytes
from accounting.reports.printing.imprint import ReportImprint
from accounting.reports.queries.asking import clock_of
from accounting.reports.queries.frame import ReportReading
from accounting.reports.queries.journal import JOURNAL
from accounting.reports.rules.asking import read_question
from accounting.reports.rules.ledger import USUAL
from jackpot.property.models.property import Property
from jackpot.reading import read_day
from jackpot.refusals import Refused
from jackpot.web.pages.access import needs
from jackpot.web.pages.posting import posts, word

READS: Final = ("read_books", "close_day")
KEEPS: Final = ("close_day",)
DAYS: Final = 14


@needs(*READS)
def ledger(request: HttpRequest) -> HttpResponse:
    """Codes and names in a form; each day that has rolled with its journal."""
    house = asked_house(request, {})
    own = {row.account: row for row in LedgerAccount.objects.filter(premises=house)}
    lines = [(line.account, own.get(line.account, line)) for line in USUAL]
    today = house.gaming_day(timezone.now())
    # From yesterday on: the day that runs has no journal yet.
    days = [today - timedelta(days=back) for back in range(1, DAYS + 1)]
    out = {row.day: row for row in JournalExport.objects.filter(premises=house, day__in=days).defer("content")}
    told = {"lines": lines, "days": [(day, out.get(day)) for day in days], "premises": house}
    return render(request, "accounting/reports/ledger.html", told)


@posts(*KEEPS, back_to="general-ledger")
def name_accounts(request: HttpRequest) -> str:
    """Every account in one form."""
    named = {line.account: (word(request, f"code-{line.account}", 20), word(request, f"name-{line.account}", 60))
             for line in USUAL}  # fmt: skip
    changed = acts.name_accounts(house=asked_house(request, {}), named=named, by=_person(request))
    return f"{changed} account{'' if changed == 1 else 's'} changed." if changed else "Nothing was changed."


@require_POST
def export_day(request: HttpRequest) -> HttpResponse:
    """The journal of one day as CSV: the first press writes it, every later one gives the same bytes."""
    if not request.user.is_authenticated or not request.user.verbs().intersection(KEEPS):
        raise PermissionDenied("Your roles do not include this. An administrator can change that.")
    house = asked_house(request, {})
    try:
        day = read_day(request.POST.get("day", ""))
        # Handed over unrendered: where the day went out before, nothing is reckoned again.
        made = acts.export_journal(
            house=house, day=day, by=request.user, render=lambda: _journal(house, day, str(request.user))
        )
    except ValueError:
        raise BadRequest("Choose the gaming day on the page of the ledger.") from None
    except Refused as refused:
        raise BadRequest(refused.why) from None
    named = {"Content-Disposition": f'attachment; filename="{house.code.lower()}-journal-{day}.csv"'}
    return HttpResponse(bytes(made.content), content_type="text/csv; charset=utf-8", headers=named)


export_day.verbs = {"POST": KEEPS}  # type: ignore[attr-defined]


def _journal(house: Property, day: date, by: str) -> bytes:
    question = read_question(JOURNAL, {"period": day.isoformat()}, clock_of(house))
    imprint = ReportImprint(JOURNAL, question, house, by, question.now)
    return report_bytes(imprint, ReportReading(JOURNAL, question).rows(), ReportForm.CSV)


def _person(request: HttpRequest) -> Any:
    return request.user
