from __future__ import annotations

import pytest
from django.utils import timezone

from tables.floor.models.device import Device
from tests.builders import a_casino, a_jackpot, a_property, a_table
from tests.jackpot.books.api_scene import a_played_casino, play, signed_in
from tests.tables.wagers_scene import TwoWagers

pytestmark = pytest.mark.django_db


def test_a_table_tells_its_state_its_jackpots_and_its_last_round() -> None:
    a_played_casino()
    told = signed_in("see").get("/api/v1/tables/UTH-02/").json()
    assert (told["state"], told["wager"], told["seats"]) == ("open", "1.00", 7)
    assert [(level["level"], level["jackpot"]) for level in told["jackpots"]] == [(1, "GRAND")]
    assert (told["last_round"]["number"], told["last_round"]["state"]) == (1, "open")
    assert told["last_round"]["seats"] == [1, 2]


def test_a_table_names_its_further_wagers_with_what_they_feed() -> None:
    TwoWagers()
    client = signed_in("see")
    one, (listed,) = client.get("/api/v1/tables/UTH-01/").json(), client.get("/api/v1/tables/").json()["results"]
    for told in (one, listed):
        assert (told["wager"], told["wager_name"]) == ("1.00", "Progressive")
        assert told["further"] == [{"code": "MEGA", "name": "Mega Royal", "chip": "5.00", "jackpots": ["MEGA"]}]


def test_a_table_of_one_wager_names_none() -> None:
    a_casino()
    told = signed_in("see").get("/api/v1/tables/UTH-01/").json()
    assert (told["wager_name"], told["further"]) == ("", [])


def test_a_table_that_never_played_has_no_last_round() -> None:
    a_casino()
    told = signed_in("see").get("/api/v1/tables/UTH-01/").json()
    assert (told["last_round"], told["link"]) == (None, "none")


def test_a_controller_heard_a_moment_ago_is_up() -> None:
    casino = a_casino()
    play(casino.controller, 1, "1")
    Device.objects.update(last_seen_at=timezone.now())
    assert signed_in("see").get("/api/v1/tables/UTH-01/").json()["link"] == "up"


def test_tables_are_filtered_by_state_and_jackpot() -> None:
    a_casino(tables=2)
    a_table("MINI-1", a_jackpot("MINI"))
    client = signed_in("see")
    codes = [row["code"] for row in client.get("/api/v1/tables/?jackpot=GRAND").json()["results"]]
    assert codes == ["UTH-01", "UTH-02"]
    assert client.get("/api/v1/tables/?state=held").json()["results"] == []


def test_ten_tables_cost_as_many_statements_as_one(django_assert_max_num_queries: object) -> None:
    a_casino(tables=10)
    client = signed_in("see")
    with django_assert_max_num_queries(8):  # type: ignore[operator]
        assert len(client.get("/api/v1/tables/").json()["results"]) == 10


def test_the_table_of_another_house_is_not_there() -> None:
    a_casino(premises=a_property("OTHER"))
    client = signed_in("see", premises=a_property("OURS"))
    assert client.get("/api/v1/tables/UTH-01/").status_code == 404
    assert client.get("/api/v1/rounds/").json()["results"] == []


def test_without_the_gateway_nothing_looks_counted() -> None:
    a_casino()
    answer = signed_in("see").post(
        "/api/v1/tables/UTH-01/messages", {"do": "coin_in", "round": 1, "seats": [1]}, content_type="application/json"
    )
    assert (answer.status_code, answer.json()["ok"], answer.json()["code"]) == (503, False, "no_gateway")
