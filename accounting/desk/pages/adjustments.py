"""The inbox of what one person asked for and another decides: each request with before, after and its age."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any, Final

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from accounting.cage.pages.wins import plain
from accounting.desk import queries
from accounting.desk.pages.adjustments_values import age, changes, decisions, differences, figures_of, what
from jackpot.adjusting.actions.asking import preview
from jackpot.adjusting.actions.difference import kept_difference, undecided
from jackpot.adjusting.models import Adjustment
from jackpot.adjusting.rules.adjusting import NAMES, Adjusting
from jackpot.books.models.jackpot import JackpotState
from jackpot.books.queries import jackpots
from jackpot.people.models import Operator
from jackpot.property.queries import house_of
from jackpot.refusals import Refused
from jackpot.requests.rules.life import OPEN, RequestState
from jackpot.requests.rules.wire import ADJUSTMENT_STATES, wire_state
from jackpot.signing.actions import sign, turn_down
from jackpot.signing.pages import approver_here
from jackpot.trail.actions.trail import note_list
from jackpot.web.pages.access import needs
from jackpot.web.pages.posting import posts, word
from jackpot.web.rules.sheet import SheetWriter

READERS: Final = ("read_books", "adjust", "sign_adjustments")
DECIDERS: Final = ("adjust", "sign_adjustments")
PAGE: Final = 50
LARGEST_EXPORT: Final = 100_000
STATE_WORDS: Final = {
    RequestState.PREVIEWED: ("waits for a second person", "late", "◔"),
    RequestState.IN_FORCE: ("approved", "ok", "✓"),
    RequestState.REFUSED: ("refused", "down", "✕"),
    RequestState.WITHDRAWN: ("taken back", "", "■"),
}
HEAD: Final = [
    "number", "kind", "state", "jackpot", "other", "win", "account", "amount", "reading", "reason", "why", "evidence",
    "file_name", "file_sha256", "requested_by", "requested_at", "decided_by", "decided_at", "answer", "gaming_day",
    "entries", "cause", "pays",
]  # fmt: skip


@needs(*READERS)
def inbox(request: HttpRequest) -> HttpResponse:
    """What waits stands first, the oldest on top; below it what was decided, newest first."""
    rows = _asked(request)
    waiting = [(row, what(row), age(row)) for row in rows.filter(state__in=OPEN).order_by("id")[:PAGE]]
    before = request.GET.get("before", "")
    decided = rows.exclude(state__in=OPEN).order_by("-id")
    # A number from an address, of a length that the database takes for one; anything else begins at the top.
    if before.isascii() and before.isdigit() and len(before) < 19:
        decided = decided.filter(id__lt=int(before))
    # One more than is shown: whether there is an older page is known without counting all.
    found = list(decided[: PAGE + 1])
    facts = {
        "waiting": waiting, "decided": [(row, what(row), *state_words(row)) for row in found[:PAGE]],
        "older": found[PAGE - 1].pk if len(found) > PAGE else None, "kinds": list(NAMES.items()),
        "kind": request.GET.get("kind", ""), "clocks": _clocks(request), "left_open": _left_open(request),
        "house_here": house_of(request.user),
        "may_ask": "adjust" in request.user.verbs(),  # type: ignore[union-attr]
    }  # fmt: skip
    return render(request, "accounting/desk/adjustments.html", facts)


@needs(*READERS)
def inbox_csv(request: HttpRequest) -> HttpResponse:
    """Everything that was asked for, oldest first."""
    text = io.StringIO()
    paper = SheetWriter(text)
    paper.row(HEAD)
    rows = _asked(request).order_by("id")[: LARGEST_EXPORT + 1]
    written = paper.rows_at_most((_line(row) for row in rows.iterator(chunk_size=1_000)), LARGEST_EXPORT)
    note_list(by=request.user, what="adjustments", rows=written, words=request.GET.urlencode())
    named = {"Content-Disposition": 'attachment; filename="adjustments.csv"'}
    return HttpResponse(text.getvalue(), content_type="text/csv; charset=utf-8", headers=named)


@needs(*READERS)
def adjustment(request: HttpRequest, number: str) -> HttpResponse:
    """One request: what it would do now, or what it did; and the forms of who decides."""
    row = found(request, number)
    # What was posted goes before what was foreseen: between the two the meter moved on.
    told, problem = row.posted or row.preview, ""
    # While it waits, what it would do now: a second person must not sign on figures of yesterday.
    if row.is_open:
        told, problem = _now(row)
    person, verbs = request.user, request.user.verbs()  # type: ignore[union-attr]
    facts: Mapping[str, Any] = {
        "row": row, "name": NAMES[Adjusting(row.kind)], "what": what(row), "state": state_words(row),
        "problem": problem, "age": age(row),
        "changes": changes(told), "differences": differences(told),
        "decisions": decisions(row) if row.posted else [], "winner": _winner(row),
        "by_rule": row.kind == Adjusting.UNDERPAYMENT, "pages": row.pages.all(),
        "may_ask": "adjust" in verbs,
        "entries": list(row.entries.all()), "who": row.decided_by or row.withdrawn_by,
        "at": row.decided_at or row.withdrawn_at, "answer": row.decided_reason or row.withdrawn_reason,
        "waits": row.is_open, "mine": row.asked_by_id == person.pk,
        "may_decide": bool(verbs.intersection(DECIDERS)), "may_sign": "sign_adjustments" in verbs,
        "may_read_books": "read_books" in verbs,
    }  # fmt: skip
    return render(request, "accounting/desk/adjustment.html", facts)


@posts(*DECIDERS, back_to="adjustment")
def approve(request: HttpRequest, number: str) -> str:
    """The second person's word: an executive's card, or the own password of who is signed in and may sign."""
    row = found(request, number)
    signs = approver_here(request, row)
    done = sign(request_id=row.pk, approver=signs, seen=request.POST.get("seen") == "on")
    return f"{done} is approved by {signs.operator}: {', '.join(done.names_of_entries)}."


@posts(*DECIDERS, back_to="adjustment")
def refuse_it(request: HttpRequest, number: str) -> str:
    row, person = found(request, number), request.user
    assert isinstance(person, Operator)
    return f"{turn_down(request_id=row.pk, by=person, reason=word(request, 'why'))} is refused. Nothing was moved."


def found(request: HttpRequest, number: str) -> Adjustment:
    row: Adjustment | None = queries.adjustments(request.user).filter(id=int(number)).first()
    if row is None:
        raise Http404
    return row


def cause_of(row: Adjustment) -> Adjustment | None:
    """The back-out that a difference comes of, with what it kept of its winners."""
    return None if row.cause_id is None else Adjustment.objects.filter(pk=row.cause_id).first()


def state_words(row: Adjustment) -> tuple[str, str, str]:
    """Word, look and sign: a state is never told by colour alone."""
    return STATE_WORDS[RequestState(row.state)]


def _winner(row: Adjustment) -> dict[str, Any] | None:
    """The two awards of a winner: as the back-out kept them, or as the underpayment was reckoned."""
    if row.kind == Adjusting.UNDERPAYMENT:
        return figures_of((row.posted or row.preview)["underpaid"])
    if row.kind != Adjusting.DIFFERENCE:
        return None
    return figures_of(kept_difference(cause_of(row), row.win))


def _left_open(request: HttpRequest) -> list[tuple[Adjustment, int]]:
    """Back-outs with later winners of whom nobody has asked for a decision yet."""
    rows = queries.adjustments(request.user).filter(kind=Adjusting.BACK_OUT, state=RequestState.IN_FORCE)
    # By the first element of the list: only back-outs that left later winners with a difference are looked at.
    counted = ((row, len(undecided(row))) for row in rows.filter(posted__differences__0__isnull=False)[:PAGE])
    return [(row, count) for row, count in counted if count]


def _now(row: Adjustment) -> tuple[Mapping[str, Any], str]:
    """What it would do as of now; where it would be refused, what it would have done when it was asked, and why not."""
    try:
        return preview(row=row).plain(), ""
    except Refused as refused:
        return row.preview, refused.why


def _asked(request: HttpRequest) -> QuerySet[Adjustment]:
    rows = queries.adjustments(request.user)
    kind = request.GET.get("kind", "")
    return rows.filter(kind=kind) if kind in set(Adjusting) else rows


def _clocks(request: HttpRequest) -> list[tuple[Any, int]]:
    """Retired jackpots that still hold money, and the days left to give it another home."""
    rows = jackpots(request.user).filter(state=JackpotState.RETIRED, transfer_by__isnull=False)
    # The 30 days run for the players' money; a retired jackpot that holds none has nothing to hand on.
    held = [row for row in rows if row.balances.meter or row.balances.reserve or row.balances.overflow]
    now = timezone.now()
    return [(row, (row.transfer_by - row.premises.gaming_day(now)).days) for row in held if row.transfer_by]


def _line(row: Adjustment) -> list[Any]:
    at = row.decided_at or row.withdrawn_at
    return [
        row.pk, row.kind, wire_state(ADJUSTMENT_STATES, row.state), row.its_jackpot.code,
        row.other.code if row.other else "",
        row.win.slip if row.win else "", row.account, _text(row.amount_money), _text(row.reading_money), row.ground,
        plain(row.reason), plain(row.evidence), plain(row.file_name), row.file_sha256, plain(row.asked_by_name),
        row.asked_at.isoformat(), plain(row.decided_by_name or row.withdrawn_by_name),
        at.isoformat() if at else "", plain(row.decided_reason or row.withdrawn_reason), row.gaming_day or "",
        row.entry_text,
        row.cause_id or "", row.pays,
    ]  # fmt: skip


def _text(amount: Any) -> str:
    return "" if amount is None else str(amount)
