"""The history of the thing that a page shows: who, what, when; done, refused, seen, printed, exported."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final
from urllib.parse import urlencode

from django import template
from django.urls import reverse

from jackpot.trail.models import Trail
from jackpot.trail.queries import READS_TRAIL, history
from jackpot.trail.rules.objects import ObjectKind, ObjectRef
from jackpot.trail.rules.words import SayTime, facts_of, spoken_act, spoken_times
from jackpot.web.templatetags.figures import day, moment

register = template.Library()

SHOWN: Final = 20
OF_PEOPLE: Final = frozenset({READS_TRAIL, "people"})  # whoever gives roles sees what became of those they gave


@dataclass(frozen=True, slots=True)
class HistoryLine:
    """One line of the trail as a page shows it."""

    row: Trail
    what: str
    facts: str
    thing: str = ""  # what it happened to, where that is not what the page is about

    @property
    def look(self) -> str:
        """Nothing for what was done; else how the word is coloured."""
        if self.row.outcome in ("refused", "wrong", "locked", "failed", "disagrees"):
            return "down"
        return "" if self.row.outcome == "done" else "late"


def history_line(row: Trail, about: ObjectRef | None = None, house: Any = None) -> HistoryLine:
    thing = "" if about is None or (row.object_kind, row.object_key) == (about.kind.value, about.key) else row.subject
    # Lines from before things were named by kind tell the page's own thing by its text.
    thing = "" if about is not None and thing in (about.key, about.old_subject) else thing
    what = spoken_act(row.act, row.outcome, str(row.details.get("what", "")))
    say = say_time(house)
    # Why it was done, and what, stand before these words already.
    more = {name: value for name, value in row.details.items() if name != "what" and value != (row.why or None)}
    return HistoryLine(row, what, facts_of(more, say), spoken_times(thing, say))


@register.inclusion_tag("jackpot/trail/history.html", takes_context=True)
def history_of(
    context: Any,
    *things: Any,
    premises: Any = None,
    requests: Iterable[int] = (),
    person: Any = None,
    also: Iterable[Trail] = (),
) -> dict[str, Any]:
    """`things` are pairs of kind and key; the first is what the page is about. Shown to who may read the trail.

    `also` are words of people that have a record of their own and no line, such as the approvals of a win."""
    request = context.get("request")
    verbs = request.user.verbs() if request is not None and request.user.is_authenticated else frozenset()
    if not verbs & (OF_PEOPLE if person is not None else {READS_TRAIL}):
        return {"may": False}
    house = getattr(premises, "pk", None)
    refs = list(_refs(things, house))
    refs += [ObjectRef(ObjectKind.REQUEST, str(number), house) for number in requests]
    rows = [*history(refs, person_id=getattr(person, "pk", None))[: SHOWN + 1], *also]
    rows.sort(key=lambda row: row.at, reverse=True)
    return {
        "may": True, "lines": [history_line(row, refs[0], premises) for row in rows[:SHOWN]], "more": len(rows) > SHOWN,
        "leads": READS_TRAIL in verbs,
        "all": f"{reverse('audit')}?{urlencode({'object': refs[0].words, 'period': 'all'})}",
        "house_here": premises, "what": spoken_times(refs[0].words, say_time(premises)),
        "old": any(not row.object_kind for row in rows[:SHOWN]),
    }  # fmt: skip


def say_time(house: Any) -> SayTime:
    """Moments by the clock of the house, as every page writes them."""
    return lambda at: moment(at, house) if isinstance(at, datetime) else day(at)


def _refs(things: tuple[Any, ...], premises_id: int | None) -> Iterator[ObjectRef]:
    for kind, key in zip(things[::2], things[1::2], strict=True):
        if key not in (None, ""):
            yield ObjectRef(ObjectKind(kind), _key(kind, key)).of_house(premises_id)


def _key(kind: str, thing: Any) -> str:
    """A round is given as itself, or as the win that was played in it; a day as a date; anything else by its name."""
    if kind == ObjectKind.ROUND:
        if hasattr(thing, "round_number"):
            return f"{thing.table_code}/{thing.round_number}"
        return f"{thing.table.code}/{thing.number}"
    return thing.isoformat() if isinstance(thing, date) else str(thing)
