"""What a controller says and hears of several wagers; at a table with one it hears nothing of them."""

from __future__ import annotations

from typing import Any

import pytest

from jackpot.property.models.property import Property
from tables.gateway.actions.greeting import hello, table_facts
from tables.gateway.messages import NotAMessage, read_message
from tables.hits.queries.progress import progress_of
from tables.hits.rules.lamps import lamps_of_table
from tables.rounds.models.round import Round
from tables.rounds.models.sensor import SensorEvent
from tables.rounds.queries.hands_played import hands_played
from tables.rounds.rules.further import FurtherSeats
from tests.builders import a_casino
from tests.controller import HttpController
from tests.tables.gateway.test_gateway import secret_for
from tests.tables.wagers_scene import TwoWagers

pytestmark = pytest.mark.django_db


@pytest.fixture
def box(indoors: Any) -> HttpController:
    device = TwoWagers().casino.controller
    device.state = "waiting"
    device.save()
    return HttpController(indoors, device, secret_for(device))


def test_a_coin_in_names_the_seats_of_each_wager(box: HttpController) -> None:
    said = {"do": "coin_in", "round": 1, "seats": [1, 2, 5], "spots": "1100100"}
    status, answer = box.say(id=1, **said, further={"MEGA": [6, 2]}, further_spots={"MEGA": "0100010"})
    assert (status, answer["coin_in"]) == (
        200, {"seats": [1, 2, 5], "total": "3.00", "further": {"MEGA": {"seats": [2, 6], "total": "10.00"}}},
    )  # fmt: skip
    again = box.say(id=2, do="coin_in", round=1, seats=[1, 2, 5], further={"MEGA": [2, 6]})[1]
    assert again["repeat"] is True
    told = table_facts(box.device.table)
    assert told["open_round"]["further"] == {"MEGA": [2, 6]}
    assert (told["wager"], told["wager_name"], told["further"]) == (
        "1.00", "Progressive", [{"wager": "MEGA", "name": "Mega Royal", "chip": "5.00", "jackpots": ["MEGA"]}],
    )  # fmt: skip


def test_a_recount_over_the_wire_counts_every_wager(box: HttpController) -> None:
    box.say(id=1, do="coin_in", round=1, seats=[1], further={"MEGA": [2]})
    status, answer = box.say(
        id=2, do="recount", round=1, seats=[1, 3], spots="", further={"MEGA": [2, 4]}, card="600000000001", pin="640318"
    )
    assert (status, answer["coin_in"]["further"]["MEGA"]["seats"]) == (200, [2, 4])


def test_the_signs_of_a_further_wager_have_alarms_of_their_own(box: HttpController) -> None:
    assert box.say(id=1, do="spots", spots="1000000", further_spots={"MEGA": "0100000"})[0] == 200
    box.say(id=2, do="coin_in", round=1, seats=[1], further={"MEGA": []})
    (event,) = SensorEvent.objects.all()
    assert (event.seat, event.alarm, event.wager) == (2, "removed_before_lock", "MEGA")
    box.say(id=3, do="spots", spots="1000000", further_spots={"MEGA": "0000100"})
    assert [(each.seat, each.alarm, each.wager) for each in SensorEvent.objects.order_by("-id")[:1]] == [
        (5, "chip_after_lock", "MEGA")
    ]
    status, refused = box.say(id=4, do="spots", spots="", further_spots={"BIG": "1"})
    assert (status, refused["code"]) == (400, "wager")


def test_lamps_are_told_wager_by_wager() -> None:
    table = TwoWagers()
    table.coin_in("125", "26")
    table.mark(6)
    table.confirm()
    table.card()
    progress = progress_of(table_codes=["UTH-01"], shown=["UTH-01"])["UTH-01"]
    further = table_facts(table.casino.table)["further"]
    assert lamps_of_table(7, progress, further, lambda _: "") == {
        "lamps": ["counted", "counted", "off", "off", "counted", "off", "off"],
        "further_lamps": {"MEGA": ["off", "winner", "off", "off", "off", "winner", "off"]},  # seat 2 envies
    }


def test_a_table_with_one_wager_hears_what_it_always_heard() -> None:
    casino = a_casino()
    told = hello(device_code=casino.controller.code, version="1", connection="x")
    assert not told.keys() & {"further", "wager_name"}
    progress = progress_of(table_codes=["UTH-01"], shown=[])["UTH-01"]
    assert lamps_of_table(7, progress, [], lambda _: "") == {"lamps": ["off"] * 7}


@pytest.mark.parametrize(
    "further", [[1], {"MEGA": [0]}, {"MEGA": [1, 1]}, {"mega": [1]}, {"MEGA": "1"}, {f"W{n}": [1] for n in range(9)}]
)
def test_what_is_no_wager_of_a_message_is_refused(further: Any) -> None:
    import orjson

    body = orjson.dumps({"do": "coin_in", "round": 1, "seats": [1], "further": further})
    with pytest.raises(NotAMessage, match=r"further|seats"):
        read_message(body).coin_in()


def test_what_is_not_played_is_as_good_as_not_said() -> None:
    said = b'{"do":"coin_in","round":1,"seats":[],"further":{"MEGA":[],"BIG":[2]},"further_spots":{"MEGA":"00"}}'
    assert read_message(said).coin_in().further == (FurtherSeats("BIG", "2"), FurtherSeats("MEGA", "", "00"))


def test_whoever_has_a_chip_on_any_wager_is_one_player_of_a_collection() -> None:
    floor = TwoWagers()
    floor.coin_in("125", "26")
    floor.coin_in("", "3")
    floor.coin_in("1")
    house = Property.objects.get()
    day = Round.objects.first().gaming_day  # type: ignore[union-attr]
    (played,) = hands_played(house, day, day).values()
    assert (played.hands, played.chips) == (3, 6), "1, 2, 5, 6; 3; 1"
