"""A house of more tables than fit a page: pages by code, a code to jump to, and no question per table or jackpot."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from jackpot.books.models.entry import Entry
from jackpot.books.models.jackpot import Jackpot
from jackpot.books.queries import chosen, numbers_of_day
from tables.hits.actions import hit
from tables.rounds.actions.round import post_messages
from tables.rounds.rules.round import CoinInRequest, DeviceRequest
from tests.builders import a_casino, a_jackpot
from tests.jackpot.books.api_scene import a_played_casino, play, signed_in
from tests.scenes_wins import WinFloor

pytestmark = pytest.mark.django_db
PAGES = {
    "/tables/": "tables.setup.pages.floor.TILES", "/pit/": "tables.pit.pages.pit.TILES",
    "/consoles/": "tables.gateway.pages.CHOICES", "/devices/": "tables.setup.pages.devices.PAGE",
    "/office/setup/part-tables/": "accounting.setup_desk.pages.parts.PAGE",
    "/office/setup/links/": "accounting.setup_desk.pages.floor.PAGE",
}  # fmt: skip


@pytest.mark.parametrize("address", PAGES)
def test_tables_come_in_pages_and_are_found_by_their_code(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PAGES[address], 2)
    a_casino(tables=5)
    client = signed_in("see", "read_books", "deal", "set_up", "run_tables")

    def codes(question: str) -> list[str]:
        page = client.get(address + question).content.decode()
        return [code for code in (f"UTH-0{number}" for number in range(1, 6)) if code in page]

    assert (codes(""), codes("?page=3"), codes("?page=99")) == (["UTH-01", "UTH-02"], ["UTH-05"], ["UTH-05"])
    assert codes("?q=uth-04") == ["UTH-04"]
    assert "1–2 of 5" in client.get(address).content.decode()
    assert client.get(f"{address}?q=%27%3B--").status_code == 200


def test_the_last_rounds_come_in_pages_of_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    casino = a_casino(tables=3)
    for controller in casino.controllers:
        play(controller, 1, "12")
    monkeypatch.setattr("tables.setup.pages.floor.PAGE", 2)
    monkeypatch.setattr("tables.setup.pages.floor.MOST_CHOICES", 2)
    page = signed_in("see").get("/rounds/?page=2").content.decode()
    assert "/rounds/UTH-03/1/" in page
    assert "/rounds/UTH-01/1/" not in page
    assert '<input id="table"' in page, "of too many tables the code is typed"


def test_an_open_hit_stands_on_the_board_whichever_page_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tables.pit.pages.pit.TILES", 1)
    floor = WinFloor(tables=2)
    post_messages([DeviceRequest("UTH-02", floor.casino.controllers[1].pk, 1, CoinInRequest(1, "12"))])
    hit.mark(table_code="UTH-02", round_number=1, seat=2, hand="four", by="dealer")
    page = signed_in("read_books", "run_tables").get("/pit/").content.decode()
    assert "tile-UTH-02" not in page
    assert "<strong>UTH-02</strong>" in page


def asked(client: Client, address: str) -> int:
    client.get(address)
    with CaptureQueriesContext(connection) as queries:
        client.get(address)
    return len(queries)


@pytest.mark.parametrize("address", ["/office/config/", "/tables/", "/office/setup/part-tables/"])
def test_one_more_jackpot_or_table_is_no_more_questions(address: str) -> None:
    a_casino(tables=2)
    client = signed_in("see", "read_books", "set_up", "configure")
    before = asked(client, address)
    a_casino(tables=0, jackpots=[a_jackpot("MINI"), a_jackpot("MAJOR")])
    assert asked(client, address) <= before


def test_the_ledger_of_a_day_reads_that_day_alone() -> None:
    a_played_casino()
    grand = Jackpot.objects.get(code="GRAND")
    today = Entry.objects.filter(jackpot=grand).latest("seq").gaming_day
    every = list(Entry.objects.filter(jackpot=grand).order_by("seq").values_list("seq", flat=True))
    assert list(chosen(grand, {"day": today}).order_by("seq").values_list("seq", flat=True)) == every
    assert numbers_of_day(grand, today) == (0, grand.last_seq)
    for other, where in ((today - timedelta(days=1), 0), (today + timedelta(days=1), grand.last_seq)):
        assert numbers_of_day(grand, other) == (where, where)
        assert not chosen(grand, {"day": other}).exists()
