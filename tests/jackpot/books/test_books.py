from __future__ import annotations

from decimal import Decimal

import pytest
from django.test import Client

from jackpot.books.models.entry import Entry
from jackpot.money import Money, units_of
from jackpot.property.models.property import Property
from jackpot.web.templatetags.figures import moved as moved_text
from tests.builders import a_casino, a_jackpot
from tests.jackpot.books.api_scene import a_played_casino, play, signed_in
from tests.scenes_wins import WinFloor

pytestmark = pytest.mark.django_db
HTMX = {"HTTP_HX_REQUEST": "true"}


def text(client: Client, address: str, status: int = 200) -> str:
    answer = client.get(address)
    assert answer.status_code == status
    return " ".join(answer.content.decode().split())


def test_a_visitor_is_sent_to_the_sign_in_and_back() -> None:
    assert Client().get("/jackpots/GRAND/?x=1").headers["Location"] == "/sign-in/?next=/jackpots/GRAND/%3Fx%3D1"


def test_a_part_of_a_page_takes_the_whole_page_to_the_sign_in() -> None:
    assert Client().get("/jackpots/", **HTMX).headers["HX-Redirect"] == "/sign-in/"


def test_the_meters_are_cut_never_rounded_up() -> None:
    a_jackpot("GRAND", meter="20000.5199")
    page = text(signed_in(), "/jackpots/")
    assert "$20,000.51" in page
    assert "$20,000.52" not in page


def test_a_dealer_sees_meters_but_no_way_into_the_books() -> None:
    a_jackpot("GRAND")
    client = signed_in("see")
    assert "/jackpots/GRAND/" not in text(client, "/jackpots/")
    assert "Your roles do not include this page" in text(client, "/jackpots/GRAND/", 403)


def test_a_house_without_jackpots_says_so() -> None:
    assert "No jackpot yet" in text(signed_in(), "/jackpots/")


def test_one_jackpot_shows_every_account_exactly() -> None:
    a_jackpot("GRAND", meter="20000.5199", reserve="617.25", limit="25000.00")
    page = text(signed_in(), "/jackpots/GRAND/")
    assert "exactly 20,000.5199 in the meter" in page
    assert "limit $25,000.00" in page
    assert "617.25" in page
    assert "−20,617.7699" in page


def test_the_ledger_shows_every_entry_newest_first() -> None:
    a_played_casino()
    page = text(signed_in(), "/jackpots/GRAND/ledger/")
    places = [page.index(f"/ledger/{seq}/") for seq in (6, 5, 4, 3, 2, 1)]
    assert places == sorted(places)
    assert "taken back by entry 5" in page
    assert "takes back entry 4" in page
    assert "“Shuffler jam” – supervisor" in page


def test_the_ledger_goes_on_to_older_entries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jackpot.books.pages.books.PAGE", 4)
    a_played_casino()
    client = signed_in()
    assert "?before=3" in text(client, "/jackpots/GRAND/ledger/")
    page = text(client, "/jackpots/GRAND/ledger/?before=3")
    assert "/ledger/2/" in page
    assert '/ledger/3/">3<' not in page
    assert "Newest" in page


def test_the_ledger_adds_up_its_page_and_jumps_to_its_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jackpot.books.pages.books.PAGE", 3)
    a_played_casino()
    client = signed_in()
    newest = text(client, "/jackpots/GRAND/ledger/")
    moved = sum(Entry.objects.filter(jackpot__code="GRAND", seq__gte=4).values_list("meter", flat=True))
    foot = newest.partition("Together on this page</td>")[2]
    assert foot.startswith(f'<td class="right nowrap">{signed(moved)}</td>')
    assert "before=4" in newest, "the oldest page is one press away"
    oldest = text(client, "/jackpots/GRAND/ledger/?before=4")
    assert '/ledger/1/">1<' in oldest
    kept = text(client, "/jackpots/GRAND/ledger/?kind=coin_in&before=5")
    assert '<input type="hidden" name="kind" value="coin_in">' in kept.partition('aria-label="Pages"')[2]


def signed(amount: Decimal | int) -> str:
    """As a column of movements writes it."""
    return moved_text(Money(units_of(Decimal(amount))), Property.objects.get())


