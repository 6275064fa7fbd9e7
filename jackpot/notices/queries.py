"""The notices of a house: what is due, what is late, what was done."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, assert_never

from django.db.models import Count, Min, Q, QuerySet

from jackpot.notices.models import Notice
from jackpot.people.models import Operator, Role
from jackpot.property.models.property import Property
from jackpot.property.queries import of_house
from jackpot.property.rules.notice import NoticeAbout, NoticeRule, NoticeState, notice_rules_on
from jackpot.requests.models import Request
from jackpot.wins.rules.win_life import WinState

AT_THE_WINDOW: Final = frozenset({"pay", "close_day"})  # who tells the owner of a slip
_FALLEN: Final = Q(done_at__isnull=True, win__isnull=False) & ~Q(win__state=WinState.OWED)


def notices(person: Any) -> QuerySet[Notice]:
    rows = Notice.objects.select_related("premises", "request", "win", "done_by", "suspension__jackpot")
    return of_house(rows, person)


def who_is_told(house: Property, about: NoticeAbout, at: datetime) -> list[NoticeRule]:
    """Whom the rules of that gaming day name."""
    return notice_rules_on((row.value for row in house.notice_rules.all()), about, house.gaming_day(at))


def still_to_tell(request: Request) -> QuerySet[Notice]:
    """The notices of a request that nobody has done yet."""
    return Notice.objects.filter(request_id=request.pk, done_at__isnull=True)


def in_state(rows: QuerySet[Notice], state: NoticeState, now: datetime) -> QuerySet[Notice]:
    """As `Notice.state` tells it of one."""
    waits = rows.filter(done_at__isnull=True).exclude(_FALLEN)
    match state:
        case NoticeState.DONE:
            return rows.filter(done_at__isnull=False)
        case NoticeState.FALLEN:
            return rows.filter(_FALLEN)
        case NoticeState.OVERDUE:
            return waits.filter(due_at__lt=now)
        case NoticeState.OPEN:
            return waits.filter(due_at__gte=now)
        case _:
            assert_never(state)


def may_finish(notice: Notice, person: Operator) -> bool:
    """The role that the rule names; of a slip whoever is at the window or closes the day."""
    if notice.owner:
        return person.roles.filter(code=notice.owner).exists()
    return not person.verbs().isdisjoint(AT_THE_WINDOW)


def owner_name(notice: Notice) -> str:
    if not notice.owner:
        return "cage or accountant"
    return Role.objects.filter(code=notice.owner).values_list("name", flat=True).first() or notice.owner


@dataclass(frozen=True, slots=True)
class NoticesOverdue:
    """How many are late that this person has to see to, and since when the oldest is."""

    count: int
    since: datetime | None


def overdue_notices(person: Operator, verbs: frozenset[str], now: datetime) -> NoticesOverdue:
    """Of the roles of whoever looks; who closes the day sees all of the house."""
    rows = in_state(notices(person), NoticeState.OVERDUE, now)
    if "close_day" not in verbs:
        mine = Q(owner__in=list(person.roles.values_list("code", flat=True)))
        rows = rows.filter(mine | Q(owner="") if "pay" in verbs else mine)
    found = rows.order_by().aggregate(count=Count("id"), since=Min("due_at"))
    return NoticesOverdue(found["count"], found["since"])
