"""Wins on record, the cage and the answer to a scanned page, in a real browser."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from accounting.paper.actions.queue import drain_print_queue
from accounting.paper.models.page import Copy
from accounting.paper.printing.facts import facts_of
from accounting.paper.rules.copies import FILE_COPY
from jackpot.wins.models import Win
from tests.browser.looks import Watched, kept
from tests.browser.test_lists import BEHIND_A_SCROLL
from tests.browser.test_pages import sign_in
from tests.builders import a_person, a_property
from tests.living import Live
from tests.scenes_wins import WinFloor, backed_out

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser
MAY = ("see", "read_books", "pay", "close_day")


@pytest.fixture
def house(live: Live, settings: Any) -> Live:
    settings.PASSWORD_HASHERS = ["tests.hashers.QuickArgon2"]
    a_property(name="Reference Card Room", address="12 River Road\nAnytown")
    floor = WinFloor()
    backed_out(floor.won({2: "royal", 5: "five", 6: "four"})[1])
    floor.won({1: "five"})
    a_person("ann", password="right", may=MAY)
    return live


@pytest.mark.deep  # a walk over pages; a run looks at some of all (test_every_page)
def test_every_page_of_the_office_is_whole_accessible_and_fits(house: Live, browser: Browser) -> None:
    context = browser.new_context()
    watched = Watched(context.new_page())
    vouched = facts_of(Win.objects.select_related("jackpot__premises", "version").get(slip=3), FILE_COPY)
    sign_in(watched.page, house)
    pages = {
        "wins": "/office/wins/", "none": "/office/wins/?q=77", "win": "/office/wins/3/", "void": "/office/wins/2/",
        "cage": "/office/cage/", "cage-slip": "/office/cage/3/", "cage-void": "/office/cage/2/",
        "genuine": vouched.sealed.address, "false": f"/verify/3/{'0' * 32}",
    }  # fmt: skip
    watched.look(house.url, pages, "office")
    assert watched.complaints == []
    context.close()


def test_two_presses_print_and_a_reprint_asks_why(house: Live, browser_page: Page, settings: Any) -> None:
    watched = Watched(browser_page)
    sign_in(browser_page, house)
    browser_page.goto(f"{house.url}/office/wins/3/")
    browser_page.keyboard.press("p")
    assert browser_page.evaluate("document.activeElement.value") == "letter"
    browser_page.keyboard.press("Enter")
    expect(browser_page.get_by_role("status")).to_contain_text("ORIGINAL of slip 3 was sent to REF-LETTER.")
    browser_page.get_by_role("button", name="Reprint, A4").click()
    assert Copy.objects.count() == 1, "the browser asks for the reason first"
    browser_page.fill("#reason", "printer jam")
    browser_page.get_by_role("button", name="Reprint, A4").click()
    expect(browser_page.get_by_role("status")).to_contain_text("REPRINT 1 of slip 3")
    assert drain_print_queue() == 2
    browser_page.reload()
    kept(browser_page, "office-win-printed")
    expect(browser_page.locator(".chip.ok", has_text="sent")).to_have_count(2)
    watched.check("printed")
    for width in (1440, 820):
        browser_page.set_viewport_size({"width": width, "height": 1180})
        kept(browser_page, f"office-win-printed-{width}")
        assert browser_page.evaluate(BEHIND_A_SCROLL) == [], width
    assert watched.complaints == []


def test_a_scan_finds_the_win_and_one_press_pays_it_once(house: Live, browser_page: Page) -> None:
    watched = Watched(browser_page)
    sign_in(browser_page, house)
    win = Win.objects.select_related("jackpot__premises", "version").get(slip=3)
    browser_page.goto(f"{house.url}/office/cage/")
    assert browser_page.evaluate("document.activeElement.id") == "slip"
    browser_page.keyboard.type(house.url + facts_of(win, FILE_COPY).sealed.address)
    browser_page.keyboard.press("Enter")
    expect(browser_page.get_by_role("status")).to_contain_text("the page is genuine")
    browser_page.get_by_role("button", name="Pay $19,001.33").click()
    expect(browser_page.get_by_role("status")).to_contain_text("Slip 3 is paid: $19,001.33.")
    expect(browser_page.get_by_role("alert")).to_contain_text("by Test Ann, cash. Do not pay it again.")
    expect(browser_page.get_by_role("button", name="Pay")).to_have_count(0)
    kept(browser_page, "office-cage-paid")
    watched.check("paid")
    assert watched.complaints == []


def test_a_slash_searches_the_wins_and_fetches_only_the_list(house: Live, browser_page: Page) -> None:
    watched = Watched(browser_page)
    sign_in(browser_page, house)
    browser_page.goto(f"{house.url}/office/wins/")
    browser_page.keyboard.press("/")
    browser_page.keyboard.type("1000.07")
    browser_page.keyboard.press("Enter")
    browser_page.wait_for_url("**/office/wins/?q=1000.07*")
    expect(browser_page.locator("#wins tbody tr")).to_have_count(1)
    expect(browser_page.locator("#wins tbody")).to_contain_text("void")
    assert watched.complaints == []


def test_a_slash_on_any_other_page_goes_to_the_box_that_finds_everything(house: Live, browser_page: Page) -> None:
    sign_in(browser_page, house)
    browser_page.goto(house.url)
    browser_page.keyboard.press("/")
    assert browser_page.evaluate("document.activeElement.id") == "find"
    browser_page.keyboard.type("Five percent")
    browser_page.keyboard.press("Enter")
    browser_page.wait_for_url("**/office/**")
    expect(browser_page.locator("main")).to_contain_text("Five percent")
    browser_page.keyboard.press("?")
    expect(browser_page.locator("#key-list")).to_be_visible()
    browser_page.keyboard.press("Escape")
    expect(browser_page.locator("#key-list")).to_be_hidden()


def test_single_keys_of_the_office_are_switched_off_on_this_computer(house: Live, browser_page: Page) -> None:
    sign_in(browser_page, house)
    browser_page.goto(house.url)
    browser_page.uncheck("#single-keys")
    browser_page.goto(f"{house.url}/office/wins/3/")
    expect(browser_page.locator("#single-keys")).not_to_be_checked()
    browser_page.keyboard.press("p")
    browser_page.keyboard.press("/")
    assert browser_page.evaluate("document.activeElement.tagName") == "BODY"
    browser_page.check("#single-keys")
    browser_page.keyboard.press("p")
    assert browser_page.evaluate("document.activeElement.value") == "letter"
