from __future__ import annotations

from typing import Any

import pytest

from jackpot.books import queries
from tests.jackpot.books.api_scene import a_played_casino, play, signed_in

pytestmark = pytest.mark.django_db

ENTRIES = "/api/v1/jackpots/GRAND/entries/"


def seqs(answer: Any) -> list[int]:
    return [row["seq"] for row in answer.json()["results"]]


def test_every_entry_is_there_newest_first_with_movement_and_balances() -> None:
    a_played_casino()
    rows = signed_in().get(ENTRIES).json()["results"]
    assert [row["seq"] for row in rows] == [6, 5, 4, 3, 2, 1]
    coin_in = rows[4]
    assert coin_in["movement"]["meter"] == "3.50"
    assert coin_in["movement"]["contributed"] == "-3.75"
    assert coin_in["after"]["meter"] == "20003.50"
    assert (coin_in["table"], coin_in["round"], coin_in["key"]) == ("UTH-01", 1, "UTH-01/1/1")
    assert len(coin_in["seal"]) == len(coin_in["request"]) == 64


def test_why_did_the_meter_fall_is_answered_by_one_filter() -> None:
    a_played_casino()
    rows = signed_in().get(f"{ENTRIES}?falls=true").json()["results"]
    assert [(row["seq"], row["kind"], row["corrects"]) for row in rows] == [(5, "recount", 4), (3, "void", 2)]
    assert rows[1]["why"] == "Round 1 at UTH-01 was voided; what its coin-in had brought (entry 2) was taken back."


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("kind=coin_in", [6, 4, 2]),
        ("kind=void", [3]),
        ("table=UTH-02", [6, 5, 4]),
        ("table=UTH-01&round=1", [3, 2]),
        ("round=1&kind=coin_in&table=UTH-02", [6, 4]),
        ("table=UTH-09", []),
        ("day=1999-12-31", []),
        ("order=seq&limit=2", [1, 2]),
        ("order=seq&cursor=4", [5, 6]),
        ("cursor=3", [2, 1]),
        ("cursor=9223372036854775807", [6, 5, 4, 3, 2, 1]),
    ],
)
def test_the_books_are_filtered_and_ordered(question: str, found: list[int]) -> None:
    a_played_casino()
    assert seqs(signed_in().get(f"{ENTRIES}?{question}")) == found


def test_the_gaming_day_finds_what_was_posted_on_it() -> None:
    a_played_casino()
    client = signed_in()
    day = client.get(ENTRIES).json()["results"][0]["gaming_day"]
    assert len(seqs(client.get(f"{ENTRIES}?day={day}"))) == 6


def test_pages_stay_the_same_while_the_house_plays_on() -> None:
    casino = a_played_casino()
    client = signed_in()
    first = client.get(f"{ENTRIES}?limit=3")
    play(casino.controllers[0], 2, "1234567")
    second = client.get(first.json()["next"])
    assert seqs(first) + seqs(second) == [6, 5, 4, 3, 2, 1]


@pytest.mark.parametrize("order", ["seq", "-seq"])
@pytest.mark.parametrize("question", ["table=UTH-01", "table=UTH-02&kind=coin_in", "round=1", "table=UTH-09"])
def test_a_page_looks_through_so_many_entries_and_says_where_it_goes_on(
    question: str, order: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_played_casino()
    client, asked = signed_in(), f"{ENTRIES}?{question}&order={order}"
    whole = client.get(asked).json()
    assert whole["next"] is None
    monkeypatch.setattr(queries, "LOOKED_AT", 2)
    found: list[int] = []
    pages, address = 0, asked
    while address:
        page = client.get(address)
        assert len(seqs(page)) <= 2
        found, pages, address = found + seqs(page), pages + 1, page.json()["next"]
    assert found == [row["seq"] for row in whole["results"]]
    assert pages == 3


def test_what_an_index_finds_is_not_looked_for_piece_by_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    a_played_casino()
    monkeypatch.setattr(queries, "LOOKED_AT", 1)
    client = signed_in()
    for question, found in [("kind=void&table=UTH-01", [3]), ("falls=true&table=UTH-01", [3]), ("kind=mark", [])]:
        told = client.get(f"{ENTRIES}?{question}")
        assert (seqs(told), told.json()["next"]) == (found, None)


def test_a_day_is_looked_through_from_its_own_end(monkeypatch: pytest.MonkeyPatch) -> None:
    a_played_casino()
    client = signed_in()
    day = client.get(ENTRIES).json()["results"][0]["gaming_day"]
    monkeypatch.setattr(queries, "LOOKED_AT", 3)
    page = client.get(f"{ENTRIES}?day={day}&table=UTH-02")
    assert (seqs(page), seqs(client.get(page.json()["next"]))) == ([6, 5, 4], [])


def test_the_filter_travels_with_the_next_page() -> None:
    a_played_casino()
    client = signed_in()
    first = client.get(f"{ENTRIES}?falls=true&limit=1")
    assert "falls=true" in first.json()["next"]
    assert seqs(client.get(first.json()["next"])) == [3]


def test_a_page_costs_a_fixed_number_of_statements(django_assert_max_num_queries: Any) -> None:
    a_played_casino()
    client = signed_in()
    with django_assert_max_num_queries(7):
        client.get(f"{ENTRIES}?limit=500")


@pytest.mark.parametrize(
    "question", ["day=2026-11-19&day=2026-11-18", "falls=1&falls=0", "day=20261119", "day=2026-W47-4"]
)
def test_a_question_that_could_mean_two_things_is_refused(question: str) -> None:
    a_played_casino()
    refused = signed_in().get(f"{ENTRIES}?{question}")
    assert (refused.status_code, refused.json()["ok"]) == (400, False)
    assert "Say it once." in refused.json()["why"] or "such as 2026-11-18" in refused.json()["why"]
