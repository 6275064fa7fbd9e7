"""Taking reports home: a file at once, a run of the worker's, a saved report."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import BadRequest, PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from accounting.reports.actions import exports, saving
from accounting.reports.models import ReportRun, SavedReport
from accounting.reports.pages.asked import asked_house, report_asked
from accounting.reports.printing.files import MEDIA, ReportForm, TooLongForIt
from accounting.reports.printing.taken import form_asked, take_report
from accounting.reports.queries import asking
from accounting.reports.queries.catalogue import EVERY_VERB, REPORTS
from accounting.reports.queries.frame import ReportReading
from accounting.reports.rules.asking import NotAQuestion, read_question, words_asked
from jackpot.property.queries import of_house
from jackpot.property.rules.typed_days import NotADay
from jackpot.refusals import NotFound
from jackpot.trail.actions.trail import note_list
from jackpot.web.pages.access import needs
from jackpot.web.pages.posting import posts, word

PART: Final = 65_536
SAVERS: Final = ("read_books", "close_day")


@require_POST
def export(request: HttpRequest, code: str) -> HttpResponseBase:
    """The file at once where it is short; else the worker writes it, and a page shows how far it is."""
    if not request.user.is_authenticated:
        return redirect_to_login(reverse("report", kwargs={"code": code}))
    if not request.user.verbs().intersection(EVERY_VERB):
        raise PermissionDenied("Your roles do not include this page. An administrator can change that.")
    declared, words = report_asked(request, code), words_asked(request.POST)
    house, now = asked_house(request, words), timezone.now()
    try:
        form = form_asked(request.POST.get("form", ""))
        question = read_question(declared, words, asking.clock_of(house, now))
        reading = ReportReading(declared, question)
        if reading.count > exports.LONGEST_AT_ONCE:
            run = exports.ask_for_run(
                report=declared, words=words, form=form.value, house=house, by=request.user, now=now
            )
            return redirect("report-run", number=run.pk)
        taken = take_report(reading, house, form, by=request.user, sort=words.get("sort", ""))
    except (NotADay, NotAQuestion, TooLongForIt) as problem:
        raise BadRequest(str(problem)) from None
    return HttpResponse(taken.content, content_type=taken.media_type, headers=taken.headers)


export.verbs = {"POST": EVERY_VERB}  # type: ignore[attr-defined]


@posts(*SAVERS, back_to="report")
def save(request: HttpRequest, code: str) -> str:
    """Keeps the filters under a name; with a rota the report comes by itself."""
    declared, words = report_asked(request, code), words_asked(request.POST)
    house = asked_house(request, words)
    wish = saving.ReportWish(
        word(request, "name", 60), words, word(request, "rota") or "never", word(request, "form") or "csv",
        word(request, "folder", 60), word(request, "mailbox", 19),
    )  # fmt: skip
    today = house.gaming_day(timezone.now())
    saved = saving.save_report(report=declared, wish=wish, house=house, by=_person(request), today=today)
    when = f" It is written {saved.rota}, next on {saved.due_day:%d %b %Y}." if saved.due_day else ""
    to = f" It is mailed to {saved.mailbox}." if saved.mailbox else ""
    return f"Saved as “{saved.name}”.{when}{to}"


@posts(*SAVERS, back_to="reports")
def put_away(request: HttpRequest) -> str:
    """The saved report is offered no more; the files that it wrote stay."""
    number = word(request, "number", 19)
    rows = of_house(SavedReport.objects.filter(ended_at=None), request.user)
    saved = rows.filter(pk=int(number)).first() if number.isascii() and number.isdigit() else None
    if saved is None:
        raise NotFound("There is no such saved report any more. Look at the list again.")
    saving.put_away(saved=saved, by=_person(request))
    return f"“{saved.name}” is put away. What it wrote stays in its folder."


@needs(*EVERY_VERB)
def run(request: HttpRequest, number: str) -> HttpResponse:
    """How far the worker is; the page asks again by itself until the file is there."""
    found = _run(request, number)
    part = getattr(request, "htmx", False)
    template = "accounting/reports/run_part.html" if part else "accounting/reports/run.html"
    return render(
        request, template, {"run": found, "title": REPORTS[found.report].title, "words": asking.told_of(found)}
    )


@needs(*EVERY_VERB)
def run_file(request: HttpRequest, number: str) -> HttpResponseBase:
    """The file as the worker wrote it."""
    found = _run(request, number)
    path = exports.reports_folder() / found.file
    if found.state != ReportRun.State.DONE or not path.is_file():
        raise Http404("This report has no file. Ask for it again.")
    # The worker's line names who asked; others of the house may take the file too.
    note_list(by=request.user, what=found.report, rows=found.rows_done, words=f"run {found.pk}")
    headers = {"Content-Disposition": f'attachment; filename="{path.name}"', "Content-Length": str(path.stat().st_size)}
    return StreamingHttpResponse(_parts(path), content_type=MEDIA[ReportForm(found.form)], headers=headers)


def _parts(path: Path) -> Iterator[bytes]:
    """Opened when the first part is wanted, closed behind the last."""
    with path.open("rb") as content:
        while part := content.read(PART):
            yield part


def _run(request: HttpRequest, number: str) -> ReportRun:
    found: ReportRun = get_object_or_404(asking.report_runs(request.user), pk=int(number))
    # Also a run is read with the verbs of its report: a number in an address is guessed easily.
    report_asked(request, found.report)
    return found


def _person(request: HttpRequest) -> Any:
    return request.user
