"""The books are proven while tables play on: a proof sees one moment, whatever is posted meanwhile."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from jackpot.proof.actions.heads import publish_heads
from jackpot.proof.queries.heads import heads_path
from tables.floor.models.device import Device
from tables.rounds.actions.round import post_messages
from tables.rounds.queries.prove import prove
from tables.rounds.queries.prove_file import export
from tables.rounds.rules.round import CoinInRequest, DeviceRequest, EndRequest, PostedAnswer
from tests.builders import Casino, a_casino

pytestmark = pytest.mark.race
TABLES = 4


@pytest.fixture
def casino(fresh_database: str, settings: Any, tmp_path: Path) -> Casino:
    settings.DATA_DIR = tmp_path
    casino = a_casino(tables=TABLES)
    Device.objects.update(state="active")
    return casino


def play(casino: Casino, place: int, over: threading.Event) -> None:
    table, device, number = casino.tables[place].code, casino.controllers[place].id, 0
    try:
        while not over.is_set():
            number += 1
            for ask in (CoinInRequest(number, "1357"), EndRequest(number)):
                assert isinstance(post_messages([DeviceRequest(table, device, number, ask)])[0], PostedAnswer)
    finally:
        connection.close()


def test_books_prove_and_are_exported_whole_while_tables_play(casino: Casino) -> None:
    over = threading.Event()
    tables = [threading.Thread(target=play, args=(casino, place, over)) for place in range(TABLES)]
    for table in tables:
        table.start()
    seen = []
    for _ in range(5):
        verdict = prove()
        publish_heads()
        last = list(export())[-1]
        seen.append((verdict.findings.listed, last["entry"] - 1 == last["round"] or last))
    over.set()
    for table in tables:
        table.join()
    assert seen == [([], True)] * 5
    assert prove().holds


def test_heads_published_by_two_workers_at_once_are_whole_lines(casino: Casino) -> None:
    def publish() -> None:
        publish_heads()
        connection.close()

    workers = [threading.Thread(target=publish) for _ in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(heads_path().read_text().splitlines()) == 1
    assert prove().holds
