"""A house advance in the books, in a real browser."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.looks import Watched
from tests.browser.test_config import sign_in
from tests.browser.test_pages import WHOLE_FILES
from tests.builders import a_person
from tests.living import Live
from tests.tables.rounds.test_house_advance import a_floor, community

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings(WHOLE_FILES)]
PAGES = {"overview": "/jackpots/GRAND/", "ledger": "/jackpots/GRAND/ledger/", "terms": "/jackpots/GRAND/versions/"}


def test_the_books_show_what_is_owed_of_a_house_advance(live: Live, browser_page: Page, settings: Any) -> None:
    settings.PASSWORD_HASHERS = ["tests.hashers.QuickArgon2"]
    played = a_floor(1, seed="2000.00")
    community(played)
    played.coin_in("1234567")
    a_person("bob", password="right", may=("see", "read_books", "configure"))
    watched = Watched(browser_page)
    sign_in(browser_page, live, "bob")
    watched.look(live.url, PAGES, "advance")
    browser_page.goto(f"{live.url}/jackpots/GRAND/")
    expect(browser_page.get_by_text("House advance still owed")).to_be_visible()
    expect(browser_page.get_by_text("1,997.55 · 0.35 of each chip repays it")).to_be_visible()
    assert watched.complaints == []
