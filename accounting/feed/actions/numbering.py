"""What happened gets its number after it was committed, so that no reader of the feed ever misses a late commit."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.db import transaction

from accounting.feed.models import FeedEvent, FeedHead, FeedReach, UnnumberedEvent
from accounting.feed.queries import from_days, from_requests, from_the_books, numbered_already, unnumbered
from accounting.feed.rules.occurrence import Occurrence, in_order
from jackpot.books.models.jackpot import Jackpot
from jackpot.errands.rules import Rhythm
from jackpot.property.models.property import Property

RHYTHM: Final = Rhythm("number events", every=timedelta(seconds=5), alarm_after=timedelta(minutes=10))
SPAN: Final = 100_000  # entries of one jackpot that one round looks through


def number_events() -> int:
    """One round for every house; returns how many events it numbered."""
    return sum(_number_house(house) for house in Property.objects.order_by("id"))


@transaction.atomic
def _number_house(house: Property) -> int:
    """Under the head of the house: a number that can be read has all smaller ones committed before it.

    The books of a jackpot are committed in the order of their numbers, under its lock; every other step leaves a row
    that waits for its number, in its own transaction. So neither needs a sequence, which would have gaps and overtake.
    """
    FeedHead.objects.get_or_create(premises=house)
    head = FeedHead.objects.select_for_update().get(premises=house)
    waiting = unnumbered(house)
    known = numbered_already(house, waiting) if waiting else frozenset()
    new = [each for each in waiting if each.key not in known]
    found = in_order([*_from_all_books(house), *from_requests(new), *from_days(new)])
    rows = [_event(house, head.last_number + place, each) for place, each in enumerate(found, start=1)]
    if rows:
        FeedEvent.objects.bulk_create(rows, batch_size=1_000)
        head.last_number = rows[-1].number
        head.save(update_fields=["last_number"])
    if waiting:
        # Those that were looked at alone: what was added meanwhile waits for the next round.
        UnnumberedEvent.objects.filter(pk__in=[each.pk for each in waiting]).delete()
    return len(rows)


def _from_all_books(house: Property) -> list[Occurrence]:
    found: list[Occurrence] = []
    reached = dict(FeedReach.objects.filter(jackpot__premises=house).values_list("jackpot_id", "seq"))
    for jackpot in Jackpot.objects.filter(premises=house).order_by("id"):
        after = reached.get(jackpot.pk, 0)
        # Bounded, for the first round of an old house has millions of entries behind it.
        up_to = min(jackpot.last_seq, after + SPAN)
        if up_to > after:
            found += from_the_books(jackpot, after, up_to)
            FeedReach.objects.update_or_create(jackpot=jackpot, defaults={"seq": up_to})
    return found


def _event(house: Property, number: int, each: Occurrence) -> FeedEvent:
    return FeedEvent(
        premises=house, number=number, key=each.key, about=each.about.value, act=each.act, subject=each.subject,
        at=each.at, facts=dict(each.facts),
    )  # fmt: skip
