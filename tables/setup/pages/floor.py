"""The floor at a glance, its rounds, and one round with all it wrote into the books."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from typing import Any, Final

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone

from jackpot.books.rules.reasons import reason
from jackpot.money import ZERO
from jackpot.reading import read_day
from jackpot.web.pages.access import needs
from jackpot.web.pages.listing import coded_list
from tables.rounds.models.round import Round, RoundState
from tables.rounds.queries import round_lists
from tables.rounds.queries.played import fetch_further
from tables.setup.pages.tiles import tile

PAGE: Final = 50
TILES: Final = 60
MOST_CHOICES: Final = 200  # of a select; of more tables the code is typed
_CODE: Final = re.compile(r"[A-Z0-9][A-Z0-9-]{0,19}")
# At most 18 digits: always within the column, whatever is typed into the address.
_NUMBER: Final = re.compile(r"[1-9][0-9]{0,17}")


@needs("see")
def tables(request: HttpRequest) -> HttpResponse:
    """Every table as a tile; the tiles are read anew every two seconds."""
    jackpot = _read(_CODE, request, "jackpot")
    rows = round_lists.tables_of(request.user)
    listed = coded_list(rows.filter(links__jackpot__code=jackpot) if jackpot else rows, request.GET, TILES,
                        jackpot=jackpot)  # fmt: skip
    last, now = round_lists.last_rounds(listed.rows), timezone.now()
    tiles = [tile(row, last.get(row.pk), now) for row in listed.rows]
    template = "tables/setup/part_tiles.html" if getattr(request, "htmx", False) else "tables/setup/tables.html"
    return render(request, template, {"tiles": tiles, "jackpot": jackpot, "list": listed})


@needs("see")
def rounds(request: HttpRequest) -> HttpResponse:
    """Rounds of one table, newest first; without a table the newest of each."""
    code, day = _read(_CODE, request, "table"), _day(request)
    state, before = request.GET.get("state", ""), _read(_NUMBER, request, "before")
    if state and state not in RoundState.values:
        raise BadRequest("There is no such state of a round.")
    asked = {"table": code, "day": day, "state": state}
    edge = None
    if code:
        listed, (found, edge) = None, _at_table(request, asked, int(before) if before else None)
    else:
        listed = coded_list(round_lists.tables_of(request.user), request.GET, PAGE, state=state, day=str(day or ""))
        wanted = {column: value for column, value in (("gaming_day", day), ("state", state)) if value}
        found = _newest(listed.rows, round_lists.rounds_of(request.user).filter(**wanted))
    # One row more than the page was asked for: it says whether there is an older one, and where to go on.
    older = found[PAGE - 1].number if len(found) > PAGE else edge
    fetch_further(found)
    rows_shown = [(row, row.coin_in) for row in found[:PAGE]]
    shown = {
        "rounds": rows_shown, "older": older, "code": code, "day": day, "state": state, "states": RoundState,
        "together": sum((total for row, total in rows_shown if row.state != RoundState.VOID), ZERO), "before": before,
        "oldest": PAGE + 1,
    }  # fmt: skip
    # One more than is offered tells whether there are too many, without counting all.
    codes = list(round_lists.codes_of(request.user)[: MOST_CHOICES + 1])
    choices = codes if len(codes) <= MOST_CHOICES else []
    looked = edge if len(found) <= PAGE else None
    return render(request, "tables/setup/rounds.html", {**shown, "codes": choices, "list": listed, "looked": looked})


@needs("see")
def one_round(request: HttpRequest, code: str, number: str) -> HttpResponse:
    """What was counted, and every entry it caused."""
    rows = round_lists.rounds_of(request.user).filter(table__code=code)
    row = get_object_or_404(rows, number=int(number))
    entries = [
        (entry, reason(entry.kind, entry.table_code, entry.round_number, entry.corrects))
        for entry in round_lists.round_entries(row)
    ]
    seats = [(seat, str(seat) in row.seats_played.everybody) for seat in range(1, row.table.seats + 1)]
    total = row.coin_in
    return render(
        request, "tables/setup/round.html", {"round": row, "entries": entries, "seats": seats, "total": total}
    )


def _at_table(request: HttpRequest, asked: dict[str, Any], before: int | None) -> tuple[list[Round], int | None]:
    """The rounds of one table; of a day or a state as far as one page looks, and how far that was."""
    rows, edge = round_lists.rounds_of(request.user).filter(table__code=asked["table"]).order_by("-number"), None
    if asked["day"] or asked["state"]:
        beyond = None if before is None else (asked["table"], before)
        keys, edge = round_lists.look(request.user, asked, beyond, PAGE + 1)
        rows = rows.filter(pk__in=keys) if keys else rows.none()
    elif before is not None:
        rows = rows.filter(number__lt=before)
    return list(rows[: PAGE + 1]), None if edge is None else edge[1]


def _newest(tables: Iterable[Any], rows: Any) -> list[Round]:
    """The last round of each of these tables, if it is among the rows wanted."""
    last = round_lists.last_rounds(tables)
    return list(rows.filter(pk__in=[round_.pk for round_ in last.values()]).order_by("table__code")) if last else []


def _read(form: re.Pattern[str], request: HttpRequest, word: str) -> str:
    text = request.GET.get(word, "")
    if text and not form.fullmatch(text):
        raise BadRequest(f"“{word}” cannot be that.")
    return text


def _day(request: HttpRequest) -> date | None:
    text = request.GET.get("day", "")
    try:
        return read_day(text) if text else None
    except ValueError:
        raise BadRequest("Write the gaming day like 2026-11-18.") from None
