"""A hit on one of several wagers: its seats, its chip and its name, on the page and on paper."""

from __future__ import annotations

from datetime import date
from io import BytesIO

import pytest
from django.test import Client
from pypdf import PdfReader

from accounting.paper.printing import typeset
from accounting.paper.printing.award import award_rows
from accounting.paper.printing.facts import facts_of
from accounting.paper.rules.copies import FILE_COPY, Form
from jackpot.configuring.actions.house_rules import declare_tax
from jackpot.money import Money
from jackpot.property.rules.tax import TaxRule
from jackpot.wins.models import Win
from tables.floor.models.table import FurtherWager
from tables.hits.pages.hit_page import SeatStrip, _strips
from tables.rounds.models.round import Round
from tests.builders import a_person
from tests.scenes_wins import WinFloor
from tests.stranger import nothing_disagrees
from tests.tables.wagers_scene import TwoWagers
from tests.tampering import tamper_with

pytestmark = pytest.mark.django_db


def told_of(strip: SeatStrip) -> tuple[str, list[int], list[int]]:
    """Its name, the seats that were counted and those with a hit."""
    counted = [seat.number for seat in strip.seats if seat.counted]
    return strip.name, counted, [seat.number for seat in strip.seats if seat.hit]


def strips() -> list[tuple[str, list[int], list[int]]]:
    wins = list(Win.objects.select_related("jackpot"))
    return [told_of(each) for each in _strips(Round.objects.get(), wins)]


@pytest.fixture
def eyes() -> Client:
    return Client()


def page(client: Client) -> str:
    if "_auth_user_id" not in client.session:
        client.force_login(a_person("eyes", may=("see", "camera", "read_books")))
    return " ".join(client.get("/pit/wins/UTH-01/1/").content.decode().split())


class TestSeats:
    def test_each_wager_shows_its_own_seats_and_hits(self, eyes: Client) -> None:
        table = TwoWagers()
        table.coin_in("125", "267")
        table.mark(6)
        assert strips() == [("Progressive", [1, 2, 5], []), ("Mega Royal", [2, 6, 7], [6])]
        table.mark(2)
        assert strips() == [("Progressive", [1, 2, 5], [2]), ("Mega Royal", [2, 6, 7], [2, 6])]
        assert '<h3 class="strip-name">Mega Royal</h3>' in page(eyes)

    def test_a_wager_that_nobody_played_has_no_strip(self) -> None:
        table = TwoWagers()
        table.coin_in("", "6")
        table.mark(6)
        assert strips() == [("Mega Royal", [6], [6])]

    def test_a_sensor_is_shown_at_its_own_wager(self) -> None:
        table = TwoWagers()
        table.coin_in("1", "6", spots="1000000")
        first, mega = _strips(Round.objects.get(), [])
        assert (first.seats[0].spot, mega.seats[0].spot) == ("lit", "")


def test_tax_counts_by_the_chip_of_the_wager_that_wins(eyes: Client) -> None:
    """Full house at seat 2: GRAND 10 × 1.00, MEGA 10 × 5.00; reported from 30 and 9 times the chip, the chip off."""
    rule = TaxRule(date(2020, 1, 1), Money.of("30"), 9, Money.of("40"), 240_000)
    table = TwoWagers()
    declare_tax(premises=table.casino.premises, rule=rule, by="tests")
    table.coin_in("125", "26")
    table.mark(2, "full_house")
    table.confirm()
    asked = page(eyes)
    assert "seat 2 is reported, $10.80 withheld" in asked  # 24 % of 50.00 - 5.00
    table.card()
    assert "seat 2 is reported, $10.80 withheld" in page(eyes)


def test_paper_counts_the_seats_of_the_wager_that_wins() -> None:
    table = TwoWagers()
    table.coin_in("125", "26")
    table.mark(2)
    table.confirm()
    table.card()
    told = {
        (win.jackpot.code, win.seat): dict(facts_of(win, FILE_COPY).plain()["groups"][0]["rows"])["Coin-in"]
        for win in Win.objects.all()
    }
    assert {place: words.split(",")[0] for place, words in told.items()} == {
        ("GRAND", 2): "3 seats", ("MEGA", 2): "2 seats", ("MEGA", 6): "2 seats",
    }  # fmt: skip


class TestName:
    def test_it_is_fixed_with_the_award_and_printed(self) -> None:
        """Whatever the wager is called later, the record and its page say what it was called at the approval."""
        table = TwoWagers()
        table.coin_in("125", "26")
        table.mark(2)
        table.confirm()
        table.card()
        tamper_with(FurtherWager.objects.all(), name="Mega Renamed")
        told = {(win.jackpot.code, win.seat): dict(award_rows(win, [win], table.casino.premises))["Wager"]
                for win in Win.objects.all()}  # fmt: skip
        assert told == {
            ("GRAND", 2): "Progressive, $1.00, not returned", ("MEGA", 2): "Mega Royal, $5.00, not returned",
            ("MEGA", 6): "Mega Royal, $5.00, not returned",
        }  # fmt: skip
        assert nothing_disagrees()

    def test_it_stands_on_the_sheet(self) -> None:
        table = TwoWagers()
        table.coin_in("125", "26")
        table.mark(2)
        table.confirm()
        table.card()
        win = Win.objects.get(jackpot__code="MEGA", seat=2)
        printed = typeset.document(facts_of(win, FILE_COPY).plain(), Form.LETTER)
        sheet = PdfReader(BytesIO(printed))
        assert "Mega Royal, $5.00, not returned" in " ".join(sheet.pages[0].extract_text().split())

    def test_a_table_of_one_wager_names_none(self) -> None:
        (win,) = WinFloor().won({2: "royal"})
        assert win.paper is not None
        assert "wager_name" not in win.paper
        assert dict(award_rows(win, [win], win.jackpot.premises))["Wager"] == "$1.00, not returned"