def test_a_table_is_looked_for_so_far_and_the_page_says_how_far(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jackpot.books.queries.LOOKED_AT", 2)
    a_played_casino()
    client = signed_in()
    nothing = text(client, "/jackpots/GRAND/ledger/?q=UTH-01")
    assert "Looked back to entry 5: none fits." in nothing
    assert "?q=UTH-01&amp;before=5" in nothing
    some = text(client, "/jackpots/GRAND/ledger/?q=UTH-01&before=5")
    assert '/ledger/3/">3<' in some
    assert "looked back to entry 3" in some
    assert "before=3" in some
    last = text(client, "/jackpots/GRAND/ledger/?q=UTH-01&before=3")
    assert '/ledger/2/">2<' in last
    assert "Look further back" not in last


def test_a_change_of_the_filter_fetches_only_the_list() -> None:
    a_played_casino()
    part = signed_in().get("/jackpots/GRAND/ledger/?falls=on", **HTMX).content.decode()
    assert "<html" not in part
    assert "/ledger/5/" in part
    assert "/ledger/6/" not in part


@pytest.mark.parametrize(
    ("question", "there", "not_there"),
    [
        ("q=UTH-01", 2, 4), ("q=uth-02", 4, 2), ("q=UTH-01/1", 3, 4), ("kind=void", 3, 2), ("q=UTH-02&falls=on", 5, 3),
    ],
)  # fmt: skip
def test_the_search_box_takes_tables_and_rounds(question: str, there: int, not_there: int) -> None:
    a_played_casino()
    page = text(signed_in(), f"/jackpots/GRAND/ledger/?{question}")
    assert f'/ledger/{there}/">{there}<' in page
    assert f'/ledger/{not_there}/">{not_there}<' not in page


def test_a_number_in_the_search_box_goes_to_its_entry() -> None:
    a_played_casino()
    client = signed_in()
    assert client.get("/jackpots/GRAND/ledger/?q=3").headers["Location"] == "/jackpots/GRAND/ledger/3/"
    assert client.get("/jackpots/GRAND/ledger/?q=%233", **HTMX).headers["HX-Redirect"] == "/jackpots/GRAND/ledger/3/"
    text(client, "/jackpots/GRAND/ledger/?q=7", 404)


@pytest.mark.parametrize(
    "question",
    ["q=%00", "q=!!", "q=" + "9" * 30, "q=UTH-01/99999999999999999999", "kind=x", "day=2026-02-30", "before=x",
     "before=9223372036854775808", "before=%C2%B2", "day=%00"],
)  # fmt: skip
def test_what_cannot_be_meant_gets_a_sentence(question: str) -> None:
    a_played_casino()
    assert 'role="alert"' in text(signed_in(), f"/jackpots/GRAND/ledger/?{question}", 400)


def test_a_search_without_a_find_offers_the_way_back() -> None:
    a_played_casino()
    assert "No entry fits" in text(signed_in(), "/jackpots/GRAND/ledger/?q=UTH-99")


def test_why_did_the_meter_fall_is_answered_in_one_press() -> None:
    a_played_casino()
    page = text(signed_in(), "/jackpots/GRAND/falls/")
    assert "Round 1 at UTH-01 was voided" in page
    assert "“Shuffler jam”" in page
    assert "−3.50" in page
    assert '20,003.50 <span aria-label="fell to">→</span> 20,000.00' in page
    assert "Taken back: entry 2" in page
    assert page.index("counted again") < page.index("was voided")


def test_a_meter_that_never_fell_says_so() -> None:
    a_jackpot("GRAND")
    assert "It never fell" in text(signed_in(), "/jackpots/GRAND/falls/")


def test_an_entry_shows_the_line_that_its_seal_covers() -> None:
    import hashlib
    import html
    import re

    a_played_casino()
    for seq in (1, 2, 3):
        page = text(signed_in(username=f"reader-{seq}"), f"/jackpots/GRAND/ledger/{seq}/")
        line = re.search(r'<p class="sealed">(.*?)</p>', page)
        assert line is not None
        assert hashlib.sha256(html.unescape(line.group(1)).encode()).hexdigest() in page
        assert "fits" in page


def test_the_terms_are_told_in_words() -> None:
    a_jackpot("GRAND", limit="25000.00")
    page = text(signed_in(), "/jackpots/GRAND/versions/")
    for words in (
        "0.70 a chip, 70 % of it",
        "25,000.00",
        "waits for the next meter",
        "3,000 for 1",
        "the tray",
        "100 %",
    ):
        assert words in page
    assert "✓ fits the terms" in page


def test_the_proof_says_that_the_books_hold() -> None:
    a_played_casino()
    assert "These books hold" in text(signed_in(), "/jackpots/GRAND/proof/")


def test_a_table_of_the_second_page_keeps_the_filter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jackpot.books.pages.books.PAGE", 2)
    casino = a_casino()
    for number in range(1, 5):
        play(casino.controller, number, "1")
    page = text(signed_in(), "/jackpots/GRAND/ledger/?q=UTH-01&kind=coin_in")
    assert "?q=UTH-01&amp;kind=coin_in&amp;before=4" in page


def test_the_page_of_a_wins_entry_does_not_say_the_books_own_number_of_it() -> None:
    """People call a win by its slip; the sealed line alone has the other, for the seal covers it."""
    WinFloor().royal()
    client = signed_in()
    for posted in Entry.objects.order_by("seq"):
        page = text(client, f"/jackpots/GRAND/ledger/{posted.seq}/")
        outside = page.partition('<p class="sealed">')[0] + page.partition('<p class="small wrap">')[2]
        assert (posted.key in outside) is (posted.win_id is None), posted.key
        assert posted.key in page
    assert Entry.objects.filter(kind="award", win_id__isnull=False).exists()
