"""Whom the house has to tell of what, by when, and who has done it."""

from __future__ import annotations

import io
from typing import Any, Final

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone

from accounting.cage.pages.wins import plain
from jackpot.notices import queries
from jackpot.notices.actions.finishing import finish_notice
from jackpot.notices.models import Notice
from jackpot.notices.templatetags.notices import NOTICE_LOOKS
from jackpot.people.models import Operator, Role
from jackpot.property.queries import house_of
from jackpot.property.rules.notice import NoticeAbout, NoticeState
from jackpot.trail.actions.trail import note_list
from jackpot.web.pages.access import needs
from jackpot.web.pages.posting import posts, word
from jackpot.web.rules.sheet import SheetWriter

READERS: Final = ("read_books", "close_day", "adjust", "sign_adjustments", "configure", "people", "pay")
FINISHERS: Final = ("close_day", "adjust", "sign_adjustments", "configure", "people", "pay")
PAGE: Final = 50
LARGEST_EXPORT: Final = 100_000
FILTERS: Final = {"": "Waiting", "overdue": "Overdue", "done": "Done", "fallen": "No longer due", "all": "All"}
HEAD: Final = [
    "number", "about", "state", "what", "subject", "to", "owner", "request", "slip", "raised_at", "due_at", "done_by",
    "done_at", "note",
]  # fmt: skip


@needs(*READERS)
def notices(request: HttpRequest) -> HttpResponse:
    """What waits stands first by its due time; what was done, newest first."""
    person: Any = request.user
    asked, about = _asked(request)
    # What waits is sorted by when it is due, so it has no pages by number: it is meant to be worked off.
    newest_first = asked in ("done", "fallen", "all")
    rows = _rows(request).order_by("-id" if newest_first else "due_at", "-id" if newest_first else "id")
    before = request.GET.get("before", "")
    if newest_first and before.isascii() and before.isdigit() and len(before) < 19:
        rows = rows.filter(id__lt=int(before))
    # One more than is shown says whether there are older ones.
    found, now = list(rows[: PAGE + 1]), timezone.now()
    names = dict(Role.objects.values_list("code", "name"))
    mine = set(person.roles.values_list("code", flat=True))
    # A notice about a slip has no owner by role: whoever stands at the window may finish it.
    window = not person.verbs().isdisjoint(queries.AT_THE_WINDOW)
    facts = {
        "rows": [_shown(row, now, names, mine, window) for row in found[:PAGE]], "house_here": house_of(person),
        "older": found[PAGE - 1].pk if newest_first and len(found) > PAGE else None, "asked": asked, "about": about,
        "filters": FILTERS.items(), "abouts": [(each.value, _title(each)) for each in NoticeAbout],
        "overdue": queries.in_state(queries.notices(person), NoticeState.OVERDUE, now).count(),
    }  # fmt: skip
    return render(request, "accounting/desk/notices.html", facts)


@needs(*READERS)
def notices_csv(request: HttpRequest) -> HttpResponse:
    """What the page shows under the same filter, oldest first."""
    text, now = io.StringIO(), timezone.now()
    paper = SheetWriter(text)
    paper.row(HEAD)
    rows = _rows(request).order_by("id")[: LARGEST_EXPORT + 1]
    written = paper.rows_at_most((_line(row, now) for row in rows), LARGEST_EXPORT)
    note_list(by=request.user, what="notices", rows=written, words=request.GET.urlencode())
    named = {"Content-Disposition": 'attachment; filename="notices.csv"'}
    return HttpResponse(text.getvalue(), content_type="text/csv; charset=utf-8", headers=named)


@needs(*READERS)
def notice(_: HttpRequest, number: str) -> HttpResponseBase:
    """The list where this one stands first."""
    return redirect(f"{reverse('notices')}?state=all&before={int(number) + 1}#notice-{number}")


@posts(*FINISHERS, back_to="notice")
def notice_done(request: HttpRequest, number: str) -> str:
    person = request.user
    assert isinstance(person, Operator)
    row = finish_notice(notice_id=int(number), by=person, note=word(request, "note", 201))
    return f"Noted: {row.to} was told of {row.subject}."


def _asked(request: HttpRequest) -> tuple[str, str]:
    state, about = request.GET.get("state", ""), request.GET.get("about", "")
    return state if state in FILTERS else "", about if about in set(NoticeAbout) else ""


def _rows(request: HttpRequest) -> QuerySet[Notice]:
    (asked, about), now = _asked(request), timezone.now()
    rows = queries.notices(request.user)
    if about:
        rows = rows.filter(about=about)
    if asked == "all":
        return rows
    if asked:
        return queries.in_state(rows, NoticeState(asked), now)
    return queries.in_state(rows, NoticeState.OPEN, now) | queries.in_state(rows, NoticeState.OVERDUE, now)


def _shown(row: Notice, now: Any, names: dict[str, str], mine: set[str], window: bool) -> dict[str, Any]:
    state = row.state(now)
    address = reverse("request", kwargs={"number": str(row.request_id)}) if row.request_id else ""
    if row.suspension is not None:
        address = reverse("jackpot", kwargs={"code": row.suspension.jackpot.code})
    if row.win is not None and row.win.slip is not None:
        address = reverse("office-win", kwargs={"number": str(row.win.slip)})
    return {
        "row": row, "look": NOTICE_LOOKS[state], "owner": names.get(row.owner, row.owner) or "Cage or accountant",
        "address": address, "waits": state in (NoticeState.OPEN, NoticeState.OVERDUE),
        "may": row.owner in mine if row.owner else window,
    }  # fmt: skip


def _title(about: NoticeAbout) -> str:
    return "Unclaimed slips" if about == NoticeAbout.SLIP else about.value.replace("_", "-").capitalize()


def _line(row: Notice, now: Any) -> list[Any]:
    return [
        row.pk, row.about, row.state(now).value, plain(row.words), plain(row.subject), plain(row.to), row.owner,
        row.request_id or "", row.win.slip if row.win else "", row.raised_at.isoformat(), row.due_at.isoformat(),
        plain(row.done_by_name), row.done_at.isoformat() if row.done_at else "", plain(row.note),
    ]  # fmt: skip
