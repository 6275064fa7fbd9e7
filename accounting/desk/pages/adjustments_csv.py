"""Adjustments beside the list of all requests: as a CSV of everything, and what they still leave to somebody."""

from __future__ import annotations

import io
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from accounting.cage.pages.wins import plain
from accounting.desk import queries
from jackpot.adjusting.actions.difference import undecided
from jackpot.adjusting.models import Adjustment
from jackpot.adjusting.rules.adjusting import Adjusting
from jackpot.books.models.jackpot import JackpotState
from jackpot.books.queries import jackpots
from jackpot.requests.rules.life import RequestState
from jackpot.requests.rules.wire import ADJUSTMENT_STATES, wire_state
from jackpot.trail.actions.trail import note_list
from jackpot.web.pages.access import needs
from jackpot.web.rules.sheet import SheetWriter

READERS: Final = ("read_books", "adjust", "sign_adjustments")
MOST: Final = 50
LARGEST_EXPORT: Final = 100_000
HEAD: Final = [
    "number", "kind", "state", "jackpot", "other", "win", "account", "amount", "reading", "reason", "why", "evidence",
    "file_name", "file_sha256", "requested_by", "requested_at", "decided_by", "decided_at", "answer", "gaming_day",
    "entries", "cause", "pays",
]  # fmt: skip


@needs(*READERS)
def inbox_csv(request: HttpRequest) -> HttpResponse:
    """Everything that was asked for, oldest first."""
    text = io.StringIO()
    paper = SheetWriter(text)
    paper.row(HEAD)
    rows = queries.adjustments(request.user, request.GET.get("kind", "")).order_by("id")[: LARGEST_EXPORT + 1]
    written = paper.rows_at_most((_line(row) for row in rows.iterator(chunk_size=1_000)), LARGEST_EXPORT)
    note_list(by=request.user, what="adjustments", rows=written, words=request.GET.urlencode())
    named = {"Content-Disposition": 'attachment; filename="adjustments.csv"'}
    return HttpResponse(text.getvalue(), content_type="text/csv; charset=utf-8", headers=named)


def left_open(person: Any) -> list[tuple[Adjustment, int]]:
    """Back-outs with later winners of whom nobody has asked for a decision yet."""
    rows = queries.adjustments(person).filter(kind=Adjusting.BACK_OUT, state=RequestState.IN_FORCE)
    # By the first element of the list: only back-outs that left later winners with a difference are looked at.
    counted = ((row, len(undecided(row))) for row in rows.filter(posted__differences__0__isnull=False)[:MOST])
    return [(row, count) for row, count in counted if count]


def clocks(person: Any) -> list[tuple[Any, int]]:
    """Retired jackpots that still hold money, and the days left to give it another home."""
    rows = jackpots(person).filter(state=JackpotState.RETIRED, transfer_by__isnull=False)
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
