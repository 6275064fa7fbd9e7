"""The wins of the house: found by what an accountant has in hand, and as CSV."""

from __future__ import annotations

import io
from typing import Any, Final
from urllib.parse import parse_qsl

from django.core.exceptions import BadRequest
from django.db.models import Exists, OuterRef
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from accounting.paper import queries as paper_queries
from accounting.register import queries as register_queries
from accounting.register.rules.search import WITH_SLIP, Calendar, win_search
from jackpot.books.queries import jackpots
from jackpot.property.models.property import Property
from jackpot.property.queries import house_of
from jackpot.trail.actions.trail import note_list
from jackpot.web.pages.access import needs
from jackpot.web.pages.listing import list_page, sort_heads
from jackpot.web.rules.sheet import SheetWriter, inert
from jackpot.wins.models import Dispute, Payment, Win
from jackpot.wins.rules.win_life import SPOKEN, WinState

READERS: Final = ("read_books", "pay", "approve", "close_day")
PAGE: Final = 50
QUICK: Final = ("today", "yesterday", "this week", "last week", "this month", "last month")
WIN_HEADS: Final = (
    ("slip", "Slip", "right"), ("amount", "Amount", "right"), ("state", "State", ""), ("hand", "Hand", ""),
    ("jackpot", "Jackpot", ""), ("where", "Round", ""), ("", "Seat", ""), ("approved", "Approved", ""),
    ("", "Approved by", "lesser"), ("", "Gaming day", "lesser"), ("", "Paid", ""), ("", "Paid by", "lesser"),
)  # fmt: skip
LARGEST_EXPORT: Final = 100_000
STATE_WORDS: Final = {
    WinState.LOGGED: ("approved, not moved", "late", "◔"),
    WinState.OWED: ("owed", "gold", "○"),
    WinState.PAID: ("paid", "ok", "✓"),
    WinState.BACKED_OUT: ("void", "down", "✕"),
}
HEAD: Final = [
    "slip", "state", "amount", "gaming_day", "approved_at", "paid_at", "paid_by", "jackpot", "table",
    "round", "seat", "hand", "award_entry", "withheld", "net", "tax_rule", "method", "cheque", "window",
]  # fmt: skip


@needs(*READERS)
def wins(request: HttpRequest) -> HttpResponse:
    """Newest first; the search takes a slip, an amount, a table, a hand, days or the last four of a card."""
    house = house_of(request.user)
    search = win_search(request.GET, calendar_of(house))
    chosen = register_queries.chosen(register_queries.wins(request.user), search)
    # A question that was not understood finds nothing: all wins would look like its answer.
    sums = register_queries.sums_of(chosen.none() if search.problem else chosen)
    page = list_page(sums["count"], request.GET.get("page", ""), PAGE)
    # The signers of a page in one more question, however many wins stand on it.
    rows = register_queries.in_order(chosen.prefetch_related("signatures__operator"), search.sort)
    rows = rows.annotate(disputed=Exists(Dispute.objects.filter(win=OuterRef("pk"), settled_at=None)))
    found = [] if search.problem else rows[page.offset : page.offset + PAGE]
    shown = {
        "search": search, "wins": [(win, *state_words(win)) for win in found], "sums": sums, "page": page,
        "heads": sort_heads(WIN_HEADS, search.sort or "-slip", search.query), "premises": house,
        "turns": page.turns(search.query), "kept": parse_qsl(search.query),
        "states": [(state.value, STATE_WORDS[state][0]) for state in WITH_SLIP],
        "codes": list(jackpots(request.user).order_by("code").values_list("code", flat=True)), "quick": QUICK,
        "troubles": list(paper_queries.printers_in_trouble(request.user)),
    }  # fmt: skip
    part = getattr(request, "htmx", False)
    template = "accounting/cage/wins_part.html" if part else "accounting/cage/wins.html"
    return render(request, template, shown, status=400 if search.problem else 200)


@needs(*READERS)
def wins_csv(request: HttpRequest) -> HttpResponse:
    """What the list shows for the same question, oldest first."""
    search = win_search(request.GET, calendar_of(house_of(request.user)))
    if search.problem:
        raise BadRequest(search.problem)
    rows = register_queries.chosen(register_queries.wins(request.user), search).order_by("slip", "id")
    text = io.StringIO()
    paper = SheetWriter(text)
    paper.row(HEAD)
    rows = rows.select_related("payment__tax_rule")
    found = rows[: LARGEST_EXPORT + 1].iterator(chunk_size=1_000)
    # Counted in what was written: wins are approved while the file is made.
    written = paper.rows_at_most((_row(win) for win in found), LARGEST_EXPORT)
    note_list(by=request.user, what="wins", rows=written, words=request.GET.urlencode())
    named = {"Content-Disposition": 'attachment; filename="wins.csv"'}
    return HttpResponse(text.getvalue(), content_type="text/csv; charset=utf-8", headers=named)


def calendar_of(house: Property | None) -> Calendar | None:
    return None if house is None else Calendar(house.gaming_day(timezone.now()), house.writes_month_first)


def state_words(win: Win) -> tuple[str, str, str]:
    """Word, look and sign: a state is never told by colour alone."""
    return STATE_WORDS[WinState(win.state)]


def state_sentence(win: Win) -> str:
    return SPOKEN[WinState(win.state)]


def _row(win: Win) -> list[Any]:
    return [
        win.slip, win.state, str(win.amount_money), win.gaming_day, _iso(win.logged_at), _iso(win.paid_at),
        plain(win.paid_by), win.jackpot.code, win.table_code, win.round_number, win.seat, plain(win.line_name),
        win.award_seq, *_split(win),
    ]  # fmt: skip


def _split(win: Win) -> list[str]:
    """What the window made of it; nothing while it is unpaid."""
    payment: Payment | None = getattr(win, "payment", None)
    if payment is None:
        return [""] * 6
    pays, rule = payment.sum, payment.tax_rule
    told = [payment.method, plain(payment.cheque), plain(payment.place)]
    return [str(pays.withheld), str(pays.net), "" if rule is None else str(rule.begins), *told]


def _iso(at: Any) -> str:
    return at.isoformat() if at else ""


def plain(text: str) -> str:
    """A text that a spreadsheet would take for a formula is kept a text."""
    # Names and hands are typed by people; a spreadsheet would run what begins like a formula.
    return inert(text)
