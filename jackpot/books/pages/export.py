"""The books as CSV, streamed: a few rows in memory at a time, however many there are."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any, Final

from asgiref.sync import sync_to_async
from django.core.exceptions import BadRequest
from django.core.handlers.asgi import ASGIRequest
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import get_object_or_404

from jackpot.books import queries
from jackpot.books.models.entry import Entry
from jackpot.books.pages.asking import search_of
from jackpot.books.rules.movement import ACCOUNTS
from jackpot.books.rules.reasons import reason
from jackpot.money import text_of_units
from jackpot.trail.actions.trail import note_list
from jackpot.trail.rules import objects
from jackpot.web.pages.access import needs
from jackpot.web.rules.sheet import SheetWriter

CHUNK: Final = 1_000
HEAD: Final = [
    "seq", "kind", "why", "occurred_at", "gaming_day", "table", "round", "corrects", "version",
    *ACCOUNTS, *(f"{account}_after" for account in ACCOUNTS), "request", "seal",
]  # fmt: skip


@needs("read_books")
def entries(request: HttpRequest, code: str) -> HttpResponseBase:
    """The entries that the ledger would show for the same question, oldest first."""
    jackpot = get_object_or_404(queries.jackpots(request.user), code=code)
    search = search_of(request.GET)
    if search.problem:
        raise BadRequest(search.problem)
    # What is posted while we write does not belong to this file: it ends at the entry that is the last now.
    rows = queries.chosen(jackpot, search.asked).filter(seq__lte=jackpot.last_seq)
    about = objects.jackpot(jackpot.code)
    note_list(by=request.user, what="entries", rows=rows.count(), words=request.GET.urlencode(), about=about)
    text = _live(rows) if isinstance(request, ASGIRequest) else _text(rows)
    named = f'attachment; filename="{jackpot.code}-entries-1-{jackpot.last_seq}.csv"'
    return StreamingHttpResponse(text, content_type="text/csv; charset=utf-8", headers={"Content-Disposition": named})


def _text(rows: QuerySet[Entry]) -> Iterator[str]:
    yield _written([HEAD])
    after = 0
    # From behind the last number and not by an offset: the end of long books costs no more than their beginning.
    while chunk := _chunk(rows, after):
        yield _written(map(_row, chunk))
        after = chunk[-1].seq


async def _live(rows: QuerySet[Entry]) -> AsyncIterator[str]:
    """The same under ASGI, which would gather a plain iterator in memory before the first byte leaves."""
    parts = _text(rows)
    while part := await sync_to_async(_next)(parts):
        yield part


def _next(parts: Iterator[str]) -> str:
    return next(parts, "")


def _chunk(rows: QuerySet[Entry], after: int) -> list[Entry]:
    return list(rows.filter(seq__gt=after).order_by("seq")[:CHUNK])


def _row(entry: Entry) -> list[Any]:
    return [
        entry.seq, entry.kind, reason(entry.kind, entry.table_code, entry.round_number, entry.corrects),
        entry.occurred_at.isoformat(), entry.gaming_day.isoformat(), entry.table_code, entry.round_number,
        entry.corrects, entry.version.number, *map(text_of_units, entry.movement.columns()),
        *map(text_of_units, entry.after.columns()), bytes(entry.request).hex(), bytes(entry.seal).hex(),
    ]  # fmt: skip


class _Paper:
    """What the csv module writes on."""

    def __init__(self) -> None:
        self.parts: list[str] = []

    def write(self, part: str) -> None:
        self.parts.append(part)


def _written(rows: Any) -> str:
    paper = _Paper()
    SheetWriter(paper).rows(rows)
    return "".join(paper.parts)
