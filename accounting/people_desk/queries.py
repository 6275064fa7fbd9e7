"""Who works here, with everything that says what a person may do now and did lately."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final

from django.db.models import Max, Q, QuerySet
from django.utils import timezone

from accounting.people_desk.rules.rights_digest import HeldRights
from accounting.people_desk.rules.staff_wish import StaffAct
from accounting.programs.models import ProgramToken
from accounting.programs.queries import working_tokens
from jackpot.people.actions.sessions import OpenSession, open_sessions
from jackpot.people.actions.sign_in import locked
from jackpot.people.models import Card, Operator
from jackpot.people.queries import people
from jackpot.property.models.property import Property
from jackpot.property.queries import of_house
from jackpot.requests.models import Request
from jackpot.requests.rules.life import OPEN, RequestState
from jackpot.trail.models import Trail
from jackpot.web.templatetags.figures import moment
from jackpot.wins.models import Signature
from tables.floor.models.duty import TableDuty

PASSWORD_ACTS: Final = ("hire", "set_password")
LATELY: Final = 20
REVIEW: Final = "people_review"


@dataclass(frozen=True, slots=True)
class StaffCard:
    """A card as the people desk tells it: its level now, and whether it still works."""

    card: Card
    level: str
    state: str
    look: str

    @property
    def has_pin(self) -> bool:
        return bool(self.card.pin_hash)


@dataclass(frozen=True, slots=True)
class StaffLine:
    """One person of the list."""

    person: Operator
    roles: Sequence[str]
    cards: Sequence[StaffCard]
    sessions: Sequence[OpenSession]
    password_at: datetime | None

    @property
    def state(self) -> str:
        if not self.person.is_active:
            return "dismissed"
        if self.person.has_usable_password():
            return "signs in"
        # Hired, and neither a card nor a code was asked for: nobody should look for the fault elsewhere.
        return "card only" if self.cards else "no way in yet"

    @property
    def pin(self) -> str:
        """Of the cards that still work."""
        working = [each for each in self.cards if each.state in ("works", "locked")]
        if any(each.state == "locked" for each in working):
            return "locked"
        return "set" if any(each.has_pin for each in working) else "none"


@dataclass(frozen=True, slots=True)
class StaffRecord:
    """Everything about one person that whoever gives roles must see before acting."""

    line: StaffLine
    name_locked: bool
    at_tables: Sequence[str]
    requests: QuerySet[Request]
    left_open: QuerySet[Request]


def staff(looks: Any, *, text: str = "", role: str = "", state: str = "") -> list[StaffLine]:
    """The people of the house of whoever looks, by name; each filter only takes away."""
    rows = people(looks).prefetch_related("cards").order_by("name", "username")
    if text:
        # Distinct, for a person with two cards would come once for each.
        rows = rows.filter(Q(name__icontains=text) | Q(username__icontains=text) | Q(cards__last_four=text)).distinct()
    if role:
        rows = rows.filter(pk__in=Operator.objects.filter(roles__code=role))
    lines = _lines(list(rows))
    # In Python, for what a state is depends on the password's form, which no column says.
    return [line for line in lines if state in ("", line.state)]


def staff_record(person: Operator) -> StaffRecord:
    """One person; what they asked and signed is found by key, their history by user name, which never changes."""
    mine = Request.objects.filter(Q(asked_by=person) | Q(decided_by=person) | Q(withdrawn_by=person))
    duties = TableDuty.objects.filter(operator=person, ended_at__isnull=True).order_by("table__code")
    return StaffRecord(
        line=_lines([person])[0],
        name_locked=locked(person.username),
        at_tables=list(duties.values_list("table__code", flat=True)),
        requests=mine.select_related("jackpot", "premises").order_by("-id")[:LATELY],
        left_open=left_open(person),
    )


def left_open(person: Operator) -> QuerySet[Request]:
    """What this person asked for and nobody has decided yet."""
    rows = Request.objects.filter(asked_by=person, state__in=("asked", "previewed"))
    return rows.select_related("jackpot", "premises").order_by("id")


def people_requests(looks: Any) -> QuerySet[Request]:
    """What is asked for about people of the own house, newest first."""
    rows = Request.objects.filter(kind="people").select_related("asked_by", "decided_by", "premises", "one_time_code")
    return of_house(rows, looks).order_by("-id")


def codes_to_show(person: Operator, looks: Operator) -> list[Request]:
    """Signed codes for this person that whoever looks asked for or signed, and that nobody was shown yet."""
    rows = people_requests(looks).filter(
        Q(asked_by=looks) | Q(decided_by=looks), payload__username=person.username, state=RequestState.IN_FORCE,
        payload__act__in=(StaffAct.NEW_PASSWORD, StaffAct.NEW_PIN), one_time_code=None,
    )  # fmt: skip
    return list(rows) if person.is_active else []


@dataclass(frozen=True, slots=True)
class ReviewedRights:
    """One line of the review: the rights that are signed, and when the person was last seen using any."""

    rights: HeldRights
    last_used_at: datetime | None


def rights_of_house(house: Property) -> list[ReviewedRights]:
    """Everybody who has or had a way in, by name, the programs that read now, and where events are sent.

    Use is found by key: sign-ins, words for wins, requests.
    """
    rows = Operator.objects.filter(premises=house).select_related("premises").prefetch_related("roles", "cards")
    lines, used = _lines(list(rows.order_by("name", "username"))), _last_used(house)
    # Dismissed people stand in it too: that a way in is closed is what the two who sign want to see.
    people_there = [ReviewedRights(_rights(line), used.get(line.person.pk)) for line in lines]
    programs = [_rights_of_program(row) for row in working_tokens(house, timezone.now())]
    return people_there + programs + [each for ways in _ALSO_REVIEWED for each in ways(house)]


_ALSO_REVIEWED: Final[list[Callable[[Property], Sequence[ReviewedRights]]]] = []


def review_also(ways: Callable[[Property], Sequence[ReviewedRights]]) -> None:
    """A subject above this one has ways in or out of the house that the two who sign must see."""
    if ways not in _ALSO_REVIEWED:
        _ALSO_REVIEWED.append(ways)


def _rights_of_program(row: ProgramToken) -> ReviewedRights:
    """The two who sign see with whom it would end."""
    state = f"program until {moment(row.ends_at, row.premises)}, given by {row.given_by.name}"
    return ReviewedRights(HeldRights(row.prefix, row.name, state, (), tuple(row.scopes), ()), row.last_used_at)


def last_review(house: Property) -> Request | None:
    """The newest that two people signed."""
    return Request.objects.filter(kind=REVIEW, premises=house, state=RequestState.IN_FORCE).order_by("-id").first()


def open_review(house: Property) -> Request | None:
    return Request.objects.filter(kind=REVIEW, premises=house, state__in=OPEN).order_by("-id").first()


def _rights(line: StaffLine) -> HeldRights:
    cards = tuple(f"•••• {each.card.last_four} {each.level}, {each.state}" for each in line.cards)
    # Who is dismissed keeps the roles on record and may nothing by them.
    verbs = tuple(sorted(line.person.verbs())) if line.person.is_active else ()
    return HeldRights(line.person.username, line.person.name, line.state, tuple(sorted(line.roles)), verbs, cards)


def _last_used(house: Property) -> Mapping[int, datetime]:
    used: dict[int, datetime] = {}
    questions: tuple[QuerySet[Any, Any], ...] = (
        Operator.objects.filter(premises=house).values_list("pk", "last_login"),
        Signature.objects.filter(operator__premises=house).values_list("operator").annotate(at=Max("at")),
        Request.objects.filter(premises=house).order_by().values_list("asked_by").annotate(at=Max("asked_at")),
        Request.objects.filter(premises=house).order_by().values_list("decided_by").annotate(at=Max("decided_at")),
    )
    for question in questions:
        for whose, at in question:
            # The newest of all traces: who never signs in may still approve by card every night.
            if at is not None and (whose not in used or used[whose] < at):
                used[whose] = at
    return used


def _lines(rows: Sequence[Operator]) -> list[StaffLine]:
    now, sessions = timezone.now(), open_sessions()
    changed = dict(
        Trail.objects.filter(act__in=PASSWORD_ACTS, subject__in=[row.username for row in rows])
        .values_list("subject")
        .annotate(at=Max("at"))
    )
    return [_line(row, sessions, changed, now) for row in rows]


def _line(
    row: Operator, sessions: Mapping[int, Sequence[OpenSession]], changed: Mapping[str, datetime], now: datetime
) -> StaffLine:
    day = row.day_at(now)
    cards = sorted(row.cards.all(), key=lambda card: card.pk)
    return StaffLine(
        person=row,
        roles=[role.name for role in row.roles.all()],
        cards=[_card(card, day) for card in cards],
        sessions=sessions.get(row.pk, ()),
        password_at=changed.get(row.username) if row.has_usable_password() else None,
    )


def _card(card: Card, day: date) -> StaffCard:
    state, look = "works", "ok"
    if card.blocked_at is not None:
        state, look = "blocked", "down"
    elif card.locked_at is not None:
        state, look = "locked", "late"
    elif card.expired_on(day):
        state, look = "expired", "late"
    return StaffCard(card, Card.Level(card.level_on(day)).label, state, look)
