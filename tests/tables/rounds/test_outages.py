"""A box that was not heard: one event with both its times, and what was played meanwhile."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import DatabaseError, transaction
from django.test import Client
from django.utils import timezone

from tables.floor.models.device import Device
from tables.floor.models.outage import SILENT_FOR, Outage
from tables.gateway.actions.device import Heard, seen
from tables.gateway.actions.greeting import hello
from tables.rounds.models.round import Round
from tables.rounds.queries.outages import outages, silent_since
from tests.builders import a_casino, a_person
from tests.jackpot.books.api_scene import play


def heard(box: Device, at: datetime) -> None:
    seen(devices={box.code: Heard(at)})


@pytest.fixture
def box() -> Any:
    casino = a_casino()
    Device.objects.update(state="active")
    return casino.controller


@pytest.mark.django_db
@pytest.mark.parametrize(("silent", "noted"), [(SILENT_FOR - timedelta(milliseconds=1), 0), (SILENT_FOR, 1)])
def test_a_silence_is_an_outage_from_fifteen_seconds_on(box: Device, silent: timedelta, noted: int) -> None:
    before = timezone.now() - timedelta(minutes=5)
    heard(box, before)
    heard(box, before + silent)
    assert Outage.objects.count() == noted


@pytest.mark.django_db
def test_it_lasts_from_the_last_word_to_the_first_one_after_and_is_noted_once(box: Device) -> None:
    before = timezone.now() - timedelta(minutes=5)
    heard(box, before)
    heard(box, before + timedelta(seconds=60))
    for second in range(61, 70):
        heard(box, before + timedelta(seconds=second))
    row = Outage.objects.get()
    assert (row.began_at, row.ended_at, row.table_state) == (before, before + timedelta(seconds=60), "open")
    for change in (lambda: Outage.objects.update(ended_at=timezone.now()), lambda: Outage.objects.all().delete()):
        with pytest.raises(DatabaseError, match="permission denied"), transaction.atomic():
            change()


@pytest.mark.django_db
def test_a_box_that_greets_after_a_restart_of_anybody_ends_it_as_well(box: Device) -> None:
    hello(device_code=box.code, version="2.0.0", connection="one")
    Device.objects.update(last_seen_at=timezone.now() - timedelta(seconds=90))  # an earlier time ends nothing
    assert not Outage.objects.exists()
    hello(device_code=box.code, version="2.0.0", connection="two")
    assert Outage.objects.get().lasted >= timedelta(seconds=90)


@pytest.mark.django_db
def test_pit_api_and_report_show_both_times_and_what_was_told_later(box: Device) -> None:
    begin = timezone.now() - timedelta(seconds=120)
    heard(box, begin)
    play(box, 1, "125")
    play(box, 2, "1")
    Round.objects.filter(number=1).update(played_at=begin + timedelta(seconds=30))
    heard(box, begin + timedelta(seconds=60))
    reader = a_person("reader", may=("read_books", "see"))
    (row,) = outages(reader)
    assert row.stored == 1, "of round 1 only the box said that it was played in the outage"
    client = Client()
    client.force_login(reader)
    (told,) = client.get("/api/v1/outages/?table=UTH-01").json()["results"]
    assert (told["table"], told["device"], told["seconds"], told["stored"]) == ("UTH-01", "UTH-01-C", 60, 1)
    assert client.get("/api/v1/outages/?table=UTH-09").json()["results"] == []
    page = client.get("/pit/tables/UTH-01/").content.decode()
    assert "Its box was not heard" in page
    assert "1 coin-in told later" in page
    (line,) = client.get("/api/v1/reports/outages/?from=today&to=today").json()["results"]
    assert (line["device"], line["lasted"], line["stored"]) == ("UTH-01-C", 60, 1)


@pytest.mark.django_db
def test_a_box_that_is_silent_now_says_since_when(box: Device) -> None:
    now = timezone.now()
    heard(box, now - timedelta(seconds=20))
    assert silent_since(box.table, now) == now - timedelta(seconds=20)  # type: ignore[arg-type]
    assert silent_since(box.table, now - timedelta(seconds=10)) is None  # type: ignore[arg-type]
