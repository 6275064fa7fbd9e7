from __future__ import annotations

import pytest

from tables.rounds.queries import round_lists
from tests.builders import a_casino, a_jackpot
from tests.jackpot.books.api_scene import a_played_casino, play, signed_in

pytestmark = pytest.mark.django_db


def test_a_round_tells_what_was_counted_once() -> None:
    a_played_casino()
    told = signed_in("see").get("/api/v1/rounds/UTH-02/1/").json()
    assert (told["seats"], told["coin_in"], told["revision"], told["state"]) == ([1, 2], "2.00", 2, "open")


def test_a_recounted_round_shows_first_count_contra_and_new_count() -> None:
    a_played_casino()
    entries = signed_in("see").get("/api/v1/rounds/UTH-02/1/").json()["entries"]
    assert [(row["jackpot"], row["seq"], row["kind"], row["movement"]["meter"]) for row in entries] == [
        ("GRAND", 4, "coin_in", "2.10"),
        ("GRAND", 5, "recount", "-2.10"),
        ("GRAND", 6, "coin_in", "1.40"),
    ]


def test_a_voided_round_shows_coin_in_and_contra() -> None:
    a_played_casino()
    entries = signed_in("see").get("/api/v1/rounds/UTH-01/1/").json()["entries"]
    assert [(row["seq"], row["kind"], row["corrects"]) for row in entries] == [(2, "coin_in", None), (3, "void", 2)]


def test_a_round_that_feeds_two_jackpots_shows_both_entries_and_one_coin_in() -> None:
    grand, mini = a_jackpot("GRAND", rate="60"), a_jackpot("MINI", rate="10", pay_table=_one_line())
    casino = a_casino(jackpots=[grand, mini])
    play(casino.controller, 1, "1")
    told = signed_in("see").get("/api/v1/rounds/UTH-01/1/").json()
    assert [(row["jackpot"], row["movement"]["meter"]) for row in told["entries"]] == [
        ("GRAND", "0.60"),
        ("MINI", "0.10"),
    ]
    assert told["coin_in"] == "1.00"


def test_a_round_without_a_chip_has_no_entry() -> None:
    casino = a_casino()
    play(casino.controller, 1, "")
    told = signed_in("see").get("/api/v1/rounds/UTH-01/1/").json()
    assert (told["entries"], told["coin_in"], told["seats"]) == ([], "0.00", [])


def test_rounds_are_paged_across_tables_without_a_gap() -> None:
    casino = a_casino(tables=2)
    for number in (1, 2):
        for controller in casino.controllers:
            play(controller, number, "1")
    client, found, address = signed_in("see"), [], "/api/v1/rounds/?limit=3"
    while address:
        page = client.get(address).json()
        found += [(row["table"], row["number"]) for row in page["results"]]
        address = page["next"]
    assert found == [("UTH-01", 2), ("UTH-01", 1), ("UTH-02", 2), ("UTH-02", 1)]


@pytest.mark.parametrize(
    ("question", "found"), [("table=UTH-01", 1), ("state=void", 1), ("state=open", 1), ("day=1999-01-01", 0)]
)
def test_rounds_are_filtered(question: str, found: int) -> None:
    a_played_casino()
    assert len(signed_in("see").get(f"/api/v1/rounds/?{question}").json()["results"]) == found


@pytest.mark.parametrize("question", ["state=ended", "state=void", "day=1999-01-01", "table=UTH-02&state=ended"])
def test_a_page_looks_through_so_many_rounds_and_says_where_it_goes_on(
    question: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    casino = a_casino(tables=2)
    for number in (1, 2, 3):
        for controller in casino.controllers:
            play(controller, number, "1")
    client = signed_in("see")
    rounds = [(f"UTH-0{table}", number) for table in (1, 2) for number in (3, 2, 1)]
    fitting = [
        each for each in rounds if "state=ended" in question and ("table" not in question or each[0] == "UTH-02")
    ]
    monkeypatch.setattr(round_lists, "LOOKED_AT", 2)
    found, pages, address = [], 0, f"/api/v1/rounds/?{question}&limit=3"
    while address:
        page = client.get(address).json()
        assert len(page["results"]) <= 2
        found += [(row["table"], row["number"]) for row in page["results"]]
        pages, address = pages + 1, page["next"]
    assert found == fitting
    assert pages == (2 if "table" in question else 4)


def _one_line() -> object:
    from tests.builders import a_pay_table

    return a_pay_table(code="mini", lines=[{"code": "quads_mini", "name": "Four of a kind", "part": "1"}])
