"""The dealer's console in a real browser: a round from the first chip to the last, in both profiles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.floor_scene import EXECUTIVE, PIN, SUPERVISOR, WHOLE_FILES, Floor, a_floor
from tests.living import Live

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings(WHOLE_FILES)]


@pytest.fixture
def cards(live: Live, browser: Browser, settings: Any) -> Iterator[Floor]:
    with a_floor(live, browser) as floor:
        yield floor


def seat(page: Page, number: int) -> Any:
    return page.locator(f"#seats li:nth-child({number}) button")


def hand(page: Page, name: str) -> Any:
    return page.locator("#hands button", has_text=name)


def says(page: Page, words: str) -> None:
    expect(page.locator("#says")).to_contain_text(words)


def test_a_round_with_a_hit_is_played_by_touch(cards: Floor) -> None:
    page = cards.dealing()
    page.screenshot(path="/tmp/shots/floor-console-bets.png")
    for number in (2, 3, 6):
        seat(page, number).click()
    expect(page.locator("#count")).to_have_text("Next round 1 · 3 seats · 3.00")
    page.click("#big-key")
    says(page, "Winning hand: tap its seat")
    seat(page, 2).click()
    page.screenshot(path="/tmp/shots/floor-console-running.png")
    hand(page, "Full house").click()
    says(page, "Marked: Full house at seat 2")
    page.screenshot(path="/tmp/shots/floor-console-marked.png")
    page.click("#big-key")
    expect(page.locator("#confirm-title")).to_have_text("Seat 2, no others?")
    page.screenshot(path="/tmp/shots/floor-console-confirm.png")
    page.click("#confirm-box [value=yes]")
    says(page, "10.00 in all: needs a supervisor card")
    page.screenshot(path="/tmp/shots/floor-console-asked.png")
    page.click("#big-key")
    page.fill("#card-number", SUPERVISOR)
    page.keyboard.press("Enter")
    says(page, "Pay by the win page")
    page.screenshot(path="/tmp/shots/floor-console-won.png")
    page.click("#end-key")
    says(page, "Tap every seat with a chip")
