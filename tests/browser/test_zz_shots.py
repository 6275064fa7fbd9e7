"""The cards of a hand on the hit's page: seen in one tap, typed or tapped on the pad, judged, held, overridden."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.floor_scene import WHOLE_FILES, Floor, a_floor
from tests.browser.test_pages import SMALL_TARGETS, TOO_WIDE
from tests.browser.test_pit import asked
from tests.living import Live

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings(WHOLE_FILES)]
HIT = "/pit/wins/UTH-01/1/"
FITS = "document.documentElement.scrollHeight <= innerHeight"


@pytest.fixture
def one(live: Live, browser: Browser) -> Iterator[Floor]:
    with a_floor(live, browser) as floor:
        yield floor


def typed(page: Page, cards: str) -> None:
    for card in cards.split():
        page.keyboard.type(card)


def test_shots(live, browser):
    with a_floor(live, browser, tables=3) as floor:
        asked(floor, 0, "25", (2, "royal_first_5"))
        page = floor.open(HIT, "supervisor")
        page.wait_for_timeout(300)
        page.screenshot(path="/tmp/w/cards-shot-start.png")
        page.click("#enter")
        typed(page, "2c 7d ah kh qh as")
        page.screenshot(path="/tmp/w/cards-shot-half.png")
        typed(page, "kd")
        page.keyboard.press("Enter")
        expect(page.locator("#win-state")).to_contain_text("Held by its cards.")
        page.screenshot(path="/tmp/w/cards-shot-held.png")
        page.click("#override")
        page.screenshot(path="/tmp/w/cards-shot-override.png")
        community = [(seat, "royal_community") for seat in range(1, 8)]
        asked(floor, 1, "1234567", *community)
        page.goto(floor.live.url + "/pit/wins/UTH-02/1/")
        page.click("#enter")
        typed(page, "2c 7d ah kh qh jh th")
        page.keyboard.press("Enter")
        page.wait_for_timeout(700)
        page.screenshot(path="/tmp/w/cards-shot-community.png")
        asked(floor, 2, "25", (2, "full_house"))
        page.goto(floor.live.url + "/pit/wins/UTH-03/1/")
        page.wait_for_timeout(300)
        page.screenshot(path="/tmp/w/cards-shot-seen.png")


@pytest.mark.parametrize("size", [(1280, 800), (820, 1180)])
def test_page_and_pad_are_accessible_and_fit(one: Floor, size: tuple[int, int]) -> None:
    asked(one, 0, "25", (2, "royal_first_7"), (5, "full_house"))
    page = one.open(HIT, "supervisor", width=size[0], height=size[1])
    page.click("#enter")
    typed(page, "jh th ah kh as qh kd")
    looked_at(page, "pad")
    page.keyboard.press("Enter")
    expect(page.locator("#pad-says")).to_have_text("Kept. Now seat 5.")
    typed(page, "ac 7c")
    page.keyboard.press("Enter")
    expect(page.locator("#hands .ok")).to_have_count(2)
    looked_at(page, "page")


def looked_at(page: Page, what: str) -> None:
    page.screenshot(path=f"/tmp/w/cards-shot-{what}-{page.viewport_size['width']}.png")
    found = [(each["id"], each["nodes"][0]["html"]) for each in Axe().run(page).response["violations"]]
    assert found == [], what
    assert page.evaluate(TOO_WIDE) == [], what
    assert page.evaluate(SMALL_TARGETS) == [], what
    assert page.evaluate(FITS), what
