from __future__ import annotations

import csv
from collections.abc import Iterator
from io import StringIO
from typing import Any

import pytest

from tests.jackpot.books.api_scene import a_played_casino, signed_in
from tests.living import Live
from tests.patience import PATIENCE


def rows(answer: Any) -> list[dict[str, str]]:
    streamed: Iterator[bytes] = answer.streaming_content
    return list(csv.DictReader(StringIO(b"".join(streamed).decode())))


@pytest.mark.django_db
def test_the_export_holds_every_entry_oldest_first_and_exactly() -> None:
    a_played_casino()
    answer = signed_in().get("/jackpots/GRAND/entries.csv")
    found = rows(answer)
    assert answer.headers["Content-Disposition"] == 'attachment; filename="GRAND-entries-1-6.csv"'
    assert [row["seq"] for row in found] == ["1", "2", "3", "4", "5", "6"]
    assert (found[1]["meter"], found[1]["meter_after"], found[1]["contributed"]) == ("3.50", "20003.50", "-3.75")
    assert found[2]["why"].startswith("Round 1 at UTH-01 was voided")


@pytest.mark.django_db
def test_the_export_answers_the_question_of_the_ledger() -> None:
    a_played_casino()
    assert [row["seq"] for row in rows(signed_in().get("/jackpots/GRAND/entries.csv?falls=on"))] == ["3", "5"]


@pytest.mark.django_db
def test_the_export_is_whole_however_small_its_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jackpot.books.pages.export.CHUNK", 2)
    a_played_casino()
    assert len(rows(signed_in().get("/jackpots/GRAND/entries.csv"))) == 6


@pytest.mark.django_db
def test_a_question_that_cannot_be_meant_exports_nothing() -> None:
    a_played_casino()
    assert signed_in().get("/jackpots/GRAND/entries.csv?q=!!").status_code == 400


def test_the_living_server_streams_the_same(live: Live) -> None:
    from urllib.request import Request, urlopen

    a_played_casino()
    session = signed_in().cookies["sessionid"].value
    asked = Request(f"{live.url}/jackpots/GRAND/entries.csv", headers={"Cookie": f"sessionid={session}"})
    with urlopen(asked, timeout=PATIENCE) as answer:
        found = list(csv.DictReader(StringIO(answer.read().decode())))
    assert [row["seq"] for row in found] == ["1", "2", "3", "4", "5", "6"]
