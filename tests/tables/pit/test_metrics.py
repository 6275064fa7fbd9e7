from __future__ import annotations

import pytest
from django.test import Client

from tests.jackpot.books.api_scene import a_played_casino, signed_in

pytestmark = pytest.mark.django_db


def test_a_scraper_on_this_machine_reads_meters_rounds_and_devices() -> None:
    a_played_casino()
    answer = Client().get("/api/v1/metrics")
    lines = answer.content.decode().splitlines()
    assert answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")
    assert 'fairmeter_meter{jackpot="GRAND"} 20001.40' in lines
    assert 'fairmeter_entries_total{jackpot="GRAND"} 6' in lines
    assert 'fairmeter_rounds_total{table="UTH-01"} 1' in lines
    assert 'fairmeter_devices_active{kind="controller"} 2' in lines
    assert "# TYPE fairmeter_meter gauge" in lines


@pytest.mark.parametrize(
    "from_where", [{"REMOTE_ADDR": "10.0.0.9"}, {"HTTP_X_FORWARDED_FOR": "10.0.0.9"}, {"REMOTE_ADDR": ""}]
)
def test_from_elsewhere_metrics_need_a_person(from_where: dict[str, str]) -> None:
    assert Client().get("/api/v1/metrics", **from_where).status_code == 401
    assert signed_in("see").get("/api/v1/metrics", **from_where).status_code == 200
