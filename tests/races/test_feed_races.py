"""Two workers number at once while a house acts: no gap, nothing twice, nothing missed, no number behind a read one."""

from __future__ import annotations

import itertools
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import pytest
from django.db import connection, transaction
from django.utils import timezone

from accounting.feed.actions.numbering import number_events
from accounting.feed.models import FeedEvent, UnnumberedEvent
from accounting.feed.rules.occurrence import UNTOLD
from jackpot.books.models.entry import Entry
from jackpot.books.models.jackpot import Jackpot
from jackpot.people.models import Operator
from jackpot.property.models.property import Property
from jackpot.requests.models import Request
from jackpot.requests.rules.life import RequestState
from tests.builders import a_jackpot, a_person, a_property

pytestmark = pytest.mark.race
TIMES: Final = 12


def ask_and_refuse(house: Property, person: Operator, start: threading.Barrier) -> None:
    """Every second request draws its key first and is committed behind a younger one."""
    start.wait()
    for number in range(TIMES):
        late = threading.Thread(target=asks_late, args=[house, person, 0.02 if number % 2 else 0.0])
        late.start()
        asks(house, person, 0.0)
        late.join()
        row = Request.objects.filter(premises=house, decided_at=None).order_by("id")[0]
        row.state, row.decided_by, row.decided_at = RequestState.REFUSED, person, timezone.now()
        row.save()
    connection.close()


def asks(house: Property, person: Operator, waits: float) -> None:
    with transaction.atomic():
        Request.objects.create(
            premises=house, kind="people", reason="a race", asked_by=person, asked_by_name=person.name
        )
        threading.Event().wait(waits)


def asks_late(house: Property, person: Operator, waits: float) -> None:
    asks(house, person, waits)
    connection.close()


def open_jackpots(start: threading.Barrier) -> None:
    start.wait()
    for number in range(TIMES):
        a_jackpot(f"RACE-{number}")
    connection.close()


def number_on(start: threading.Barrier, done: threading.Event, read: list[list[int]]) -> int:
    """Numbers and reads what is there: each look must begin with the look before it."""
    start.wait()
    numbered = 0
    while not done.is_set():
        numbered += number_events()
        read.append(list(FeedEvent.objects.order_by("number").values_list("number", flat=True)))
    connection.close()
    return numbered


def test_two_workers_number_a_busy_house(fresh_database: str) -> None:
    house, person = a_property(), a_person("ann")
    start, done = threading.Barrier(4), threading.Event()
    looks: list[list[list[int]]] = [[], []]
    with ThreadPoolExecutor(4) as many:
        workers = [many.submit(number_on, start, done, look) for look in looks]
        acts = [many.submit(ask_and_refuse, house, person, start), many.submit(open_jackpots, start)]
        for each in acts:
            each.result()
        done.set()
        numbered = sum(each.result() for each in workers) + number_events()
    numbers = list(FeedEvent.objects.order_by("number").values_list("number", flat=True))
    assert numbers == list(range(1, numbered + 1))
    for seen in itertools.chain.from_iterable(looks):
        assert seen == numbers[: len(seen)], "what could be read had a gap, or a number came behind it"
    keys = set(FeedEvent.objects.values_list("key", flat=True))
    asked = Request.objects.count()
    assert (asked, Jackpot.objects.count(), UnnumberedEvent.objects.count()) == (2 * TIMES, TIMES, 0)
    assert sum(key.endswith("/asked") for key in keys) == asked
    assert sum(key.endswith("/decided") for key in keys) == TIMES
    books = Entry.objects.exclude(kind__in=UNTOLD).values_list("jackpot_id", "seq")
    assert {f"books/{jackpot}/{seq}" for jackpot, seq in books} == {key for key in keys if key.startswith("books/")}
    assert len(keys) == len(numbers)
