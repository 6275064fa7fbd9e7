"""What happened and has no number yet, and what has one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, Final

from django.db.models import QuerySet

from accounting.days.models import DaySignature
from accounting.feed.models import FeedEvent, FeedHead, UnnumberedEvent
from accounting.feed.rules.occurrence import UNTOLD, EventTopic, Occurrence
from jackpot.books.models.entry import Entry
from jackpot.books.models.jackpot import Jackpot
from jackpot.books.rules.reasons import reason
from jackpot.money import text_of_units, units_of
from jackpot.property.models.property import Property
from jackpot.requests.models import Request
from jackpot.requests.rules.life import RequestState

WAITS_HEADER: Final = "Fairmeter-Waits"  # from the door to whoever holds the question; it never goes out
LONGEST_WAIT: Final = 25  # seconds
AT_ONCE: Final = 1_000  # requests or steps of days per round; what is left comes with the next


def events_after(house: Property, after: int) -> QuerySet[FeedEvent]:
    return FeedEvent.objects.filter(premises=house, number__gt=after).order_by("number")


def last_number(house: Property) -> int:
    head = FeedHead.objects.filter(premises=house).first()
    return head.last_number if head else 0


def last_numbers() -> dict[int, int]:
    """By house."""
    return dict(FeedHead.objects.values_list("premises_id", "last_number"))


@dataclass(frozen=True, slots=True)
class FeedWait:
    """That a question would wait: behind which number of which house, and so many seconds at most."""

    house: int
    last: int
    seconds: int

    @classmethod
    def read(cls, told: str) -> FeedWait:
        return cls(*map(int, told.split("/")))

    def __str__(self) -> str:
        return f"{self.house}/{self.last}/{self.seconds}"


def from_the_books(jackpot: Jackpot, after: int, up_to: int) -> Iterator[Occurrence]:
    """The acts among these entries. The span bounds the work; the primary key finds it, however long the books are."""
    rows = Entry.objects.filter(jackpot=jackpot, seq__gt=after, seq__lte=up_to).exclude(kind__in=UNTOLD)
    for row in rows.order_by("seq"):
        why = reason(row.kind, row.table_code, row.round_number, row.corrects)
        facts = {
            "jackpot": jackpot.code, "seq": row.seq, "why": why,
            "gaming_day": row.gaming_day.isoformat(), "table": row.table_code, "round": row.round_number,
            "win": row.win_id, "corrects": row.corrects, "meter": _text(row.meter), "winners": _text(row.winners),
            "paid": _text(row.paid), "meter_after": _text(row.meter_after), "seal": bytes(row.seal).hex(),
        }  # fmt: skip
        yield Occurrence(
            f"books/{jackpot.pk}/{row.seq}", EventTopic.BOOKS, row.kind, jackpot.code, row.occurred_at, facts
        )


def unnumbered(house: Property) -> list[UnnumberedEvent]:
    """The oldest of what waits for a number besides the books; what is left comes with the next round."""
    return list(UnnumberedEvent.objects.filter(premises=house).order_by("id")[:AT_ONCE])


def numbered_already(house: Property, waiting: Iterable[UnnumberedEvent]) -> frozenset[str]:
    """A step that is taken a second time keeps its first number."""
    keys = [each.key for each in waiting]
    return frozenset(FeedEvent.objects.filter(premises=house, key__in=keys).values_list("key", flat=True))


def from_requests(waiting: Iterable[UnnumberedEvent]) -> Iterator[Occurrence]:
    """Asked for, decided, taken back: each step once."""
    steps = [each for each in waiting if each.about == EventTopic.REQUESTS]
    rows = Request.objects.select_related("jackpot").in_bulk({each.source for each in steps})
    for each in steps:
        row = rows[each.source]
        at: datetime = getattr(row, f"{each.step}_at")
        yield Occurrence(each.key, EventTopic.REQUESTS, _act(row, each.step), str(row.pk), at, _plain(row))


def from_days(waiting: Iterable[UnnumberedEvent]) -> Iterator[Occurrence]:
    steps = [each for each in waiting if each.about == EventTopic.DAYS]
    rows = DaySignature.objects.select_related("person").in_bulk({each.source for each in steps})
    for each in steps:
        row = rows[each.source]
        facts = {"day": row.day.isoformat(), "by": row.person.name, "digest": row.digest}
        yield Occurrence(each.key, EventTopic.DAYS, row.act, row.day.isoformat(), row.at, facts)


def _act(row: Request, step: str) -> str:
    if step == "decided":
        return "refused" if row.state == RequestState.REFUSED else "signed"
    return step


def _plain(row: Request) -> dict[str, Any]:
    return {
        "request": row.pk, "kind": row.kind, "jackpot": row.jackpot.code if row.jackpot else "", "win": row.win_id,
        "asked_by": row.asked_by_name, "decided_by": row.decided_by_name, "withdrawn_by": row.withdrawn_by_name,
    }  # fmt: skip


def _text(amount: Decimal) -> str:
    return text_of_units(units_of(amount))
