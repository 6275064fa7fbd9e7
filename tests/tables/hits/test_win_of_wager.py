"""A hit on one of several wagers: its seats, its chip and its name, on the page and on paper."""

from __future__ import annotations

from datetime import date

import pytest
from django.test import Client

from accounting.paper.printing.facts import facts_of
from accounting.paper.rules.copies import FILE_COPY
from jackpot.configuring.actions.house_rules import declare_tax
from jackpot.money import Money
from jackpot.property.rules.tax import TaxRule
from jackpot.wins.models import Win
from tables.hits.pages.win_page import SeatStrip, _strips
from tables.rounds.models.round import Round
from tests.builders import a_person
from tests.tables.wagers_scene import TwoWagers

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
