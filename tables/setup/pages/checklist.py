"""The checklist of a table: what was seen, by whom, with which photo; and the form that checks an item off."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone

from jackpot.refusals import NotUnderstood
from jackpot.web.pages.access import needs
from jackpot.web.pages.posting import posts, word
from tables.floor.actions.checklist import VERBS, PostedLimits, look_at, standing_of_table
from tables.floor.models.check import TableCheck
from tables.floor.models.table import Table
from tables.floor.queries.limit_sheets import limits_today
from tables.floor.queries.offers import marks_needed
from tables.floor.rules.checklist import CheckStatus, Item
from tables.floor.rules.photo import MOST_BYTES
from tables.games.game import NotInThisGame
from tables.games.layout import LayoutMark
from tables.games.registry import part_of_game
from tables.rounds.queries import round_lists

READERS: Final = ("run_tables", "approve", "verify", "watch", "read_books", "service")
LOOKS: Final = 20
MOST_MARKS: Final = 40
FACES: Final = {
    CheckStatus.DONE: ("ok", "●", "in order"),
    CheckStatus.MISSING: ("muted", "○", "not looked at"),
    CheckStatus.WRONG: ("down", "▲", "not in order"),
    CheckStatus.OUT_OF_DATE: ("late", "◐", "out of date"),
}


@dataclass(frozen=True, slots=True)
class ChecklistRow:
    """One item as the page shows it."""

    item: Item
    title: str
    look: str
    colour: str
    mark: str
    newest: TableCheck | None
    marks: list[LayoutMark]


@needs(*READERS)
def checklist(request: HttpRequest, code: str) -> HttpResponse:
    """Every item with its newest look, and what was looked at before."""
    table = _table(request, code)
    # The photos come one by one, when somebody opens them.
    looks = list(TableCheck.objects.filter(table=table).select_related("by").defer("photo")[:LOOKS])
    newest = TableCheck.objects.filter(table=table).select_related("by").defer("photo")
    needed = marks_needed(table)
    rows = [
        ChecklistRow(
            item,
            item.spoken.removeprefix("the ").capitalize(),
            face[2],
            face[0],
            face[1],
            newest.filter(item=item).first(),
            needed.get(item, []),
        )
        for item, face in ((item, FACES[found]) for item, found in standing_of_table(table).items())
    ]
    shown = {
        "table": table,
        "house": table.premises,
        "rows": rows,
        "done": sum(row.colour == "ok" for row in rows),
        "looks": looks,
        "sheets": _sheets(table),
        "may_check": bool(request.user.verbs().intersection(VERBS)),  # type: ignore[union-attr]
    }
    return render(request, "tables/setup/checklist.html", shown)


@posts(*VERBS, back_to="checklist")
def check_off(request: HttpRequest, *, code: str) -> str:
    """One look at one item, with its photo."""
    table, person = _table(request, code), request.user
    item, in_order = _item(word(request, "item", 10)), word(request, "found") == "in_order"
    if word(request, "found") not in {"in_order", "wrong"}:
        raise NotUnderstood(f"Say whether {item.spoken} {item.is_it} in order.", "found")
    look_at(
        table=table, item=item, in_order=in_order, by=person, photo=_photo(request),  # type: ignore[arg-type]
        note=word(request, "note"), posted=_posted(request) if item is Item.LIMITS and in_order else None,
        marks=request.POST.getlist("mark")[:MOST_MARKS],
    )  # fmt: skip
    found = "in order" if in_order else "not in order; the note stands with your name"
    return f"{code}: {item.spoken} {item.is_it} {found}."


@needs(*READERS)
def check_photo(request: HttpRequest, code: str, number: str) -> HttpResponse:
    """The photo of one look, as it was taken."""
    check = get_object_or_404(TableCheck, pk=number, table=_table(request, code))
    if check.photo is None:
        raise Http404("This look has no photo.")
    answer = HttpResponse(bytes(check.photo), content_type=check.photo_type)
    # A look never changes, so its photo is fetched once; private, as a shared cache knows no roles.
    answer.headers["Cache-Control"] = "private, max-age=86400, immutable"
    return answer


def _table(request: HttpRequest, code: str) -> Table:
    table: Table = get_object_or_404(round_lists.tables_of(request.user), code=code)
    return table


def _item(text: str) -> Item:
    try:
        return Item(text)
    except ValueError:
        raise NotUnderstood(f"“{text}” is nothing on the checklist.", "item") from None


def _photo(request: HttpRequest) -> bytes:
    sent: Any = request.FILES.get("photo")
    # One byte more than is kept: a larger photo is refused, not cut, and never read whole into memory.
    return b"" if sent is None else sent.read(MOST_BYTES + 1)


def _posted(request: HttpRequest) -> PostedLimits:
    rule_set, _, option = word(request, "sheet", 20).partition("/")
    return PostedLimits(
        _whole(request, "minimum"), _whole(request, "maximum"), rule_set, int(option or 0) if option.isdecimal() else 0
    )


def _whole(request: HttpRequest, name: str) -> int:
    text = word(request, name, 9)
    if not (text.isascii() and text.isdecimal()):
        raise NotUnderstood(f"Type the posted {name} in whole units, such as 5.", "limits")
    return int(text)


def _sheets(table: Table) -> list[tuple[str, str]]:
    """The house's own limit sheets and those that the game's pack prints: value and words of a choice."""
    day = table.premises.gaming_day(timezone.now())
    own = [
        (sheet.code, f"{sheet.code}: {sheet.words}")
        for sheet in limits_today(table.premises, table.game, day)
        if not sheet.wager
    ]
    try:
        sets = part_of_game(table.game, "collection").rule_sets()
    except NotInThisGame:
        return own
    return own + [
        (f"{code}/{option}", f"{one.title}, option {option}") for code, one in sets.items() for option in one.limits
    ]
