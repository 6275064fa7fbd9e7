"""The console at a table that a player banks: who banks, what lies there, what is collected, who is next."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from jackpot.money import ZERO
from jackpot.property.models.property import Property
from tables.floor.rules.collection import CollectionRule, FeeBasis
from tables.player_dealer.models import BankedHand, HandSettlement
from tables.rounds.models.round import Round
from tables.setup.actions.collections import declare_collection
from tests.browser.axe import complaints_of_axe
from tests.browser.floor_scene import WHOLE_FILES, Floor, a_floor, says, seat
from tests.browser.looks import Watched, kept
from tests.builders import a_table
from tests.living import Live

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings(WHOLE_FILES)]


@pytest.fixture
def banked(live: Live, browser: Browser) -> Iterator[Floor]:
    with a_floor(live, browser) as floor:
        table = a_table(
            "PD-01", premises=floor.casino.premises, bank="player_dealer", seats=6, deck_colours=("red", "blue")
        )
        day = table.premises.gaming_day(timezone.now())
        declare_collection(tables=[table], rule=CollectionRule(day, FeeBasis.ACTION, ZERO, "001", 4), by="tests")
        floor.casino.tables.insert(0, table)
        yield floor


def bets(page: Page, number: int, wager: str, amount: str) -> None:
    page.fill(f"#spots tr[data-seat='{number}'] input[data-wager='{wager}']", amount)


def test_a_hand_is_told_collected_and_ended_and_the_form_remembers_the_bets(banked: Floor) -> None:
    page = banked.dealing()
    watched = Watched(page)
    says(page, "Who banks first? No more bets? Then ACTION")
    page.click("#big-key")
    page.select_option("#bank-seat", "3")
    page.fill("#bank-wager", "500")
    bets(page, 1, "ante", "25")
    bets(page, 1, "trips", "5")
    bets(page, 4, "ante", "10")
    expect(page.locator("#action-sum")).to_have_text("Total action 75.00")
    assert not complaints_of_axe(page)
    page.click("#action-box [value=yes]")
    says(
        page, "Seat 3 banks, hand 1 of 2. Total action 75.00: 2.00 from the player-dealer into the drop box, then deal."
    )
    expect(seat(page, 3)).to_have_attribute("data-state", "banks")
    expect(seat(page, 4)).to_have_attribute("data-state", "bets")
    expect(page.locator("#count")).to_have_text("Round 1 · blue deck · action 75.00 · fee 2.00")
    page.click("#end-key")
    says(page, "The bank is offered to seat 3.")
    expect(page.locator("#count")).to_have_text("Next round 2 · red deck · no action told yet")
    page.keyboard.press("Enter")
    expect(page.locator("#bank-wager")).to_have_value("500")
    page.click("#action-box [value=yes]")
    says(page, "Seat 3 banks, hand 2 of 2.")
    page.click("#end-key")
    says(page, "The bank is offered to seat 4.")
    page.click("#big-key")
    page.select_option("#bank-seat", "3")
    page.click("#action-box [value=yes]")
    expect(page.locator("#action-problem")).to_have_text(
        "Seat 3 has banked two hands in a row. Offer the bank to the next seat, clockwise."
    )
    page.click("#action-box [data-back]")
    assert [(hand.banker, hand.in_a_row) for hand in BankedHand.objects.order_by("number")] == [(3, 1), (3, 2)]
    assert Round.objects.filter(table__code="PD-01", state="ended").count() == 2
    watched.check("the bank at the console")


def test_where_end_waits_the_console_asks_what_became_of_the_hand_and_says_what_the_bank_does_not_reach(
    banked: Floor,
) -> None:
    Property.objects.update(end_waits_for_settling=True)
    page = banked.dealing()
    watched = Watched(page)
    page.click("#big-key")
    page.select_option("#bank-seat", "3")
    page.fill("#bank-wager", "100")
    bets(page, 1, "ante", "25")
    bets(page, 1, "trips", "5")
    bets(page, 4, "ante", "10")
    page.click("#action-box [value=yes]")
    says(page, "END GAME asks what became of the hand.")
    page.click("#end-key")
    row = page.locator("#outcomes tr[data-seat='1']")
    row.locator("select").select_option("wins")
    row.locator("[data-play]").fill("100")
    row.locator("[data-play]").dispatch_event("change")
    row.locator("[data-due='trips']").fill("15")
    expect(row.locator("[data-due='ante']")).to_have_value("25.00")
    expect(row.locator("[data-due='blind']")).to_have_value("0")
    expect(page.locator("#outcomes tr[data-seat='4'] [data-due='ante']")).to_have_value("-10.00")
    kept(page, "console-settle-1440")
    assert not complaints_of_axe(page)
    page.click("#settle-box [value=yes]")
    expect(page.locator("body")).to_contain_text("The player-dealer pays 120.00 and takes 20.00.")
    expect(page.locator("body")).to_contain_text("seat 1 play 5.00, seat 1 trips 15.00 are not moved.")
    page.click("#end-key")
    says(page, "The bank is offered to seat 3.")
    assert HandSettlement.objects.get().uncovered == 20
    watched.check("the end of a hand at the console")
