"""A table beside what is expected of it: its own hours, the ceiling of its game, and the alarm beyond reason."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.db import DatabaseError, transaction
from django.test import Client
from django.utils import timezone

from accounting.alarms.queries.finding import findings
from jackpot.errands.actions import put_up
from jackpot.money import Money
from jackpot.property.models.property import Property
from jackpot.trail.models import Trail
from tables.floor.models.device import Device
from tables.floor.models.table import Table
from tables.rounds.actions.play_hours import RHYTHM, write_hours
from tables.rounds.models.play_hour import PlayHour
from tables.rounds.models.round import Round
from tables.rounds.rules.expectation import bound, ceiling, expectation
from tables.rounds.tasks import write_play_hours
from tests.builders import a_casino, a_person
from tests.jackpot.books.api_scene import play
from tests.tables.wagers_scene import TwoWagers

HOUR = timedelta(hours=1)
NOW = datetime(2026, 11, 19, 14, 20, tzinfo=UTC)


def money(text: str) -> Money:
    return Money.of(text)


def test_the_ceiling_is_a_chip_of_every_wager_on_every_seat_of_every_round() -> None:
    assert ceiling([money("1"), money("5")], 20, 7, 9) == money("5040")  # 6.00 × 120 rounds × 7 seats
    assert ceiling([money("1")], 20, 7, 4) == money("480"), "the most seats of the house"


def test_own_hours_count_once_there_are_enough_of_them_and_never_above_the_ceiling() -> None:
    assert expectation(23, money("690"), 2) is None
    assert expectation(24, money("100"), 2) == money("4.16")
    assert (expectation(24, money("100"), 0), expectation(24, money("100"), 3)) == (money("4"), money("4.166"))
    assert bound(None, 300, money("480")) == money("480")
    assert bound(money("40"), 300, money("480")) == money("120")
    assert bound(money("200"), 300, money("480")) == money("480")


@pytest.fixture
def box() -> Any:
    with time_machine.travel(NOW, tick=False):
        casino = a_casino()
        Property.objects.update(unreasonable_share=300)
        Device.objects.update(state="active")
        yield casino.controller


def played(box: Device, first: int, last: int, seats: str = "125") -> None:
    """Rounds of this hour, three chips of 1.00 each."""
    for number in range(first, last + 1):
        play(box, number, seats)
    Round.objects.update(played_at=NOW)


def hours(table: Table, coin_in: str = "10.00", count: int = 24, since: int = 2) -> None:
    """So many hours of play before this one."""
    begins = NOW.replace(minute=0)
    PlayHour.objects.bulk_create(
        PlayHour(
            table=table, begins_at=begins - each * HOUR, last_round=0, rounds=9, coin_in=coin_in, bound=480,
            above=False,
        )
        for each in range(since, count + since)
    )  # fmt: skip


def rings() -> list[str]:
    return [each.words for each in findings(timezone.now()) if each.kind == "contribution"]


@pytest.mark.django_db
def test_an_hour_above_its_share_rings_while_it_runs_and_in_the_hour_after(box: Device) -> None:
    assert box.table is not None
    hours(box.table)
    played(box, 1, 10)
    assert rings() == [], "30.00 is not above 300 % of 10.00"
    played(box, 11, 11, "1")
    (words,) = rings()
    assert words.startswith(
        "UTH-01 took in 31.00 within an hour, with 10.00 expected by its own hours: more than 30.00. It feeds "
    )
    with time_machine.travel(NOW + HOUR, tick=False):
        assert write_hours() == 1
        (words,) = rings()
        assert "31.00 within an hour" in words
        row = PlayHour.objects.get(above=True)
        assert (row.rounds, str(row.coin_in_money), row.last_round) == (11, "31.00", 11)
        assert write_hours() == 0
    assert Trail.objects.filter(act="beyond_reason", outcome="alarm").count() == 1
    with time_machine.travel(NOW + 2 * HOUR, tick=False):
        assert rings() == []


@pytest.mark.django_db
def test_what_was_beyond_reason_is_no_measure_of_it_and_void_and_kept_back_rounds_are_no_play(box: Device) -> None:
    assert box.table is not None
    hours(box.table, count=23)
    PlayHour.objects.create(
        table=box.table, begins_at=NOW.replace(minute=0) - 30 * HOUR, last_round=0, rounds=9, coin_in="900.00",
        bound=480, above=True,
    )  # fmt: skip
    played(box, 1, 11)
    assert rings() == [], "23 hours are too few, and the ceiling of its game is 840.00"
    hours(box.table, count=1, since=40)
    assert "33.00 within an hour" in rings()[0]
    Round.objects.filter(number=1).update(state="void")
    assert rings() == []
    Round.objects.filter(number=1).update(state="ended")
    Round.objects.filter(number=2).update(kept_back="waiting")
    assert rings() == []


@pytest.mark.django_db
def test_where_the_house_has_no_share_nothing_is_looked_at(box: Device) -> None:
    assert box.table is not None
    hours(box.table)
    played(box, 1, 11)
    Property.objects.update(unreasonable_share=0)
    with time_machine.travel(NOW + HOUR, tick=False):
        assert (rings(), write_hours()) == ([], 0)


@pytest.mark.django_db
def test_chips_of_every_wager_count_and_the_questions_do_not_grow_with_the_tables(
    django_assert_max_num_queries: Any,
) -> None:
    with time_machine.travel(NOW, tick=False):
        floor = TwoWagers(unreasonable_share=300)
        table = floor.casino.tables[0]
        hours(table, "1.00")
        floor.coin_in("12", mega="2")
        Round.objects.update(played_at=NOW)
        assert "7.00 within an hour" in rings()[0]
        with django_assert_max_num_queries(40):
            findings(timezone.now())


@pytest.mark.django_db
def test_pit_page_worker_and_report_show_it_and_the_database_keeps_it(box: Device) -> None:
    assert box.table is not None
    hours(box.table)
    played(box, 1, 11)
    client = Client()
    client.force_login(a_person("reader", may=("read_books", "see")))
    page = client.get("/pit/tables/UTH-01/").content.decode()
    for words in ("Play of this hour", "$33.00", "$10.00 expected by its own hours", "That is beyond reason"):
        assert words in page, words
    with time_machine.travel(NOW + HOUR, tick=False):
        put_up([RHYTHM])
        write_play_hours()
        (row,) = client.get("/api/v1/reports/beyond-reason/?from=today&to=today").json()["results"]
    assert (row["table_code"], row["coin_in"], row["expected"], row["share"]) == ("UTH-01", "33.00", "10.00", 330)
    with pytest.raises(DatabaseError, match="permission denied"), transaction.atomic():
        PlayHour.objects.update(above=False)
