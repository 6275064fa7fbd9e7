"""The other change of clocks: a night without the hour in which the day would roll."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, timedelta
from decimal import Decimal
from typing import Any

import pytest

from accounting.days.queries.days import state_on
from accounting.days.rules.day_life import DayState
from config.connections import pointed_at
from jackpot.books.models.entry import Entry
from jackpot.property.models.property import Property
from tests.databases import TestServer
from tests.journeys.week import SpringNight, differences, open_lines
from tests.moving_clock import hang_clock, moving_clock
from tests.scenes import changed_and_restored
from tests.stranger import nothing_disagrees


@pytest.fixture
def spring(test_server: TestServer, django_db_setup: None, django_db_blocker: Any) -> Iterator[Property]:
    name = test_server.clone(test_server.next_name())
    hang_clock(test_server, name)
    with moving_clock() as clock:
        with django_db_blocker.unblock(), pointed_at(test_server.url(test_server.app, name)):
            SpringNight(clock).play()
        with changed_and_restored(test_server, django_db_blocker, name):
            yield Property.objects.get()
    test_server.drop(name)


def test_the_night_without_an_hour_rolls_once_and_reconciles(spring: Property) -> None:
    saturday, sunday = SpringNight.begins, SpringNight.begins + timedelta(days=1)
    rows = Entry.objects.filter(table_code="UTH-01", kind="coin_in", jackpot__code="GRAND").order_by("seq")
    told = [f"{row.occurred_at.astimezone(UTC):%d %H:%M} {row.gaming_day:%a}" for row in rows]
    assert told == ["13 20:00 Sat", "14 06:50 Sat", "14 07:10 Sun", "14 19:00 Sun"]
    for day in (saturday, sunday):
        assert (state_on(spring, day), open_lines(spring, day)) == (DayState.CLOSED, [])
        assert {amount for amounts in differences(spring, day).values() for amount in amounts} == {Decimal(0)}
    assert nothing_disagrees()
