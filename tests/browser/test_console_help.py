"""The book of the game at the dealer's console: a key, a button, nothing for axe to find."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.floor_scene import WHOLE_FILES, a_floor
from tests.browser.looks import Watched
from tests.living import Live

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings(WHOLE_FILES)]


def test_a_question_mark_opens_the_book_and_no_key_reaches_the_table_behind(live: Live, browser: Browser) -> None:
    with a_floor(live, browser) as floor:
        table = floor.casino.tables[0]
        table.shuffler = "board_first"
        table.save()
        page = floor.dealing()
        watched = Watched(page)
        page.keyboard.press("?")
        expect(page.locator("#help-box")).to_be_visible()
        expect(page.locator(".book-steps li", has_text="green button").first).to_be_visible()
        page.keyboard.press("3")
        expect(page.locator("#count")).to_contain_text("0 seats")
        page.click(".help summary:has-text('wrong')")
        page.click(".help summary:has-text('words')")
        for size in ((1280, 800), (820, 1180), (800, 480)):
            page.set_viewport_size({"width": size[0], "height": size[1]})
            watched.check(str(size))
        page.keyboard.press("?")
        expect(page.locator("#help-box")).to_be_hidden()
        page.keyboard.press("3")
        expect(page.locator("#count")).to_contain_text("1 seat")


def test_single_keys_that_are_off_leave_the_button(live: Live, browser: Browser) -> None:
    with a_floor(live, browser) as floor:
        page = floor.dealing()
        page.click("#menu-key")
        page.uncheck("#shortcuts")
        page.keyboard.press("Escape")
        page.keyboard.press("?")
        expect(page.locator("#help-box")).to_be_hidden()
        page.click("#help-key")
        expect(page.locator("#help-box summary", has_text="The steps of a round")).to_have_count(4)
        page.click("#help-box [data-close]")
        expect(page.locator("#help-box")).to_be_hidden()
