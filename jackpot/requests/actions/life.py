"""A request moves along its life, is numbered, and remembers who did what to it."""

from __future__ import annotations

from typing import Any

from django.db.models import Max

from jackpot.refusals import NotAllowedNow
from jackpot.requests.models import Request
from jackpot.requests.rules.life import SPOKEN, RequestAct, RequestState, state_after


def move_on(row: Request, act: RequestAct) -> None:
    """One step along the life; a step that is not listed is refused with who decided already."""
    state = state_after(RequestState(row.state), act)
    if state is None:
        raise refusal(row)
    row.state = state


def refusal(row: Request) -> NotAllowedNow:
    """Why nothing can be decided of it any more: by whom it was decided, and when."""
    state = RequestState(row.state)
    who, at = row.decided_by_name, row.decided_at
    word = "refused" if state == RequestState.REFUSED else "approved"
    if state == RequestState.WITHDRAWN:
        word, who, at = "withdrawn", row.withdrawn_by_name, row.withdrawn_at
    said = str(row)[:1].upper() + str(row)[1:]
    if not who or at is None:
        return NotAllowedNow(f"{said} is {SPOKEN[state]}; look at it again.", "not_now")
    when = at.astimezone(row.premises.zone)
    return NotAllowedNow(f"{said} was {word} by {who} on {when:%d %b %Y at %H:%M}.", "decided")


def next_number(kind: str, **of: Any) -> int:
    """1, 2, 3 … of a kind; whoever calls holds the row that the numbers belong to."""
    last: int | None = Request.objects.filter(kind=kind, **of).aggregate(last=Max("number"))["last"]
    return (last or 0) + 1
