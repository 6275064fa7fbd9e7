"""How often an approval goes to the database: beside full coin-in each trip costs a turn of Python's lock."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from jackpot.wins.models import Win
from tables.floor.models.device import Device
from tables.gateway.acts import act_of_device
from tables.gateway.messages import Message
from tables.gateway.speakers import Speakers
from tables.hits.actions import hit
from tables.rounds.actions.round import post_messages
from tables.rounds.rules.round import CoinInRequest, Credential, DeviceRequest, EndRequest
from tests.hands import with_cards
from tests.scenes_wins import SUPERVISOR, WinFloor
from tests.trips import Trips, trips_of

pytestmark = pytest.mark.race

# That it is heard; what it meets; the locks with all that it must know; all that it writes; the commit.
TRIPS = 5
STATEMENTS = 19


@pytest.fixture
def floor(fresh_database: str) -> WinFloor:
    return WinFloor()


def approval(floor: WinFloor, folder: Path, hands: dict[int, str]) -> Trips:
    """A card at the box, for hands that were marked, asked for and shown."""
    floor.rounds[0] += 1
    code, device = floor.casino.table.code, Device.objects.get(pk=floor.casino.controller.pk)
    place: dict[str, Any] = {"table_code": code, "round_number": floor.rounds[0]}
    post_messages([DeviceRequest(code, device.pk, 0, CoinInRequest(floor.rounds[0], "1234567"))])
    for seat, hand in hands.items():
        hit.mark(**place, seat=seat, hand=hand, by="Test Dealer")
    hit.confirm(**place, by="Test Supervisor")
    with_cards(**place)
    (speaker,) = Speakers().read(codes=[device.code])
    assert speaker is not None
    spoken = Credential(device.generation, device.last_sequence + 1)
    swiped = Message(1, "card", {"do": "card", "round": floor.rounds[0], "card": SUPERVISOR})
    answers: list[Any] = []
    act = partial(act_of_device, speaker=speaker, message=swiped, spoken=spoken)
    counted = trips_of(lambda: answers.append(act()), folder)
    assert sorted(win["seat"] for win in answers[0]["wins"]) == sorted(hands)
    post_messages([DeviceRequest(code, device.pk, 0, EndRequest(floor.rounds[0]))])
    return counted


def test_an_approval_goes_five_times_to_the_database(floor: WinFloor, tmp_path: Path) -> None:
    approval(floor, tmp_path, {2: "five"})  # terms that nobody in this process has read yet
    found = approval(floor, tmp_path, {2: "five"})
    assert (found.trips, found.statements) == (TRIPS, STATEMENTS), found.wire
    assert Win.objects.filter(slip__isnull=False).count() == 2


def test_more_hits_are_more_statements_and_no_more_trips(floor: WinFloor, tmp_path: Path) -> None:
    approval(floor, tmp_path, {2: "five"})
    found = approval(floor, tmp_path, {2: "four", 5: "four"})
    assert (found.trips, found.statements) == (TRIPS, STATEMENTS + 2), found.wire
