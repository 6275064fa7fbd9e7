"""The rule card as it comes out: what a player must know, from the version in force, the same bytes on the same day."""

from __future__ import annotations

import io
import json
from datetime import UTC, datetime

import pypdf
import pytest

from accounting.paper.printing.rule_card import rule_card
from accounting.paper.rules.copies import Form
from tables.floor.models.own_pay_table import OwnPayTable
from tables.floor.models.table import Table
from tables.games.own_table import plain_own_table, read_own_table
from tables.games.registry import find_game
from tests.builders import a_jackpot, a_pay_table, a_property, a_table, emerald
from tests.jackpot.books.api_scene import signed_in

pytestmark = pytest.mark.django_db
LOW_PAIR = {"hand": "low_pair", "name": "A low pair", "pays": "33 to 1"}
PAIRS = {"bet": "pairs", "code": "HOUSE-01", "title": "Ours", "lines": [LOW_PAIR]}
NOW = datetime(2026, 11, 18, 15, tzinfo=UTC)


def words(pdf: bytes) -> str:
    return " ".join(" ".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(pdf)).pages).split())


@pytest.mark.parametrize(("form", "width"), [(Form.LETTER, 612), (Form.A4, 595)])
def test_it_says_what_a_player_must_know(form: Form, width: int) -> None:
    grand = a_jackpot("GRAND", limit="25000.00", pay_table=a_pay_table(source="meter"))
    pdf = rule_card(a_table("UTH-01", grand), form, NOW)
    (page,) = pypdf.PdfReader(io.BytesIO(pdf)).pages
    assert int(page.mediabox.width) == width
    said = words(pdf)
    for sentence in (
        "The progressive wager is $1.00.",
        "Of each wager 70 % raises the meter and 5 % is set aside for the next meter.",
        "100 % of the meter",
        "Royal flush, first 5 cards takes the player’s own two cards and the first three community cards.",
        "Royal flush, first 7 cards takes at least one of the player’s own two cards.",
        "Community royal is the five community cards alone, for every seat with a progressive wager.",
        "Every other hand is the best five",
        "is not returned",
        "$250.00 (250 for 1)",
        "fixed at the moment at which the dealer marks the hand",
        "from the dealer’s right, counter-clockwise",
        "starts at $10,000.00",
        "The meter stops at $25,000.00",
        "a maximum of four games",
        "version 1",
        grand.version.digest,  # type: ignore[union-attr]
        "Wed 18 Nov 2026",
    ):
        assert sentence in said, sentence


def test_switches_and_envy_change_the_card() -> None:
    lines = [
        {"code": "royal_first_5", "name": "Royal", "part": "1", "source": "meter", "envy": "1000.00"},
        {"code": "full_house", "name": "Full house", "for_one": 10, "source": "tray"},
    ]
    switches = {"order": "equal_shares", "freeze": "approval"}
    grand = a_jackpot("GRAND", pay_table={"code": "odd", "lines": lines}, policy=switches, rounding="down")
    said = words(rule_card(a_table("UTH-01", grand), Form.A4, NOW))
    assert "$1,000.00" in said
    assert "share it equally" in said
    assert "at which the hand is approved" in said
    assert "cut to the cent" in said
    assert "the house" in said


def test_the_same_terms_on_the_same_day_give_the_same_bytes() -> None:
    table = a_table("UTH-01", a_jackpot("GRAND"))
    later = NOW.replace(hour=20)
    assert rule_card(table, Form.A4, NOW) == rule_card(table, Form.A4, later)
    assert rule_card(table, Form.A4, NOW) != rule_card(table, Form.A4, NOW.replace(day=20))


def test_a_table_of_two_levels_and_one_of_none_have_their_cards() -> None:
    emerald()
    two = next(table for table in Table.objects.all() if table.links.count() == 2)
    said = words(rule_card(two, Form.LETTER, NOW))
    for jackpot in two.jackpots.all():
        assert jackpot.name in said
    alone = a_table("X-01", premises=a_property())
    assert "feeds no progressive jackpot" in words(rule_card(alone, Form.LETTER, NOW))


def test_the_pays_of_the_declared_games_are_posted_with_it() -> None:
    """[001:184; 002:16, 89, 499, 532] What wins is paid by what is posted; a code alone tells a player nothing."""
    games = ("blind/UTH-04", "trips/UTH-04", "bad_beat/BBB-CA", "pairs/HOUSE-01")
    premises = a_property()
    own = plain_own_table(read_own_table(find_game("uth"), PAIRS))
    OwnPayTable.objects.create(
        premises=premises, game="uth", state="ready", written_by="tests", sheet_digest="looked at",
        **{**own, "lines": json.dumps(own["lines"])},
    )  # fmt: skip
    table = a_table("CAL-01", premises=premises, bank="player_dealer", seats=6, games=games)
    pdf = rule_card(table, Form.LETTER, NOW)
    assert len(pypdf.PdfReader(io.BytesIO(pdf)).pages) == 1
    said = words(pdf)
    for sentence in (
        "Blind (pay table UTH-04): Royal flush 500 to 1 · Straight flush 50 to 1",
        "Trips (pay table UTH-04): Royal flush 50 to 1 · Straight flush 40 to 1 · Four of a kind 20 to 1",
        "Bad beat (pay table BBB-CA): Straight flush 7,500 to 1",
        "Pairs (pay table HOUSE-01): A low pair 33 to 1",
    ):
        assert sentence in said


def test_the_page_hands_it_out_on_the_paper_of_the_house() -> None:
    a_table("UTH-01", a_jackpot("GRAND"))
    browser = signed_in("see")
    answer = browser.get("/office/tables/UTH-01/rule-card.pdf")
    assert answer.headers["Content-Type"] == "application/pdf"
    assert int(pypdf.PdfReader(io.BytesIO(answer.content)).pages[0].mediabox.width) == 612
    a4 = browser.get("/office/tables/UTH-01/rule-card.pdf?form=a4").content
    assert int(pypdf.PdfReader(io.BytesIO(a4)).pages[0].mediabox.width) == 595
    assert browser.get("/office/tables/NONE/rule-card.pdf").status_code == 404
