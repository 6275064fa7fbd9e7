"""The close on one screen: each column's lines, what is still to be explained, who signed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from accounting.days.actions.closing import told_of
from accounting.days.actions.reopening import ReopenDay
from accounting.days.models import ChipPlace, DaySignature, Explanation
from accounting.days.queries.columns import balance_for, lines_of, tables_counted
from accounting.days.queries.days import (
    days_of,
    explained,
    explanations_on,
    reopening_of,
    reopenings_of,
    signatures_on,
    snapshots_on,
    state_on,
)
from accounting.days.queries.fees import fee_tables
from accounting.days.rules.day_life import SPOKEN, WRITABLE, DayAct, DayState, day_after
from accounting.days.rules.equation import DayEquation
from accounting.days.rules.reconcile import CloseColumn, CloseLine, DayLines, LineState, is_explained
from jackpot.books.queries import jackpots
from jackpot.canonical import digest_of_value
from jackpot.money import Money
from jackpot.property.models.property import Property
from jackpot.property.queries import house_of
from jackpot.requests.models import Request
from jackpot.requests.rules.life import RequestState
from jackpot.web.pages.access import needs
from jackpot.web.pages.listing import ListPage, ListTurns, list_page
from jackpot.web.templatetags.figures import exact

LINES: Final = 25  # of a column on one page
EQUATIONS: Final = 12
MOST_CHOICES: Final = 200  # of a select; of more tables the code is typed
READERS: Final = ("read_books", "close_day", "count")
COUNTED: Final = (CloseColumn.CHIPS, CloseColumn.FEES)  # what the count team sees and types
SEES_ALL: Final = frozenset({"read_books", "close_day"})
TITLES: Final = {
    CloseColumn.BOOKS: ("Books", "Rounds, wagers, versions and records against the entries."),
    CloseColumn.SIGNS: ("Signs", "What a person read against what the meter was in that minute."),
    CloseColumn.CHIPS: ("Chips", "Counted by two people, neither knowing the other’s figure."),
    CloseColumn.WINS: ("Win pages", "Record, page, entry and payment of every slip; no number left out."),
    CloseColumn.FEES: ("Fees", "The drop of each table against its collection schedule and its hands."),
    CloseColumn.BANK: ("Bank cover", "What the account holds against what players put in and winners are owed."),
}
LOOKS: Final = {
    LineState.MATCHES: ("matches", "ok", "✓"),
    LineState.DIFFERS: ("differs", "down", "✕"),
    LineState.MISSING: ("to do", "late", "○"),
    LineState.APART: ("apart", "", "–"),
}
STATES: Final = {
    DayState.OPEN: ("open", "late", "○"),
    DayState.SIGNED: ("one signature", "gold", "◔"),
    DayState.CLOSED: ("closed", "ok", "✓"),
    DayState.REOPENING: ("reopening asked", "down", "!"),
}
STEPS: Final = {
    DayAct.SIGN: "Sign the day", DayAct.CLOSE: "Close the day", DayAct.BACK: "Take the signature back",
    DayAct.ASK: "Ask to open it again", DayAct.KEEP: "Keep it closed", DayAct.REOPEN: "Open it again",
}  # fmt: skip
DONE: Final = {
    DayAct.SIGN: "signed", DayAct.CLOSE: "closed", DayAct.BACK: "took the signature back",
    DayAct.ASK: "asked to open it again", DayAct.KEEP: "kept it closed", DayAct.REOPEN: "opened it again",
}  # fmt: skip
SIGNING: Final = frozenset({DayAct.SIGN, DayAct.CLOSE})
REOPENED: Final = {
    RequestState.PREVIEWED: "asks to open it again",
    RequestState.REFUSED: "asked to open it again; refused",
    RequestState.WITHDRAWN: "asked to open it again; taken back",
    RequestState.IN_FORCE: "asked to open it again; signed",
}  # fmt: skip
NEEDS_WHY: Final = frozenset({DayAct.BACK, DayAct.KEEP})


@dataclass(frozen=True, slots=True)
class LineRow:
    """A line as the page shows it, with what explains it."""

    line: CloseLine
    look: tuple[str, str, str]
    notes: Sequence[Explanation]
    is_explained: bool
    house: Property

    @property
    def expected(self) -> str:
        return _figure(self.line.expected, self.house)

    @property
    def found(self) -> str:
        return _figure(self.line.found, self.house)

    @property
    def is_settled(self) -> bool:
        return self.line.is_done or self.is_explained


@dataclass(frozen=True, slots=True)
class ColumnRows:
    column: CloseColumn
    title: str
    words: str
    every: Sequence[LineRow]
    page: ListPage

    @property
    def rows(self) -> Sequence[LineRow]:
        """Of a long column one page, with what is still to do on the first."""
        first = self.every if self.page.pages == 1 else sorted(self.every, key=lambda row: row.is_settled)
        return first[self.page.offset : self.page.offset + self.page.size]

    @property
    def turns(self) -> ListTurns:
        return self.page.turns("", self.column.value)

    @property
    def to_do(self) -> int:
        return sum(not row.is_settled for row in self.every)


@needs(*READERS)
def days(request: HttpRequest) -> HttpResponse:
    """The gaming days, newest first; the running one on top."""
    house = _house(request)
    today = house.gaming_day(timezone.now())
    # A day that waits grows old in plain sight: nothing closes by itself.
    rows = [(day, STATES[state], agrees, (today - day).days) for day, state, agrees in days_of(house)]
    return render(request, "accounting/days/days.html", {"today": today, "rows": rows, "house_here": house})


@needs(*READERS)
def day(request: HttpRequest, on: date) -> HttpResponse:
    """One gaming day: match, explain, done."""
    house = _house(request)
    if on > house.gaming_day(timezone.now()):
        raise Http404("This gaming day has not come.")
    return render(request, "accounting/days/day.html", day_facts(request, house, on))


def day_facts(request: HttpRequest, house: Property, on: date) -> dict[str, Any]:
    verbs = request.user.verbs()  # type: ignore[union-attr]
    signatures, notes = signatures_on(house, on), explanations_on(house, on)
    anew = "anew" in request.GET
    state, lines, reopening = state_on(house, on), lines_of(house, on, anew=anew), reopening_of(house, on)
    is_open = state in WRITABLE
    # The count team sees the columns it types into and no other: blind counting ends where the books stand beside it.
    sees_all = not verbs.isdisjoint(SEES_ALL)
    columns = [each for each in _columns(request, lines, notes, house) if sees_all or each.column in COUNTED]
    snapshots, to_do = snapshots_on(house, on), sum(each.to_do for each in columns)
    # Those that differ first (False sorts before True): of a hundred jackpots one page is shown.
    equations = sorted(lines.equations, key=lambda each: each.agrees) if sees_all else []
    page = list_page(len(equations), request.GET.get("equations", ""), EQUATIONS)
    shown = equations[page.offset : page.offset + page.size]
    return {
        "house_here": house, "on": on, "state": state, "state_look": STATES[state], "spoken": SPOKEN[state],
        "columns": columns, "to_do": to_do, "sees_all": sees_all,
        "has_rolled": on < house.gaming_day(timezone.now()), "snapshots": snapshots, "age": _age(house, on),
        "equations": [_equation_rows(each) for each in shown], "equation_page": page,
        "equation_turns": page.turns("", "equations"), "differing": sum(not each.agrees for each in equations),
        "signatures": [(each, DONE[DayAct(each.act)]) for each in signatures],
        "changed": _changed(house, on, lines, signatures, state), "balance": balance_for(house, on),
        "is_open": is_open, "may_close": "close_day" in verbs, "may_count": "count" in verbs,
        "may_adjust": "adjust" in verbs,
        "jackpots": list(jackpots(request.user)), "tables": tables_counted(house, lines),
        "most_choices": MOST_CHOICES,
        "fee_tables": fee_tables(house, on) if is_open else [],
        "in_box": not ChipPlace.objects.filter(premises=house, where=ChipPlace.Where.TRAY).exists(),
        "steps": _steps(state, _asker_or_signer(signatures, reopening), request.user.pk, to_do)
        if "close_day" in verbs else [],
        "reopenings": [(row, REOPENED[RequestState(row.state)]) for row in reopenings_of(house, on)],
        "undoes": ReopenDay().compared(reopening) if reopening is not None else [],
        "before": on - timedelta(days=1), "after": on + timedelta(days=1),
    }  # fmt: skip


def _columns(request: HttpRequest, lines: DayLines, notes: Sequence[Explanation], house: Property) -> list[ColumnRows]:
    agreed, told = explained(notes), defaultdict(list)
    for note in notes:
        told[note.subject].append(note)
    found = []
    for column, (title, words) in TITLES.items():
        rows = [
            LineRow(
                line, LOOKS[line.state],
                () if line.is_done else told.get(line.subject, ()),
                is_explained(line, agreed) and not line.is_done, house,
            )
            for line in lines.of(column)
        ]  # fmt: skip
        page = list_page(len(rows), request.GET.get(column.value, ""), LINES)
        found.append(ColumnRows(column, title, words, rows, page))
    return found


def _figure(text: str, house: Property) -> str:
    """An amount, or the bounds of one, with the separators of the house; a count of chips as it is."""
    return " to ".join(exact(Money.of(each), house) for each in text.split(" to ")) if "." in text else text


def _equation_rows(equation: DayEquation) -> dict[str, Any]:
    """As an accountant writes it: open, every line that moved something, close, the books, the difference."""
    rows = [("open", equation.opened, "line")]
    rows += [(part.value, moved, "line") for part, moved in equation.lines.items() if moved]
    rows += [("= close", equation.reckoned, "sum"), ("books", equation.books, "line"),
             ("difference", equation.variance, "off" if equation.variance else "sum")]  # fmt: skip
    told = [(name, [Money(units) for units in held.columns()[:3]], look) for name, held, look in rows]
    return {"jackpot": equation.jackpot, "rows": told, "chips": equation.chips, "agrees": equation.agrees}


def _steps(state: DayState, before: int | None, person: int | None, to_do: int) -> list[tuple[str, str, bool, bool]]:
    """What may be done next, whether it asks for a reason, and whether for proof of presence; never the second step by
    the person of the first."""
    return [
        (act.value, STEPS[act], act in NEEDS_WHY, act == DayAct.REOPEN)
        for act in DayAct
        if day_after(state, act) is not None
        and not (before == person and act in (DayAct.CLOSE, DayAct.REOPEN))
        and not (to_do and act in SIGNING)
    ]


def _asker_or_signer(signatures: Sequence[DaySignature], reopening: Request | None) -> int | None:
    """Who took the step that another person goes on from."""
    if reopening is not None:
        return reopening.asked_by_id
    return signatures[-1].person_id if signatures else None


def _changed(house: Property, on: date, found: DayLines, signatures: Sequence[DaySignature], state: DayState) -> str:
    """Whether what was signed is still what the records say: a closed day is not forgotten."""
    if state not in (DayState.CLOSED, DayState.REOPENING):
        return ""
    # The last one: a day that was opened again and closed anew has several, and the earlier ones count no more.
    signed = [each for each in signatures if each.act == DayAct.CLOSE][-1]
    # First the record against itself: a record that was altered proves nothing about the figures.
    if digest_of_value(signed.signed) != signed.digest:
        return "The record of the close does not match its digest. Call the auditor."
    # The page's lines are those kept at the roll, without the walk over every entry. Signed was what was reckoned anew,
    # and only that tells a day whose broken entry was explained from one that was altered.
    if all(digest_of_value(told_of(house, on, each)) != signed.digest for each in _readings(house, on, found)):
        return f"The records say something else today than what {signed.person} closed. Call the auditor."
    return ""


def _readings(house: Property, on: date, found: DayLines) -> Iterator[DayLines]:
    """What is at hand first; anew only where that says something else."""
    yield found
    yield lines_of(house, on)


def _age(house: Property, on: date) -> int:
    return (house.gaming_day(timezone.now()) - on).days


def _house(request: HttpRequest) -> Property:
    house = house_of(request.user)
    if house is None:
        raise Http404("There is no house yet.")
    return house
