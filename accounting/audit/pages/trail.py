"""The auditor's home: figures, and the trail as a list that one can filter, search, turn, jump in and take home."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from accounting.audit.queries.figures import audit_figures
from accounting.audit.queries.lines import COUNTED_TO, TrailPage, acts_known, trail_page
from accounting.audit.rules.leads import page_of_thing
from accounting.audit.rules.turning import TrailPlace, read_cursor
from accounting.reports.pages.asked import asked_house
from accounting.reports.pages.shown import filters_of, query_of
from accounting.reports.queries import asking
from accounting.reports.queries.trail import TRAIL
from accounting.reports.rules.asking import HouseClock, NotAQuestion, read_moment, read_question, words_asked
from jackpot.property.models.property import Property
from jackpot.property.rules.typed_days import NotADay
from jackpot.trail.queries import READS_TRAIL
from jackpot.trail.rules.objects import EXAMPLES
from jackpot.trail.rules.words import OUTCOMES, SayTime, facts_of, spoken_act, spoken_times
from jackpot.trail.templatetags.history import say_time
from jackpot.web.pages.access import needs

DOWN: Final = frozenset({"refused", "wrong", "locked", "failed", "disagrees"})
QUICK_ACTS: Final = (
    ("sign_in", "sign-ins"), ("print_page", "prints"), ("redeem_slip", "payments"), ("look", "looks"),
    ("export_report", "exports"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ShownLine:
    """One line of the trail as the list shows it."""

    number: int
    at: Any
    who: str
    what: str
    thing: str
    href: str
    outcome: str
    look: str
    why: str


@needs(READS_TRAIL)
def audit(request: HttpRequest) -> HttpResponse:
    """The figures of today, and the lines that answer the question, newest first."""
    words = words_asked(request.GET)
    house = asked_house(request, words)
    clock = asking.clock_of(house)
    told, status = _frame(house, words, clock), 200
    try:
        question = read_question(TRAIL, words, clock)
        before, after = read_cursor(request.GET.get("before", "")), read_cursor(request.GET.get("after", ""))
        if jump := request.GET.get("jump", "").strip()[:60]:
            # A moment alone stands behind all lines of it, so the list begins with them.
            before = TrailPlace(read_moment(jump, clock))
        page = trail_page(question, before=before, after=after, oldest=request.GET.get("end") == "oldest")
    except (NotADay, NotAQuestion) as problem:
        told, status = told | {"problem": str(problem)}, 400
    else:
        told |= {
            "question": question,
            "lines": [_shown(row, say_time(house)) for row in page.rows],
            **_turns(page, words),
        }
    part = getattr(request, "htmx", False)
    return render(
        request, "accounting/audit/trail_part.html" if part else "accounting/audit/audit.html", told, status=status
    )


def _frame(house: Property, words: Mapping[str, str], clock: HouseClock) -> dict[str, Any]:
    choices = asking.choices_of(TRAIL, house) | {"act": acts_known(), "outcome": list(OUTCOMES)}
    chosen = words.get("act", "")
    return {
        "tab": "trail", "words": words, "premises": house, "filters": filters_of(TRAIL, words, choices),
        "figures": audit_figures(house, clock.day_begins(clock.today)), "now": timezone.now(), "examples": EXAMPLES,
        "report": TRAIL,
        "quick": [(said, f"?{query_of({**words, 'act': '' if chosen == act else act})}", chosen == act)
                  for act, said in QUICK_ACTS],
        "outcomes": [(each, f"?{query_of({**words, 'outcome': '' if words.get('outcome') == each else each})}",
                      words.get("outcome") == each) for each in OUTCOMES[1:6]],
    }  # fmt: skip


def _turns(page: TrailPage, words: Mapping[str, str]) -> dict[str, Any]:
    """Addresses of the other pages; nothing where there is none."""

    def at(**more: str) -> str:
        return f"?{query_of(words, **more)}"

    return {
        "first": at() if page.newer else "", "previous": at(after=page.newer.cursor) if page.newer else "",
        "following": at(before=page.older.cursor) if page.older else "", "last": at(end="oldest") if page.older else "",
        "count": min(page.count, COUNTED_TO), "is_counted": page.is_counted,
    }  # fmt: skip


def _shown(row: Mapping[str, Any], say: SayTime) -> ShownLine:
    details = row["details"] if isinstance(row["details"], dict) else {}
    facts = facts_of({name: value for name, value in details.items() if value != (row["why"] or None)}, say)
    return ShownLine(
        row["id"], row["at"], row["actor"], spoken_act(row["act"], "done"), spoken_times(row["thing"], say),
        page_of_thing(row["object_kind"], row["object_key"]), row["outcome"],
        "down" if row["outcome"] in DOWN else "" if row["outcome"] == "done" else "late",
        " · ".join(part for part in (row["why"], facts) if part),
    )  # fmt: skip
