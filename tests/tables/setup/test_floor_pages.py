from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from jackpot.money import Money
from jackpot.web.templatetags.figures import figure
from tables.floor.actions.state import set_table_state
from tables.floor.models.table import TableState
from tables.rounds.models.round import Round
from tables.rounds.queries import round_lists
from tables.setup.pages.tiles import age_words
from tests.builders import a_casino, a_jackpot, a_table
from tests.jackpot.books.api_scene import a_played_casino, play, signed_in

pytestmark = pytest.mark.django_db


def test_a_tile_tells_state_round_seats_link_and_meter() -> None:
    a_played_casino()
    page = signed_in("see").get("/tables/").content.decode()
    for words in ("UTH-01", "Round 1 void", "Round 1 running", "2 of 7 seats counted", "20,001.40", "link down"):
        assert words in page


def test_a_held_table_says_why() -> None:
    casino = a_casino()
    set_table_state(table=casino.table, state=TableState.HELD, by="ann", why="Counters disagree")
    page = signed_in("see").get("/tables/").content.decode()
    assert "held" in page
    assert "Counters disagree" in page


def test_the_floor_can_show_the_tables_of_one_jackpot() -> None:
    a_casino(tables=2)
    a_table("MINI-1", a_jackpot("MINI"))
    page = signed_in("see").get("/tables/?jackpot=MINI").content.decode()
    assert "MINI-1" in page
    assert "UTH-01" not in page


def test_an_empty_floor_says_so() -> None:
    assert "No table here" in signed_in("see").get("/tables/").content.decode()


def test_the_tiles_are_fetched_alone() -> None:
    a_casino()
    assert "<html" not in signed_in("see").get("/tables/", HTTP_HX_REQUEST="true").content.decode()


def test_rounds_of_a_table_are_paged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tables.setup.pages.floor.PAGE", 2)
    casino = a_casino()
    for number in (1, 2, 3):
        play(casino.controller, number, "12")
    client = signed_in("see")
    page = client.get("/rounds/?table=UTH-01").content.decode()
    played = sum(len(row.seats) * row.wager for row in Round.objects.filter(number__gte=2))
    together = page.partition("Together on this page, void rounds left out</td>")[2]
    assert together.startswith(f'<td class="right">{figure(Money.of(played), casino.table.premises)}</td>')
    assert "?table=UTH-01&amp;before=2" in page
    assert "?table=UTH-01&amp;before=3" in page, "the oldest rounds are one press away"
    assert "/rounds/UTH-01/1/" not in page
    assert "/rounds/UTH-01/1/" in client.get("/rounds/?table=UTH-01&before=2").content.decode()


def test_rounds_of_a_state_are_looked_for_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    casino = a_casino()
    for number in (1, 2, 3):
        play(casino.controller, number, "1")
    monkeypatch.setattr(round_lists, "LOOKED_AT", 2)
    client = signed_in("see")
    some = client.get("/rounds/?table=UTH-01&state=ended").content.decode()
    assert "/rounds/UTH-01/2/" in some
    assert "/rounds/UTH-01/1/" not in some
    assert "state=ended&amp;before=2" in some
    nothing = client.get("/rounds/?table=UTH-01&state=void").content.decode()
    assert "Looked back to round 2: none fits." in nothing
    assert "No round fits" in client.get("/rounds/?table=UTH-01&state=void&before=2").content.decode()


def test_without_a_table_the_last_round_of_each_is_shown() -> None:
    casino = a_casino(tables=2)
    for number in (1, 2):
        play(casino.controllers[0], number, "1")
    play(casino.controllers[1], 1, "1")
    page = signed_in("see").get("/rounds/").content.decode()
    assert "/rounds/UTH-01/2/" in page
    assert "/rounds/UTH-02/1/" in page
    assert "/rounds/UTH-01/1/" not in page


def test_a_round_shows_all_it_wrote() -> None:
    a_played_casino()
    page = " ".join(signed_in("see").get("/rounds/UTH-02/1/").content.decode().split())
    for words in ("2 × 1.00 = <strong>$2.00</strong>", "2 times; the last count stands", "GRAND 5", "−2.10", "+1.40"):
        assert words in page


@pytest.mark.parametrize(
    "question", ["table=%00", "state=x", "day=x", "before=x", "before=9999999999999999999", "jackpot=!"]
)
def test_what_cannot_be_meant_is_refused(question: str) -> None:
    address = "/tables/" if question.startswith("jackpot") else "/rounds/"
    assert signed_in("see").get(f"{address}?{question}").status_code == 400


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(-3, "0 s"), (59, "59 s"), (60, "1 min"), (3_599, "59 min"), (7_200, "2 h"), (200_000, "2 d")],
)
def test_an_age_has_one_unit(seconds: int, words: str) -> None:
    now = datetime(2026, 11, 18, tzinfo=UTC)
    assert age_words(now - timedelta(seconds=seconds), now) == words
