"""A file is loaded while tables play: nobody waits for somebody who waits for him."""

from __future__ import annotations

import itertools
import threading
from pathlib import Path

import pytest
from django.db import connection

from accounting.house_file.loader import load_casino
from jackpot.books.models.entry import Entry
from jackpot.books.models.jackpot import Jackpot
from jackpot.money import Money
from tables.floor.models.device import Device
from tables.floor.models.table import Table
from tables.rounds.actions.round import post_messages
from tables.rounds.rules.round import CoinInRequest, DeviceRequest, EndRequest, Outcome, PostedAnswer
from tables.setup.actions.enrol import enrol, invite
from tests.accounting.house_file.conftest import SMALL, Edited
from tests.patience import until

LOADS = 6


@pytest.mark.race
def test_tables_play_on_while_a_file_is_loaded_again_and_again(fresh_database: str, edited: Edited):
    load_casino(_of_seats(7, edited))
    device = Device.objects.get(code="T-1-C")
    enrol(code=invite(device=device, by="tests"))
    answers: list[Outcome] = []
    loaded = threading.Event()
    playing = threading.Thread(target=_play, args=(device.id, answers, loaded))
    playing.start()
    try:
        for number in range(LOADS):
            rounds = len(answers)
            load_casino(_of_seats(5 + number % 2, edited))
            until(lambda rounds=rounds: len(answers) > rounds or not playing.is_alive(), "the table plays on")
    finally:
        loaded.set()
        playing.join()
    assert all(isinstance(answer, PostedAnswer) for answer in answers)
    rounds, rest = divmod(len(answers), 2)
    assert (rounds >= LOADS // 2, rest) == (True, 0)
    grand, mini = Jackpot.objects.get(code="GRAND"), Jackpot.objects.get(code="MINI")
    assert grand.meter_money == Money.of("10000.00") + Money.of("0.70") * 2 * rounds
    assert mini.meter_money == Money.of("180.25") + Money.of("0.10") * 2 * rounds
    assert Entry.objects.filter(jackpot=grand).count() == grand.last_seq == rounds + 1


@pytest.mark.race
def test_two_loads_at_once_make_one_casino(fresh_database: str):
    made: list[int] = []
    threads = [threading.Thread(target=_load, args=(made,)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert min(made) == 0
    assert max(made) > 0
    assert Table.objects.count() == 2


def _of_seats(seats: int, edited: Edited) -> Path:
    """A house that believes however many rounds in a second."""
    path = edited("seats = 7", f"seats = {seats}")
    path.write_text(path.read_text().replace("[property]", "[property]\nplausible_play = false", 1))
    return path


def _play(device_id: int, answers: list[Outcome], loaded: threading.Event) -> None:
    for number in itertools.count(1):
        for place, ask in enumerate((CoinInRequest(number, "14"), EndRequest(number))):
            answers.extend(post_messages([DeviceRequest("T-1", device_id, number * 2 + place, ask)]))
        if loaded.is_set():
            break
    connection.close()


def _load(made: list[int]) -> None:
    made.append(len(load_casino(SMALL).changes))
    connection.close()
