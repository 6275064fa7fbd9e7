"""Sums beside coin-ins, ENDs and voids of other threads: in every snapshot they say what the rounds come to."""

from __future__ import annotations

import threading
from contextlib import suppress

import pytest
from django.db import connection, transaction

from jackpot.refusals import Refused
from tables.hits.actions.undo import void_round
from tables.play_sums.actions import sum_play
from tables.play_sums.models import ChangedPlay, SummedPlay
from tables.rounds.models.round import Round
from tests.races.test_books import at_once
from tests.races.test_round_races import opened, plays_until
from tests.tables.play_sums.sums_scene import agree

pytestmark = pytest.mark.race
LOOKS = 40


def test_whoever_looks_while_others_play_void_and_add_up_sees_the_rounds(fresh_database: str) -> None:
    casino = opened(tables=3)
    over = threading.Event()

    def voids() -> None:
        while not over.is_set():
            newest = Round.objects.filter(table=casino.tables[0]).order_by("-number").first()
            for number in range(1, newest.number if newest else 1, 7):
                with suppress(Refused):
                    void_round(table_code="UTH-01", round_number=number, reason="misdeal", by="tests")

    def adds_up() -> None:
        while not over.is_set():
            with transaction.atomic():
                sum_play()

    def looks() -> None:
        try:
            for _ in range(LOOKS):
                with transaction.atomic():
                    connection.cursor().execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
                    assert agree(casino.premises.pk)
        finally:
            over.set()

    plays = [lambda device=device: plays_until(device, over, "125") for device in casino.controllers]
    acts = [*plays, voids, adds_up, looks]
    assert at_once(lambda number: acts[number](), len(acts)) == []
    assert sum_play()
    assert agree(casino.premises.pk)
    assert ChangedPlay.objects.exists()
    assert SummedPlay.objects.count() == len(casino.tables)
