"""A hand key pressed alone, a hand on the board, a hit that is parked: at the console and on the pit's page."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from jackpot.wins.models import Win
from tables.floor.models.table import Profile
from tables.rounds.models.round import Round
from tests.browser.axe import complaints_of_axe
from tests.browser.floor_scene import (
    EXECUTIVE,
    PIN,
    SUPERVISOR,
    WHOLE_FILES,
    Floor,
    a_floor,
    hand,
    locks,
    presses_j_pot,
    says,
    seat,
)
from tests.builders import CARD_PIN
from tests.living import Live

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings(WHOLE_FILES)]


@pytest.fixture
def cards(live: Live, browser: Browser) -> Iterator[Floor]:
    with a_floor(live, browser) as floor:
        yield floor


@pytest.fixture
def keys(live: Live, browser: Browser) -> Iterator[Floor]:
    with a_floor(live, browser, profile=Profile.KEY) as floor:
        yield floor


def begun(floor: Floor, *seats: int, **size: int) -> Page:
    page = floor.dealing(**size)
    for number in seats:
        seat(page, number).click()
    locks(page)
    return page


def lit(page: Page, name: str) -> None:
    hand(page, name).click()
    expect(hand(page, name)).to_have_attribute("aria-pressed", "true")


def hits_page(floor: Floor, **size: int) -> Page:
    return floor.open("/pit/tables/UTH-01/hits/", "supervisor", **size)


def whole(page: Page) -> None:
    assert complaints_of_axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing is cut off at the side"


def test_key_profile_a_lit_key_gets_its_seats_on_the_pit_page_and_is_paid(keys: Floor) -> None:
    page = begun(keys, 2, 5, 6)
    lit(page, "Full house")
    says(page, "Lit: Full house. The supervisor says on the pit page which seats hold it, then turns the key to JPH.")
    expect(page.locator("#hits")).to_contain_text("Seats?")
    page.click("#end-key")
    expect(page.locator("#notice")).to_contain_text("Full house, seats not said is still open")
    page.click("#key-jph")
    page.fill("#key-number", "17")
    page.keyboard.press("Enter")
    says(page, "Key 17 stands at JPH. Say on the pit page which seats hold Full house; then J-POT.")

    pit = hits_page(keys)
    pit.check("input[name=seat][value='2']")
    pit.check("input[name=seat][value='6']")
    pit.click("text=These seats, no others")
    expect(pit.locator("main")).to_contain_text("Seats 2, 6: marked with the rank of the lit key.")

    says(page, "20.00 in all. J-POT logs the win")
    presses_j_pot(page)
    says(page, "The win is logged. Turn key 17 to RUN")
    page.click("#key-run")
    says(page, "The meter has moved. Pay by the win page, then GAME OVER.")
    assert list(Win.objects.filter(state="owed").order_by("seat").values_list("seat", flat=True)) == [2, 6]


def test_key_profile_the_same_key_again_is_off_and_a_reload_keeps_what_is_lit(keys: Floor) -> None:
    page = begun(keys, 2)
    lit(page, "Full house")
    page.reload()
    page.wait_for_selector("[data-console][data-link=up]")
    says(page, "Lit: Full house.")
    hand(page, "Full house").click()
    says(page, "Winning hand: press its hand key")
    assert list(Win.objects.values_list("state", flat=True)) == ["unmarked"]


def test_card_profile_a_hand_on_the_board_is_marked_at_every_seat_in_one_touch(cards: Floor) -> None:
    page = begun(cards, 1, 4, 7)
    hand(page, "Full house").click()
    expect(page.locator("#notice")).to_have_text("Tap the seat first, then the hand.")
    lit(page, "Community royal")
    says(page, "3 hits marked")
    expect(hand(page, "Community royal")).to_contain_text("seats 1, 4 and 7")
    hand(page, "Community royal").click()
    says(page, "Winning hand: tap its seat")


def test_a_hit_is_parked_at_the_console_and_the_next_round_is_played(cards: Floor) -> None:
    page = begun(cards, 2)
    seat(page, 2).click()
    lit(page, "Full house")
    page.click("#menu-key")
    page.click("#park-key")
    page.fill("#card-number", SUPERVISOR)
    page.fill("#card-pin", CARD_PIN)
    page.fill("#card-reason", "The cards are disputed")
    page.keyboard.press("Enter")
    expect(page.locator("#card-problem")).to_contain_text("A hit is parked only by an executive")
    page.fill("#card-number", EXECUTIVE)
    page.keyboard.press("Enter")
    page.wait_for_selector("#pin-pad:not([hidden])")
    page.fill("#card-pin", PIN)
    page.keyboard.press("Enter")
    says(page, "Parked for the pit: Full house at seat 2, round 1. Tap every seat with a chip")
    page.reload()
    page.wait_for_selector("[data-console][data-link=up]")
    says(page, "Parked for the pit: Full house at seat 2, round 1.")
    seat(page, 3).click()
    locks(page)
    page.click("#end-key")
    says(page, "Parked for the pit")
    assert list(Round.objects.order_by("number").values_list("state", "open_hits")) == [("ended", 1), ("ended", 0)]

    pit = hits_page(cards)
    expect(pit.locator("main")).to_contain_text("Parked by Test Executive: The cards are disputed")
    pit.click("text=Settle it")
    expect(pit.locator(".verdict")).to_contain_text("Approval needed")


@pytest.mark.parametrize("size", [pytest.param((1280, 800), marks=pytest.mark.deep), (820, 1180)])
def test_the_hits_page_is_accessible_with_everything_on_it(keys: Floor, size: tuple[int, int]) -> None:
    page = begun(keys, 2, 5, 6)
    lit(page, "Four of a kind")
    lit(page, "Community royal")
    pit = hits_page(keys, width=size[0], height=size[1])
    expect(pit.locator("h2", has_text="Which seats hold")).to_have_count(2)
    whole(pit)
    pit.locator("section", has_text="Community royal").locator("text=These seats, no others").first.click()
    expect(pit.locator("main")).to_contain_text("Seats 2, 5, 6: marked")
    whole(pit)


@pytest.mark.parametrize("size", [pytest.param((1280, 800), marks=pytest.mark.deep), (800, 480)])
def test_a_console_with_a_lit_key_fits(keys: Floor, size: tuple[int, int]) -> None:
    page = begun(keys, 2, 5, 6, width=size[0], height=size[1])
    lit(page, "Four of a kind")
    says(page, "Lit: Four of a kind.")
    whole(page)
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), "nothing to scroll"


@pytest.mark.parametrize(
    "size", [pytest.param({"width": 1280, "height": 800}, marks=pytest.mark.deep), {"width": 820, "height": 1180}]
)
def test_a_refused_claim_keeps_what_was_typed_beside_the_refusal(cards: Floor, size: dict[str, int]) -> None:
    page = begun(cards, 2)
    page.click("#end-key")
    says(page, "Tap every seat with a chip, then START GAME.")
    pit = hits_page(cards, **size)
    pit.select_option("#claim-seat", "5")
    pit.fill("#claim-reason", "overlooked by the dealer")
    pit.fill("#claim-evidence", "camera 7, 02:14")
    pit.fill("#first-card", "900000000001")
    pit.fill("#first-pin", "274916")
    pit.fill("#second-card", "600000000001")
    pit.fill("#second-pin", "274916")
    pit.click("text=Open the claim")
    expect(pit.locator(".hit-form .problem")).to_be_visible()
    assert [pit.input_value(field) for field in ("#claim-seat", "#claim-reason", "#claim-evidence", "#first-card")] == [
        "5", "overlooked by the dealer", "camera 7, 02:14", "",
    ]  # fmt: skip
    if folder := os.environ.get("FAIRMETER_SHOTS"):
        pit.screenshot(path=str(Path(folder) / f"hits-refused-{size['width']}.png"), full_page=True)
    whole(pit)
