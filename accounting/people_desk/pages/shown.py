"""Requests and lines of the trail as the people desk words them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

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
from jackpot.trail.models import Trail

ACTS: Final[Mapping[str, str]] = {
    "hire": "hired", "alter_person": "name or roles changed", "issue_card": "card issued", "alter_card": "card changed",
    "block_card": "card blocked", "unlock_card": "card unlocked", "set_pin": "PIN set", "sign_in": "sign-in",
    "sign_out": "signed out", "lock_name": "name locked", "unlock_name": "name unlocked", "dismiss": "dismissed",
    "end_sessions": "signed out by the house", "set_password": "password set",
    "give_roles": "roles given", "take_roles": "roles taken", "show_code": "one-time code shown",
    "ask_people": "asked for", "approve_people": "signed", "refuse_people": "not given",
    "withdraw_people": "withdrawn",
}  # fmt: skip


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


def spoken(row: Trail) -> str:
    """What happened, in words; an act that has none is told by its own name."""
    words = ACTS.get(row.act, row.act.replace("_", " "))
    if "what" in row.details:
        words = f"{words}: {row.details['what']}"
    return words if row.outcome == "done" else f"{words}: {row.outcome}"


def _name(row: Request) -> str:
    if row.kind == PEOPLE:
        return StaffWish.of(row.payload).sentence()
    try:
        return kind_of(row.kind).name
    except Refused:  # a kind that this version no longer has stays readable
        return row.kind
