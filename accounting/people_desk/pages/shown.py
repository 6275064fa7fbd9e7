"""Requests and lines of the trail as the people desk words them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse

from accounting.people_desk.actions.kind import PEOPLE
from accounting.people_desk.rules.rights_digest import QUARTER_DAYS
from accounting.people_desk.rules.staff_wish import StaffWish
from jackpot.people.models import Operator
from jackpot.property.models.property import Property
from jackpot.refusals import Refused
from jackpot.requests.models import Request
from jackpot.requests.rules.life import SPOKEN, RequestState
from jackpot.signing.actions import kind_of


@dataclass(frozen=True, slots=True)
class PersonRequest:
    """A request with this person's part in it, and the page where it stands."""

    row: Request
    name: str
    part: str
    state: str
    href: str


def request_line(row: Request, person: Operator) -> PersonRequest:
    parts = {"asked": row.asked_by_id, "withdrew": row.withdrawn_by_id}
    parts["refused" if row.state == RequestState.REFUSED else "signed"] = row.decided_by_id
    part = ", ".join(word for word, whose in parts.items() if whose == person.pk)
    href = reverse("request", kwargs={"number": str(row.pk)})
    return PersonRequest(row, _name(row), part, SPOKEN[RequestState(row.state)], href)


def review_due(last: Request | None, house: Property, now: datetime) -> str:
    """Empty while the rights were looked through within a quarter; a house that never did it is told so."""
    if last is not None and last.decided_at is not None:
        late = (now - last.decided_at).days - QUARTER_DAYS
        words = f"Rights were last looked through on {last.decided_at.astimezone(house.zone):%d %b %Y}"
        return f"{words}; the next review is {late} days overdue." if late > 0 else ""
    return "Nobody has looked through everybody’s rights yet. Two people sign it once a quarter."


def _name(row: Request) -> str:
    if row.kind == PEOPLE:
        return StaffWish.of(row.payload).sentence()
    try:
        return kind_of(row.kind).name
    except Refused:  # a kind that this version no longer has stays readable
        return row.kind
